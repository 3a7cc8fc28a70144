//! How plans are searched for, as the command line says it.

use clap::Args;
use proofmark_divine::SearchKind;

use super::names;
use super::number::between;
use crate::request::SearchRequest;

/// How plans are searched for.
#[derive(Debug, Clone, Args)]
pub struct SearchArguments {
    /// How a plan is searched for.
    #[arg(long, value_parser = names::search(), default_value = "model", value_name = "HOW")]
    pub search: SearchKind,
    /// Longest that the search of one plan may take, in hours: what it has reached then is the plan.
    #[arg(long, default_value_t = 4.0, value_name = "HOURS", value_parser = between(0.01, 1000.0), allow_negative_numbers = true)]
    pub search_hours: f64,
}

impl SearchArguments {
    /// What is asked for, with so many fresh JVMs for every plan.
    pub fn request(&self, fresh_jvms: u32) -> SearchRequest {
        SearchRequest {
            kind: self.search,
            most_s: 3600.0 * self.search_hours,
            fresh_jvms,
        }
    }
}
