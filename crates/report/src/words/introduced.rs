//! What a reader must know to understand verdicts: what the program is, who the profilers are, how many JVMs were asked, and how it is
//! known what is right.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{Attribution, DoseResult, listed, profiler_kind};
use proofmark_profile::NON_SAFEPOINTS;

use super::dose::{jvms_right, platform, where_wrong};
use crate::names::clean;
use crate::number::{count, fixed};

/// Ending of the name of async-profiler in a JVM that started without it.
const ATTACHED: &str = "+attached";

/// `bundled benchmark; Java 25 (vendor)`: what ran; that it is a program of the suite is said where commands that are named say so.
pub(crate) fn introduced(result: &DoseResult) -> String {
    let platform = platform(result);
    let named = format!(" suite:{}", result.program);
    let mut said = result.advice_parts.iter().chain([&result.advice]);
    match said.any(|one| one.contains(&named)) {
        true => format!("bundled benchmark; {platform}"),
        false => platform,
    }
}

/// `Queens on Java 17.0.15 (Debian), 3 methods, 110 s`: what was tested, and how long that took.
pub(crate) fn tested(result: &DoseResult) -> String {
    format!(
        "{} on {}, {}, {} s",
        clean(&result.program),
        platform(result),
        count(result.methods.len() as u64, "method"),
        fixed(result.seconds, 0)
    )
}

/// `jfr with DebugNonSafepoints`, of `jfr+nonsafepoints`: what the name of a profiler does not say; none where it says enough.
pub(crate) fn known_as(profiler: &str) -> Option<String> {
    if let Some(same) = profiler.strip_suffix(NON_SAFEPOINTS) {
        return Some(format!("{same} with DebugNonSafepoints"));
    }
    let is_async = profiler_kind(profiler) == "async";
    is_async.then(|| match profiler.ends_with(ATTACHED) {
        true => "async-profiler, attached to a JVM without DebugNonSafepoints".to_owned(),
        false => "async-profiler, which turns DebugNonSafepoints on".to_owned(),
    })
}

/// `in one JVM`, `in 2 of 3 JVMs`: where a verdict holds, or what it is made over; none where JVMs are not told apart.
pub(crate) fn jvms_asked(one: &Attribution) -> Option<String> {
    let said = match (one.verdict, one.jvms.total()) {
        (Verdict::Right, _) => jvms_right(one),
        (Verdict::Wrong, _) => where_wrong(one.jvms),
        (Verdict::Undecided, 0) => String::new(),
        (Verdict::Undecided, 1) => "in one JVM".to_owned(),
        (Verdict::Undecided, jvms) => format!("over {jvms} JVMs"),
    };
    let said = said.trim_start_matches([',', ' ']);
    (!said.is_empty()).then(|| said.to_owned())
}

/// Whether the shares that a profiler shows count as known.
pub(crate) fn is_witness(one: &Attribution) -> bool {
    one.certified && one.verdict == Verdict::Right
}

/// `async and jfr (right at every site that counts, ...): ...`: who the witnesses are and what that means; none where no other profiler is
/// compared with them.
pub(crate) fn witnesses(result: &DoseResult) -> Option<String> {
    let all = result.attribution.iter();
    let (passed, others): (Vec<_>, Vec<_>) = all.partition(|(_, one)| is_witness(one));
    let compared = others.iter().any(|(_, one)| one.profile.is_some());
    let names: Vec<String> = passed.iter().map(|(name, _)| clean(name)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let theirs = if names.len() == 1 { "its" } else { "theirs" };
    (compared && !names.is_empty()).then(|| {
        format!(
            "{} (right at every site that counts, and not changed by sites): what others show of the program is compared with {theirs}",
            listed(&names)
        )
    })
}

/// How it is known what is right, in a sentence; none where no profiler was judged by added time.
pub(crate) fn how_known(result: &DoseResult) -> Option<String> {
    let counting = result.native.iter().flat_map(|one| &one.of_instructions);
    let counting: Vec<&String> = counting.collect();
    if result
        .attribution
        .keys()
        .all(|name| counting.contains(&name))
    {
        return None;
    }
    let passed = result.attribution.iter();
    let passed = passed.filter(|(_, one)| is_witness(one));
    let passed: Vec<&str> = passed.map(|(name, _)| name.as_str()).collect();
    let who = match passed.as_slice() {
        [] => {
            "no profiler is a witness here (one that passed, with which others could be compared)"
                .to_owned()
        }
        [one] => format!("{one} passed and is the only witness, with which others are compared"),
        several => format!(
            "{} passed and are the witnesses, with which others are compared",
            listed(several)
        ),
    };
    Some(format!(
        "How this is known: Proofmark added time to {}, measured by a clock, and looked where each profiler reports it; {who}.",
        count(result.methods.len() as u64, "method")
    ))
}
