//! Whether the profilers of a test could contradict each other. A *witness* is a profiler that passed, with which the profiles of
//! others are compared (docs/dose-rules.md).

use proofmark_experiment::dose::{lacked_by, profiler_kind};

use crate::request::DoseRequest;

/// The control: it takes samples at safepoints only, on purpose, so that no witness is expected of it.
const CONTROL: &str = "safepoint";
/// The options by which the user's command decides that for all of its JVMs end so.
const FLAG: &str = "DebugNonSafepoints";

/// What is to be said before a test whose profilers have too few witnesses: no profiler of another kind, or, of a profiler that does not
/// know positions between safepoints, only one, and not itself with them: JFR with the flag, async-profiler loaded when the JVM starts.
/// None where there are enough.
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
    // Those that lack positions, with what does not.
    let cured = |name: &str| {
        let cured = lacked_by(name).filter(|_| !flag_is_set)?;
        (!judged.contains(&cured.as_str())).then_some(cured)
    };
    let blind: Vec<(&str, String)> = (judged.iter().copied())
        .filter_map(|name| Some((name, cured(name)?)))
        .collect();
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
        let blind = blind.into_iter().map(|(_, cured)| cured);
        let wanted: Vec<String> = [other.to_owned()].into_iter().chain(blind).collect();
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
    lonely(&judged, &blind)
}

/// What is said of those that lack positions, with what does not, where only one profiler of another kind could contradict them.
fn lonely(judged: &[&str], blind: &[(&str, String)]) -> Option<String> {
    let only = |name: &str| {
        let mut others = judged
            .iter()
            .filter(|other| profiler_kind(other) != profiler_kind(name));
        let first = others.next()?;
        others.next().is_none().then_some(*first)
    };
    let mut wanted: Vec<&str> = Vec::new();
    let mut said: Vec<(&str, Vec<&str>)> = Vec::new();
    for (name, cured) in blind {
        let Some(other) = only(name) else {
            continue;
        };
        wanted.push(cured);
        match said.iter_mut().find(|(by, _)| *by == other) {
            Some((_, names)) => names.push(*name),
            None => said.push((other, vec![*name])),
        }
    }
    let one = |(other, names): &(&str, Vec<&str>)| {
        format!("only {other} could contradict {}", names.join(" or "))
    };
    let said: Vec<String> = said.iter().map(one).collect();
    (!said.is_empty()).then(|| {
        format!(
            "note: {} here; add {} to --profiler for a second witness",
            said.join(" and "),
            wanted.join(",")
        )
    })
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
                "async+attached,jfr+nonsafepoints",
                "only jfr+nonsafepoints could contradict async+attached here; add async to --profiler for a second witness",
            ),
            (
                "async-ctimer+attached",
                "no profiler of another kind could contradict async-ctimer+attached here; add jfr+nonsafepoints,async-ctimer to --profiler for witnesses",
            ),
            (
                "async+attached,jfr",
                "only jfr could contradict async+attached and only async+attached could contradict jfr here; add async,jfr+nonsafepoints to --profiler for a second witness",
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
            "async+attached,async,jfr+nonsafepoints",
            "async+attached,async,jfr,jfr+nonsafepoints",
            "safepoint",
        ] {
            assert_eq!(of(names, false), None, "{names}");
        }
        // Its JVM keeps all positions, or none, whatever it is called.
        assert_eq!(of("async,jfr", true), None);
        assert_eq!(of("async+attached,jfr", true), None);
        assert!(of("async", true).is_some());
    }
}
