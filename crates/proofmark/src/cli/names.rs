//! Names on the command line of what other crates know.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use proofmark_experiment::lab::{Filler, InsertionPoint};

/// Slowdown instructions.
pub fn filler() -> impl TypedValueParser<Value = Filler> {
    const ALL: [(&str, &str); 8] = [
        ("mov", "mov r,r over rotated registers"),
        ("nop", "Two-byte NOP"),
        ("nop9", "Nine-byte NOP"),
        ("lea", "lea r,[r] over rotated registers"),
        ("pushpop", "push r; pop r"),
        ("sfence", "Store fence"),
        ("pause", "Spin-loop hint"),
        ("long", "Store and reload of a vector register"),
    ];
    named(&ALL).map(|name| Filler::named(&name).expect("a name that is listed"))
}

/// Places in a block.
pub fn placement() -> impl TypedValueParser<Value = InsertionPoint> {
    const ALL: [(&str, &str); 3] = [
        ("spread", "Between the block's own instructions"),
        ("start", "At its start"),
        ("end", "At its end"),
    ];
    named(&ALL).map(|name| match name.as_str() {
        "start" => InsertionPoint::Start,
        "end" => InsertionPoint::End,
        _ => InsertionPoint::Spread,
    })
}

fn named(all: &[(&'static str, &'static str)]) -> PossibleValuesParser {
    let value = |(name, help): &(&'static str, &'static str)| PossibleValue::new(*name).help(*help);
    all.iter().map(value).collect::<Vec<_>>().into()
}
