//! What this machine can measure, what is missing, and how to get it. Nothing is fetched or written here.

mod host;
mod tools;

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::machine::Machine;
use super::{Settings, find_jdk};

/// How much of a capability is there.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// All of it.
    Ok,
    /// Proofmark works, but measures less, or less well, or must fetch something first.
    Limited,
    /// Proofmark cannot work without it.
    Missing,
}

/// One line of the doctor's report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// What was looked at; a stable word for scripts.
    pub name: String,
    /// How much of it there is.
    pub status: Status,
    /// What was found.
    pub detail: String,
    /// What to do about it; empty when nothing is to be done.
    pub remedy: String,
}

impl Check {
    /// Everything is as it should be.
    pub fn ok(name: &str, detail: impl Into<String>) -> Self {
        Check {
            name: name.into(),
            status: Status::Ok,
            detail: detail.into(),
            remedy: String::new(),
        }
    }

    /// Proofmark works, with a restriction.
    pub fn limited(name: &str, detail: impl Into<String>, remedy: impl Into<String>) -> Self {
        Check {
            name: name.into(),
            status: Status::Limited,
            detail: detail.into(),
            remedy: remedy.into(),
        }
    }

    /// Proofmark does not work.
    pub fn missing(name: &str, detail: impl Into<String>, remedy: impl Into<String>) -> Self {
        Check {
            name: name.into(),
            status: Status::Missing,
            detail: detail.into(),
            remedy: remedy.into(),
        }
    }
}

/// All checks, tools first. Whether sampling really works is for the sampler's own probe to say.
pub fn doctor(settings: &Settings) -> Vec<Check> {
    let jdk = find_jdk(settings);
    let mut checks = vec![tools::jdk(&jdk)];
    checks.extend(tools::artifacts(settings, jdk.as_ref().ok()));
    checks.push(tools::cache(settings));
    checks.push(tools::perf(settings));
    checks.extend(host::checks(Path::new("/"), &Machine::this()));
    checks
}
