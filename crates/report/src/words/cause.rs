//! Words about causes: what each one is, and what to do about it.

use proofmark_assess::{CauseKind, Judgement, ReplayTest};
use proofmark_stats::Estimate;

use crate::number::{with_n, with_unit};

/// What it is, and what to do, a sentence each.
pub(crate) fn cause(kind: CauseKind) -> (&'static str, &'static str) {
    match kind {
        CauseKind::NonSafepointsOff => (
            "The JVM keeps source positions at safepoints only, so that time between two of them is shown where the next one is.",
            "Start the program with -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints.",
        ),
        CauseKind::DebugInfo => (
            "For the instructions that took the time the JVM has no source position, or one in another method; a profiler that asks the JVM is told no better.",
            "Read the methods that are taken for each other as one; assess --c2 shows whether the same happens with C2, the JVM's usual compiler.",
        ),
        CauseKind::PcRule => (
            "The JVM's source positions are right, but the profiler takes another one than that of the instruction that took the time.",
            "Use a version that takes the record that was right here (by >=: async-profiler from 4.2 on, JFR from Java 25 on).",
        ),
        CauseKind::Skid => (
            "A sample names an instruction behind the one that took the time, which may be another method's.",
            "Sample with a precise event of the processor where it has one; else read neighbouring methods as one.",
        ),
        CauseKind::InsertedCode => (
            "Instructions that were put in to slow the program have no source position of their own; the JVM names them by what stands behind them.",
            "The program itself has no such instructions: see what the profiler says of unslowed code.",
        ),
        CauseKind::Inlining => (
            "Time of methods that were inlined is shown in the method that holds them.",
            "Use a profiler that asks the JVM for inlined frames; a list of symbols, as perf reads it, has none.",
        ),
        CauseKind::SafepointBias => (
            "It shows what samples show that are taken where threads wait for a safepoint, not where time is spent.",
            "Use a profiler that interrupts threads anywhere (async-profiler, JFR).",
        ),
        CauseKind::Stubs => (
            "Time in the VM's stubs (array copies, intrinsics) and in native code is shown as a Java method's own.",
            "Let the profiler show native frames, or read such a method together with what it calls.",
        ),
        CauseKind::LostSamples => (
            "Some methods' samples were lost more often than others'.",
            "Give the profiler larger buffers, or a longer interval (assess --interval).",
        ),
        CauseKind::FailedWalks => (
            "Stacks of these samples could not be walked, so that no method is shown for them.",
            "Let the profiler walk stacks in another way (async-profiler: cstack=vm), and read shares as parts of what has a name.",
        ),
        CauseKind::Period => (
            "The time between samples is a whole multiple of an iteration's time, or a whole part of it, so that all samples of a window meet the same parts of the iteration.",
            "Use another interval (assess --interval), neither a multiple nor a whole part of an iteration's time.",
        ),
    }
}

/// Causes that were found, each once, with the names of the profilers.
pub(crate) fn causes<'a>(judged: &[&'a Judgement]) -> Vec<(CauseKind, Vec<&'a str>)> {
    let mut found: Vec<(CauseKind, Vec<&'a str>)> = Vec::new();
    for j in judged {
        for one in &j.causes {
            match found.iter_mut().find(|(kind, _)| *kind == one.kind) {
                Some((_, names)) => names.push(&j.name),
                None => found.push((one.kind, vec![&j.name])),
            }
        }
    }
    found
}

/// The three parts of an error in unslowed code in a line: `debug information 14 pt (13 to 15), skid ..., the rest ...`.
pub(crate) fn parts(replay: &ReplayTest) -> String {
    let each = named(replay).map(|(what, of)| format!("{what} {}", with_unit(&of, "pt")));
    format!("{}; {}", each.join(", "), rule(replay))
}

/// The same as rows, and how far each rule would be off.
pub(crate) fn part_rows(replay: &ReplayTest) -> Vec<(String, String)> {
    let row = |(what, of): (&str, Estimate)| (what.to_owned(), with_n(&of, "pt"));
    let mut rows: Vec<(String, String)> = named(replay).map(row).into();
    rows.push(("how addresses are looked up".to_owned(), rule(replay)));
    for fit in &replay.rules {
        let off = format!(
            "off by {}; the profiler differs from that by {}",
            with_n(&fit.truth_pt, "pt"),
            with_n(&fit.profiler_pt, "pt")
        );
        let what = format!("a profiler that takes records by {}", fit.rule);
        rows.push((what, off));
    }
    rows
}

fn named(replay: &ReplayTest) -> [(&'static str, Estimate); 3] {
    [
        ("debug information", replay.debug_info_pt),
        ("skid", replay.skid_pt),
        ("the rest", replay.rest_pt),
    ]
}

/// `records are taken by >= (as its source says)`
fn rule(replay: &ReplayTest) -> String {
    let known = match replay.rule_known {
        true => "as its source says",
        false => "which fits best",
    };
    format!("records are taken by {} ({known})", replay.rule)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofmark_assess::PcRule;

    const ALL: [CauseKind; 11] = [
        CauseKind::NonSafepointsOff,
        CauseKind::DebugInfo,
        CauseKind::PcRule,
        CauseKind::Skid,
        CauseKind::InsertedCode,
        CauseKind::Inlining,
        CauseKind::SafepointBias,
        CauseKind::Stubs,
        CauseKind::LostSamples,
        CauseKind::FailedWalks,
        CauseKind::Period,
    ];

    #[test]
    fn every_cause_says_what_it_is_and_what_to_do() {
        let both = |kind: &CauseKind| <[&'static str; 2]>::from(cause(*kind));
        let mut said: Vec<&str> = ALL.iter().flat_map(both).collect();
        assert!(said.iter().all(|sentence| sentence.ends_with('.')));
        said.sort_unstable();
        said.dedup();
        assert_eq!(said.len(), 2 * ALL.len(), "no two say the same");
    }

    #[test]
    fn the_three_parts_stand_side_by_side() {
        let replay = ReplayTest {
            rule: PcRule::AtOrBehind,
            rule_known: true,
            debug_info_pt: Estimate::around(14.0, 1.0, 900),
            skid_pt: Estimate::around(1.2, 0.4, 900),
            rest_pt: Estimate::around(0.9, 0.5, 900),
            rules: Vec::new(),
        };
        let said = parts(&replay);
        for part in [
            "debug information 14",
            "skid 1.2",
            "the rest 0.9",
            "by >= (as",
        ] {
            assert!(said.contains(part), "{part} in {said}");
        }
        assert_eq!(part_rows(&replay).len(), 4);
    }
}
