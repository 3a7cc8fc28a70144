//! Forms of results.

use clap::ValueEnum;

/// Output of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Tables for people.
    Text,
    /// One JSON document (schemas in docs/formats).
    Json,
    /// Comma-separated values, one figure a line (study analyze and diff).
    Csv,
    /// Collapsed stacks, one a line with its weight (import).
    Collapsed,
    /// pprof's protocol buffer (import).
    Pprof,
}

impl Format {
    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or(String::new(), |value| value.get_name().to_owned())
    }
}
