//! Names on the command line of what other crates know.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use proofmark_divine::SearchKind;
use proofmark_experiment::divine::FreshProfiles;
use proofmark_experiment::dose::DoseKind;
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

/// Insertion points in a block.
pub fn insertion_point() -> impl TypedValueParser<Value = InsertionPoint> {
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

/// What added time is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doses {
    /// One thing.
    One(DoseKind),
    /// Everything that there is, in turn.
    All,
}

/// What added time does.
pub fn doses() -> impl TypedValueParser<Value = Doses> {
    let each = DoseKind::ALL.map(|kind| (kind.name(), says(kind)));
    let all = ("all", "Each of these in turn: a whole test for each");
    let all: Vec<(&str, &str)> = each.into_iter().chain([all]).collect();
    named(&all).map(|name| DoseKind::named(&name).map_or(Doses::All, Doses::One))
}

fn says(kind: DoseKind) -> &'static str {
    match kind {
        DoseKind::Arithmetic => "Multiplications: machine code of the method itself",
        DoseKind::Copy => {
            "System.arraycopy: a stub of the JVM, which many profilers charge to somebody else"
        }
        DoseKind::Fill => "A loop that fills memory: a stub of the JVM, where it has a good one",
        DoseKind::Allocate => "New arrays: now and then the JVM's own code has to find memory",
        DoseKind::Load => "Loads that wait for each other, from beyond the nearest cache",
        DoseKind::Call => "Calls of a method that is not inlined; time belongs to that method",
        DoseKind::Vector => "A loop over numbers that compilers do with vectors",
        DoseKind::Lock => "A lock that nobody else wants: synchronized",
    }
}

/// Searches.
pub fn search() -> impl TypedValueParser<Value = SearchKind> {
    const ALL: [(&str, &str); 2] = [
        (
            "model",
            "All blocks at once, by a model of how they respond: some ten plans",
        ),
        (
            "stepwise",
            "As published: unit after unit, one instruction more each time, then by halves: some hundred plans",
        ),
    ];
    named(&ALL).map(|name| match name.as_str() {
        "stepwise" => SearchKind::Stepwise,
        _ => SearchKind::Model,
    })
}

/// Profiles of JVMs that have a window each.
pub fn profiles() -> impl TypedValueParser<Value = FreshProfiles> {
    const ALL: [(&str, &str); 2] = [
        ("own", "Each JVM compiles by what it has seen itself"),
        (
            "loaded",
            "Each JVM loads the profiles of the first one, so that it compiles the same code",
        ),
    ];
    named(&ALL).map(|name| match name.as_str() {
        "loaded" => FreshProfiles::Loaded,
        _ => FreshProfiles::Own,
    })
}

fn named(all: &[(&'static str, &'static str)]) -> PossibleValuesParser {
    let value = |(name, help): &(&'static str, &'static str)| PossibleValue::new(*name).help(*help);
    all.iter().map(value).collect::<Vec<_>>().into()
}
