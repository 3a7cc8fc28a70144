//! In how many JVMs the verdicts are so.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use proofmark_assess::Verdict;
use proofmark_rules::DOSE_RUNS;

use super::super::advice::listed;
use super::super::remedy::Test;
use super::super::{Attribution, AttributionRow, Said};
use super::of;

/// Methods that are named where what is reported of them differs; more are counted.
const NAMED: usize = 2;

/// In how many JVMs the verdicts are so; none where JVMs are not told apart.
pub(super) fn in_jvms(
    attribution: &BTreeMap<String, Attribution>,
    test: &Test<'_>,
) -> Option<Said> {
    let judged = attribution.values().filter(|one| !one.rows.is_empty());
    let jvms = judged.map(|one| one.jvms.total());
    match jvms.max().unwrap_or(0) {
        0 => None,
        1 => Some(one_jvm(test)),
        _ => {
            let of = attribution.iter();
            let of = of.filter_map(|one| in_several(one, test.margin_pt));
            let of: Vec<String> = of.collect();
            (!of.is_empty()).then(|| Said::from(of.join(" ")))
        }
    }
}

fn one_jvm(test: &Test<'_>) -> Said {
    let asked =
        "Only one JVM per profiler was asked, and another may compile the program differently";
    let command = test.again.without("--runs");
    Said {
        text: format!("{asked} (to ask {DOSE_RUNS}, the usual number: {command})."),
        part: format!("{asked}. To ask {DOSE_RUNS}, the usual number: {command}."),
    }
}

/// `jfr is wrong in 2 of 3 JVMs: what it reports of A.get differs from JVM to JVM.`; where every JVM has something wrong,
/// what in how many of them; where no JVM decides by itself, who does. None of a profiler that is not decided and nowhere depends on the
/// JVM.
fn in_several((name, one): (&String, &Attribution), margin_pt: f64) -> Option<String> {
    let jvms = one.jvms.total();
    let mut depends: Vec<&str> = Vec::new();
    let differing = one.rows.iter();
    for row in differing.filter(|row| row.jvms.differ() && !row.is_void()) {
        if !depends.contains(&row.method.as_str()) {
            depends.push(&row.method);
        }
    }
    let differs = format!("{} differs from JVM to JVM", some_of(&depends));
    let why = match depends.is_empty() {
        true => String::new(),
        false => format!(": what it reports of {differs}"),
    };
    let words = one.jvms;
    match (one.verdict, words.wrong) {
        (Verdict::Wrong, wrong) if wrong == jvms && !depends.is_empty() => Some(format!(
            "With {name} each of the {jvms} JVMs has something wrong, not always the same: {}.",
            wrong_rows(one)
        )),
        (Verdict::Wrong, 0) => {
            let together = together((name, one), margin_pt);
            Some(match depends.is_empty() {
                true => together,
                false => format!("{together} What it reports of {differs}."),
            })
        }
        (Verdict::Wrong, wrong) => Some(format!("{name} is wrong {}{why}.", of(wrong, jvms))),
        (Verdict::Right, _) => Some(format!("{name} is right {}{why}.", right(one))),
        (Verdict::Undecided, _) if depends.is_empty() => None,
        (Verdict::Undecided, _) => Some(format!("What {name} reports of {differs}.")),
    }
}

/// That all JVMs together make a profiler wrong of which no single one does: by rows or, where witnesses contradict its profile by more
/// than the margin, perhaps by that.
fn together((name, one): (&String, &Attribution), margin_pt: f64) -> String {
    let jvms = one.jvms.total();
    let check = one.profile.as_ref();
    match check.filter(|check| check.misplaced_pt[0] > margin_pt) {
        Some(check) => {
            let witnesses: Vec<&str> = check.witnesses.iter().map(String::as_str).collect();
            let show = match witnesses.len() {
                1 => "shows",
                _ => "show",
            };
            format!(
                "No single JVM decides by its rows that {name} is wrong: its {jvms} JVMs together do, or what {} {show} \
                 otherwise does.",
                listed(&witnesses)
            )
        }
        None => {
            format!("No single JVM decides that {name} is wrong; its {jvms} JVMs together do.")
        }
    }
}

/// `A.get, A.put and 4 more methods`
fn some_of(methods: &[&str]) -> String {
    let more = match methods.len().saturating_sub(NAMED) {
        0 => None,
        1 => Some("one more method".to_owned()),
        more => Some(format!("{more} more methods")),
    };
    let named = methods.iter().take(NAMED).copied();
    let all: Vec<&str> = named.chain(more.as_deref()).collect();
    listed(&all)
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

/// Where some JVMs leave it undecided the mean over them decides. A JVM that calls it right may leave rows open, call them wrong, or not
/// have them, that are too small to matter there.
fn right(one: &Attribution) -> String {
    let (right, jvms) = (one.jvms.right, one.jvms.total());
    let is_open = |row: &AttributionRow| row.jvms.right < jvms;
    let mut rows = one.rows.iter();
    let some = match rows.any(|row| row.jvms.wrong > 0 && !row.is_void()) {
        true => "call wrong, leave open, or do not have,",
        false => "leave open, or do not have,",
    };
    match (right == jvms, one.rows.iter().any(is_open)) {
        (true, false) => of(jvms, jvms),
        (true, true) => format!(
            "{} by the verdict of each; rows that single JVMs {some} are too small to matter there",
            of(jvms, jvms)
        ),
        (false, _) => {
            format!("over {jvms} JVMs together, {}", certain(right))
        }
    }
}

/// `2 of which are certain by themselves`
fn certain(jvms: usize) -> String {
    match jvms {
        0 => "none of which is certain by itself".to_owned(),
        1 => "one of which is certain by itself".to_owned(),
        jvms => format!("{jvms} of which are certain by themselves"),
    }
}
