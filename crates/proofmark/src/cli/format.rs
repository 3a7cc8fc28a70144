//! Forms of results on the command line.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::request::{Form, Format};

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self::Text,
            Self::Json,
            Self::Csv,
            Self::Collapsed,
            Self::Pprof,
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Self::Text => "Tables for people",
            Self::Json => "One JSON document (schemas in docs/formats)",
            Self::Csv => "Comma-separated values, one figure a line",
            Self::Collapsed => "Collapsed stacks, one a line with its weight",
            Self::Pprof => "pprof's protocol buffer",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

impl ValueEnum for Form {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Count, Self::Collapsed, Self::Pprof, Self::Json]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self {
            Self::Count => (
                "count",
                "All that is known; `count compare`, `count show` and `study` read it",
            ),
            Self::Collapsed => (
                "collapsed",
                "Collapsed stacks, for flame graphs (.collapsed, .folded)",
            ),
            Self::Pprof => ("pprof", "pprof (.pprof, .pb)"),
            Self::Json => ("json", "The uniform profile by method (.json)"),
        };
        Some(PossibleValue::new(name).help(help))
    }
}
