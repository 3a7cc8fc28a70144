//! What is said of a test over JVMs: what to do, in how many JVMs that is so, and what would decide what is open.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use proofmark_assess::Verdict;

use super::advice::{FEWER_METHODS, MORE_JVMS, MORE_WINDOWS, advice, listed};
use super::remedy::{Test, Way};
use super::why_open::why_open;
use super::{Again, Attribution, JvmWords, Size};
use crate::assess::time_words;

/// All of it, for a test of this size, with this margin (points of share), that took so long (s). `again`: how it is asked for
/// again.
#[must_use]
pub fn told(
    attribution: &BTreeMap<String, Attribution>,
    size: &Size,
    (margin_pt, seconds): (f64, f64),
    again: &Again,
) -> String {
    let test = Test {
        size,
        margin_pt,
        seconds,
        again,
    };
    let first = advice(attribution, margin_pt);
    let first = first.replace(MORE_WINDOWS, "").replace(MORE_JVMS, "");
    let first = match size.methods {
        0 | 1 => first.replace(FEWER_METHODS, ""),
        _ => first.replace("--methods 1)", &format!("{})", again.with("--methods 1"))),
    };
    let why = why_open(attribution, margin_pt, &first);
    let all = [
        Some(first),
        in_jvms(attribution, &test),
        failed_jvms(attribution),
        why,
        open(attribution, &test),
    ];
    let all: Vec<String> = all.into_iter().flatten().collect();
    all.join(" ")
}

/// In how many JVMs the verdicts are so; none where JVMs are not told apart.
fn in_jvms(attribution: &BTreeMap<String, Attribution>, test: &Test<'_>) -> Option<String> {
    let judged = attribution.values().filter(|one| !one.rows.is_empty());
    let jvms = judged.map(|one| one.jvms.total());
    match jvms.max().unwrap_or(0) {
        0 => None,
        1 => Some(format!(
            "Only one JVM per profiler was asked, and another may compile the program differently (to ask three: {}).",
            test.again.with("--runs 3")
        )),
        _ => {
            let of = attribution.iter();
            let of = of.filter_map(in_several);
            let of: Vec<String> = of.collect();
            (!of.is_empty()).then(|| of.join(" "))
        }
    }
}

/// `jfr is wrong in 2 of 3 JVMs: what it reports of A.get differs from JVM to JVM.`; where every JVM has something wrong,
/// what in how many of them. None of a profiler that is not decided and nowhere depends on the JVM.
fn in_several((name, one): (&String, &Attribution)) -> Option<String> {
    let jvms = one.jvms.total();
    let depends = one.rows.iter();
    let depends = depends.filter(|row| row.jvms.differ() && !row.is_void());
    let mut depends: Vec<&str> = depends.map(|row| row.method.as_str()).collect();
    depends.dedup();
    let why = match depends.as_slice() {
        [] => String::new(),
        methods => format!(
            ": what it reports of {} differs from JVM to JVM",
            listed(methods)
        ),
    };
    let words = one.jvms;
    match (one.verdict, words.wrong) {
        (Verdict::Wrong, wrong) if wrong == jvms && !depends.is_empty() => Some(format!(
            "With {name} each of the {jvms} JVMs has something wrong, not always the same: {}.",
            wrong_rows(one)
        )),
        (Verdict::Wrong, 0) => Some(format!("{name} is wrong over {jvms} JVMs{why}.")),
        (Verdict::Wrong, wrong) => Some(format!("{name} is wrong {}{why}.", of(wrong, jvms))),
        (Verdict::Right, _) => Some(format!("{name} is right {}{why}.", right(words, jvms))),
        (Verdict::Undecided, _) if depends.is_empty() => None,
        (Verdict::Undecided, _) => Some(format!(
            "What {name} reports of {} differs from JVM to JVM.",
            listed(&depends)
        )),
    }
}

/// `String.length in 2, Words.tokenize and Words.add in 1 each`: methods whose rows decide and are wrong in so many JVMs, the most
/// first.
fn wrong_rows(one: &Attribution) -> String {
    let mut wrong: BTreeMap<Reverse<usize>, Vec<&str>> = BTreeMap::new();
    let deciding = || one.rows.iter().filter(|row| !row.is_void());
    for row in deciding().filter(|row| row.jvms.wrong > 0) {
        // Of the sites of a method the one that is wrong in most.
        let mut same = deciding().filter(|other| other.method == row.method);
        if same.any(|other| other.jvms.wrong > row.jvms.wrong) {
            continue;
        }
        let methods = wrong.entry(Reverse(row.jvms.wrong)).or_default();
        if !methods.contains(&row.method.as_str()) {
            methods.push(&row.method);
        }
    }
    let said = wrong.iter().map(|(Reverse(jvms), methods)| {
        let each = if methods.len() > 1 { " each" } else { "" };
        format!("{} in {jvms}{each}", listed(methods))
    });
    said.collect::<Vec<_>>().join(", ")
}

/// `async failed in run 2 of 3 (the JVM ended ...) and is judged by the others.`
fn failed_jvms(attribution: &BTreeMap<String, Attribution>) -> Option<String> {
    let said = |(name, one): (&String, &Attribution)| {
        let all = one.jvms.total() + one.failed_runs.len();
        let each = one.failed_runs.iter();
        let each =
            each.map(|failed| format!("run {} of {all} ({})", failed.run, failed.why_in_short()));
        let each: Vec<String> = each.collect();
        let each: Vec<&str> = each.iter().map(String::as_str).collect();
        let says = || {
            format!(
                "{name} failed in {} and is judged by the others.",
                listed(&each)
            )
        };
        (!each.is_empty()).then(says)
    };
    let said: Vec<String> = attribution.iter().filter_map(said).collect();
    (!said.is_empty()).then(|| said.join(" "))
}

/// `in 2 of 3 JVMs`, `in all 3 JVMs`
pub(super) fn of(some: usize, jvms: usize) -> String {
    match some == jvms {
        true => format!("in all {jvms} JVMs"),
        false => format!("in {some} of {jvms} JVMs"),
    }
}

/// Where some JVMs leave it open the mean over them decides.
fn right(words: JvmWords, jvms: usize) -> String {
    match words.right == jvms {
        true => of(jvms, jvms),
        false => format!(
            "over {jvms} JVMs, of which {} say so by themselves",
            words.right
        ),
    }
}

/// `This would probably decide async and jfr, in about 4 min: ...`, and the command: profilers that are not decided, those with
/// the same way together.
fn open(attribution: &BTreeMap<String, Attribution>, test: &Test<'_>) -> Option<String> {
    let mut ways: Vec<(Option<Way>, Vec<&str>)> = Vec::new();
    let undecided = attribution.iter();
    let undecided = undecided
        .filter(|(_, one)| one.verdict == Verdict::Undecided && one.jvms.total() > 0)
        .filter(|(_, one)| !one.rows.is_empty());
    for (name, one) in undecided {
        let way = test.way(one);
        match ways.iter_mut().find(|(there, _)| *there == way) {
            Some((_, names)) => names.push(name.as_str()),
            None => ways.push((way, vec![name.as_str()])),
        }
    }
    let said: Vec<String> = ways
        .iter()
        .map(|(way, names)| would(way.as_ref(), &listed(names), test))
        .collect();
    (!said.is_empty()).then(|| said.join(" "))
}

fn would(way: Option<&Way>, names: &str, test: &Test<'_>) -> String {
    let Some(way) = way else {
        return format!("No command is known that would decide {names} in less than eight hours.");
    };
    let time = time_words(way.seconds);
    let command = test.again.with(&way.option);
    let does = match way.decides {
        true => "would probably decide",
        false => "tells more of",
    };
    format!("This {does} {names}, in about {time}: {command}.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dose::FailedRun;
    use crate::dose::tests::attribution;

    fn said(profilers: &[(&str, Attribution)], runs: usize) -> String {
        let map = profilers.iter();
        let map = map.map(|(name, one)| ((*name).to_owned(), one.clone()));
        let size = Size {
            profilers: vec!["async".into()],
            methods: 4,
            rounds: 3,
            budget_s: 15.0,
            runs,
            window_s: 0.2,
            at_once: 1,
        };
        told(&map.collect(), &size, (5.0, 100.0), &Again::default())
    }

    /// The whole command is named, with what was asked for.
    #[test]
    fn what_is_named_can_be_entered_as_it_is() {
        let profilers = ["async".to_owned(), "jfr".to_owned()];
        let again = Again::named("suite:Queens".into(), &profilers, 3, 1);
        let size = Size {
            profilers: vec!["async".into(), "jfr".into()],
            methods: 3,
            rounds: 2,
            budget_s: 5.0,
            runs: 1,
            window_s: 0.2,
            at_once: 1,
        };
        let mut open = with(Verdict::Undecided, &[Verdict::Undecided]);
        open.rows[0].in_place_pct = proofmark_stats::Estimate::around(94.0, 6.0, 900);
        open.rows[0].elsewhere.clear();
        let map = BTreeMap::from([("async".to_owned(), open)]);
        let text = told(&map, &size, (5.0, 100.0), &again);
        let same = "proofmark dose suite:Queens --profiler async,jfr --methods 3";
        assert!(
            text.contains(&format!("(to ask three: `{same} --runs 3`)")),
            "{text}"
        );
        let more = format!(": `{same} --runs 1 --rounds ");
        assert!(text.contains(&more), "{text}");
        let mut changed = map["async"].clone();
        changed.change = Some(crate::dose::ProfileChange {
            beyond_pt: 43.0,
            voids_rows: true,
            drowned: false,
            method: "B.place".into(),
            as_it_is_pct: proofmark_stats::Estimate::around(18.0, 2.0, 900),
            with_sites_pct: proofmark_stats::Estimate::around(66.0, 2.0, 900),
        });
        let map = BTreeMap::from([("async".to_owned(), changed)]);
        let text = told(&map, &size, (5.0, 100.0), &again);
        let fewer = "proofmark dose suite:Queens --profiler async,jfr --runs 1 --methods 1";
        let fewer = format!("`{fewer}`");
        assert!(text.contains(&format!("({fewer}) tell more")), "{text}");
        assert!(text.contains("This tells more of async, in about "));
        assert!(text.ends_with(&format!(": {fewer}.")), "{text}");
        assert!(!text.contains("(--"), "{text}");
    }

    /// A profiler with one row, and the words of JVMs on it.
    fn with(verdict: Verdict, words: &[Verdict]) -> Attribution {
        let mut one = attribution(verdict, 66.0, "B.place");
        one.jvms = JvmWords::of(words.iter().copied());
        one.rows[0].jvms = one.jvms;
        one
    }

    #[test]
    fn what_depends_on_the_jvm_is_said_with_the_number_of_jvms() {
        use Verdict::{Right, Undecided, Wrong};
        let text = said(&[("jfr", with(Wrong, &[Wrong, Right, Wrong]))], 3);
        let depends =
            "jfr is wrong in 2 of 3 JVMs: what it reports of A.get differs from JVM to JVM.";
        assert!(text.ends_with(depends), "{text}");
        let text = said(&[("jfr", with(Wrong, &[Wrong; 3]))], 3);
        assert!(text.ends_with("jfr is wrong in all 3 JVMs."), "{text}");
        let text = said(&[("jfr", with(Right, &[Right; 3]))], 3);
        assert!(text.ends_with("jfr is right in all 3 JVMs."), "{text}");
        let mut not_the_same = with(Wrong, &[Wrong; 3]);
        let first = not_the_same.rows.remove(0);
        for (method, wrong) in [("A.get", 1), ("A.put", 2), ("A.add", 1)] {
            let mut row = first.clone();
            row.method = method.into();
            row.jvms = JvmWords::of((0..3).map(|jvm| if jvm < wrong { Wrong } else { Right }));
            not_the_same.rows.push(row);
        }
        let mut void = first;
        void.method = "A.set".into();
        void.jvms = JvmWords::of([Wrong, Wrong, Right]);
        void.change = Some(crate::dose::ProfileChange {
            beyond_pt: 43.0,
            voids_rows: true,
            drowned: false,
            method: "A.set".into(),
            as_it_is_pct: proofmark_stats::Estimate::around(18.0, 2.0, 900),
            with_sites_pct: proofmark_stats::Estimate::around(66.0, 2.0, 900),
        });
        // A row that does not decide is not what makes it wrong.
        not_the_same.rows.push(void);
        let text = said(&[("jfr", not_the_same)], 3);
        let each = "With jfr each of the 3 JVMs has something wrong, not always the same: A.put in 2, A.get and A.add in 1 each.";
        assert!(text.ends_with(each), "{text}");
        let some = with(Right, &[Right, Undecided, Right]);
        let text = said(&[("jfr", some)], 3);
        let over = "jfr is right over 3 JVMs, of which 2 say so by themselves.";
        assert!(text.ends_with(over), "{text}");
    }

    #[test]
    fn a_jvm_that_failed_is_named_and_the_others_are_counted() {
        use Verdict::Right;
        let mut one = with(Right, &[Right; 2]);
        one.failed_runs = vec![FailedRun {
            run: 2,
            reason: "the JVM ended (signal 11)".into(),
            log: Some("async-run-2/jvm.log".into()),
        }];
        let text = said(&[("async", one), ("jfr", with(Right, &[Right; 3]))], 3);
        let failed = "async is right in all 2 JVMs. jfr is right in all 3 JVMs. async failed in run 2 of 3 (the JVM ended (signal \
                      11); its output is in async-run-2/jvm.log) and is judged by the others.";
        assert!(text.ends_with(failed), "{text}");
    }

    #[test]
    fn one_jvm_speaks_for_itself_and_a_native_program_has_none() {
        let one = said(&[("jfr", with(Verdict::Wrong, &[Verdict::Wrong]))], 1);
        assert!(one.contains("Only one JVM per profiler was asked"), "{one}");
        let native = attribution(Verdict::Wrong, 0.0, "B.place");
        assert!(!said(&[("perf", native)], 1).contains("Only one JVM per"));
    }

    #[test]
    fn what_is_open_names_what_would_decide_it() {
        let open = || with(Verdict::Undecided, &[Verdict::Undecided]);
        let mut far = open();
        far.rows[0].in_place_pct = proofmark_stats::Estimate::around(94.0, 6.0, 900);
        far.rows[0].elsewhere.clear();
        let text = said(&[("async", far.clone()), ("jfr", far)], 1);
        let decides = "This would probably decide async and jfr, in about ";
        assert!(text.contains(decides), "{text}");
        let command = ": `proofmark dose --rounds 7 --budget 35`.";
        assert!(text.ends_with(command), "{text}");
        assert!(!text.contains("--rounds 12"), "only one option: {text}");
        let mut near = open();
        near.rows[0].in_place_pct = proofmark_stats::Estimate::around(90.0, 6.0, 900);
        let text = said(&[("jfr", near)], 1);
        let none = "would decide jfr in less than eight hours.";
        assert!(text.ends_with(none), "{text}");
    }
}
