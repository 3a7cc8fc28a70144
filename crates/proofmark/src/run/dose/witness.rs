//! Whether the profilers of a test could contradict each other. A *witness* is a profiler that passed, with which the profiles of
//! others are compared (docs/dose-rules.md).

use proofmark_experiment::dose::profiler_kind;
use proofmark_profile::NON_SAFEPOINTS;

use crate::request::DoseRequest;

/// The control: it takes samples at safepoints only, on purpose, so that no witness is expected of it.
const CONTROL: &str = "safepoint";
/// The options by which the user's command decides that for all of its JVMs end so.
const FLAG: &str = "DebugNonSafepoints";

/// What is to be said before a test whose profilers have too few witnesses: no profiler of another kind, or, of a profiler that does not
/// know positions between safepoints, only one, and not itself with the flag. None where there are enough.
#[must_use]
pub fn few_witnesses(request: &DoseRequest) -> Option<String> {
    let workload = &request.workload;
    let mut options = workload.jvm_options.iter().chain(&workload.left_out);
    let flag_is_set = options.any(|option| option.ends_with(FLAG));
    said(&request.profilers, flag_is_set)
}

/// The same by the profilers' names; `flag_is_set`: whether the command decides on its own what positions the JVM keeps.
fn said(profilers: &[String], flag_is_set: bool) -> Option<String> {
    let judged = profilers.iter().map(String::as_str);
    let judged: Vec<&str> = judged.filter(|name| *name != CONTROL).collect();
    let first = judged.first()?;
    let with_flag = |name: &str| format!("{name}{NON_SAFEPOINTS}");
    let is_blind = |name: &str| {
        let cured = with_flag(name);
        matches!(name, "jfr" | "jfr-cpu") && !judged.contains(&cured.as_str()) && !flag_is_set
    };
    let blind: Vec<&str> = (judged.iter().copied())
        .filter(|name| is_blind(name))
        .collect();
    let mut wanted: Vec<String> = blind.iter().map(|name| with_flag(name)).collect();
    if judged
        .iter()
        .all(|name| profiler_kind(name) == profiler_kind(first))
    {
        let control = match judged.len() < profilers.len() {
            true => " but the control",
            false => "",
        };
        let other = match profiler_kind(first) {
            "async" => "jfr+nonsafepoints",
            _ => "async",
        };
        wanted.insert(0, other.to_owned());
        let witnesses = match wanted.len() {
            1 => "a witness",
            _ => "witnesses",
        };
        return Some(format!(
            "note: no profiler of another kind{control} could contradict {} here; add {} to --profiler for {witnesses}",
            judged.join(" or "),
            wanted.join(",")
        ));
    }
    let mut others = judged.iter().filter(|name| profiler_kind(name) != "jfr");
    match (others.next(), others.next()) {
        (Some(other), None) if !blind.is_empty() => Some(format!(
            "note: only {other} could contradict {} here; add {} to --profiler for a second witness",
            blind.join(" or "),
            wanted.join(",")
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: &str, flag_is_set: bool) -> Option<String> {
        let names: Vec<String> = names.split(',').map(str::to_owned).collect();
        said(&names, flag_is_set)
    }

    #[test]
    fn who_has_one_witness_or_none_is_named_with_what_to_add() {
        for (names, told) in [
            (
                "async,jfr",
                "only async could contradict jfr here; add jfr+nonsafepoints to --profiler for a second witness",
            ),
            (
                "jfr-cpu,async+agct,safepoint",
                "only async+agct could contradict jfr-cpu here; add jfr-cpu+nonsafepoints to --profiler for a second witness",
            ),
            (
                "async",
                "no profiler of another kind could contradict async here; add jfr+nonsafepoints to --profiler for a witness",
            ),
            (
                "jfr,jfr-cpu,async",
                "only async could contradict jfr or jfr-cpu here; add jfr+nonsafepoints,jfr-cpu+nonsafepoints to --profiler for a second witness",
            ),
            (
                "jfr",
                "no profiler of another kind could contradict jfr here; add async,jfr+nonsafepoints to --profiler for witnesses",
            ),
            (
                "jfr,jfr+nonsafepoints",
                "no profiler of another kind could contradict jfr or jfr+nonsafepoints here; add async to --profiler for a witness",
            ),
            (
                "async-cpu,safepoint",
                "no profiler of another kind but the control could contradict async-cpu here; add jfr+nonsafepoints to --profiler for a witness",
            ),
        ] {
            assert_eq!(of(names, false), Some(format!("note: {told}")), "{names}");
        }
    }

    /// What is added is enough: nobody is sent from one note to the next.
    #[test]
    fn where_there_are_enough_nothing_is_said() {
        for names in [
            "async,jfr,jfr+nonsafepoints",
            "async,jfr+nonsafepoints",
            "async,jfr-cpu,jfr-cpu+nonsafepoints",
            "async,async-cpu,jfr",
            "safepoint",
        ] {
            assert_eq!(of(names, false), None, "{names}");
        }
        // Its JVM keeps all positions, or none, whatever it is called.
        assert_eq!(of("async,jfr", true), None);
        assert!(of("async", true).is_some());
    }
}
