//! Words about added time, by sites and in blocks.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_experiment::dose::blocks::{BlockDoses, BlockTarget};
use proofmark_experiment::dose::{
    Attribution, AttributionRow, DoseResult, JvmWords, WorkTested, besides,
};
use proofmark_stats::Estimate;

use super::headline::{headline, in_parts};
use super::profile::CONTRADICTED;
use super::sites::of_each_jvm;
use crate::Names;
use crate::names::clean;
use crate::number::{count, fixed, with_n};

/// Short forms of every method that rows of profilers name.
pub(crate) fn attributed_names(all: &BTreeMap<String, Attribution>) -> Names {
    let rows = all.values().flat_map(|one| &one.rows);
    Names::of(rows.flat_map(|row| {
        let elsewhere = row.elsewhere.iter().map(|to| to.method.as_str());
        elsewhere.chain([row.method.as_str()])
    }))
}

/// `Queens.placeQueen, block 138`
pub(crate) fn dosed(row: &AttributionRow, names: &Names) -> String {
    format!("{}, {}", names.short(&row.method), clean(&row.kind))
}

/// `where we looked, in each of 3 JVMs`: what a right verdict speaks of.
pub(crate) fn where_right(one: &Attribution) -> String {
    format!("where we looked{}", jvms_right(one))
}

/// `, in each of 3 JVMs`: where something is right; nothing where JVMs are not told apart. `, over 3 JVMs` where a row of it is not
/// right in each of them.
pub(crate) fn jvms_right(one: &Attribution) -> String {
    let jvms = one.jvms;
    let every = |row: &AttributionRow| row.jvms.right == row.jvms.total();
    match (jvms.total(), jvms.right) {
        (0, _) => String::new(),
        (1, _) => ", in one JVM".to_owned(),
        (all, right) if right == all && one.rows.iter().all(every) => {
            format!(", in each of {all} JVMs")
        }
        (all, _) => format!(", over {all} JVMs"),
    }
}

/// ` in 2 of 3 JVMs`: where something is wrong; nothing where JVMs are not told apart.
pub(crate) fn where_wrong(jvms: JvmWords) -> String {
    match (jvms.total(), jvms.wrong) {
        (0, _) => String::new(),
        (1, _) => " in one JVM".to_owned(),
        (all, 0) => format!(" over {all} JVMs"),
        (all, wrong) if wrong == all => format!(" in all {all} JVMs"),
        (all, wrong) => format!(" in {wrong} of {all} JVMs"),
    }
}

/// `right in 1 JVM, wrong in 2`; `right in all 3 JVMs`; none where there are not several.
pub(crate) fn in_jvms(jvms: JvmWords) -> Option<String> {
    let words = [
        (jvms.right, "right"),
        (jvms.wrong, "wrong"),
        (jvms.undecided, "undecided"),
    ];
    let said = words.iter().filter(|(number, _)| *number > 0);
    let said: Vec<String> = said
        .enumerate()
        .map(|(at, (number, word))| match at {
            _ if *number == jvms.total() => format!("{word} in all {number} JVMs"),
            0 => format!("{word} in {}", count(*number as u64, "JVM")),
            _ => format!("{word} in {number}"),
        })
        .collect();
    (jvms.total() > 1).then(|| said.join(", "))
}

/// `98.2 (92.1 to 104.3)`
pub(crate) fn in_place(row: &AttributionRow) -> String {
    let part = &row.in_place_pct;
    let [value, low, high] = [part.value, part.low, part.high].map(|pct| fixed(pct, 1));
    format!("{value} ({low} to {high})")
}

/// `only 12 % in place`, of a row whose time is reported nowhere else.
pub(crate) fn only_in_place(row: &AttributionRow) -> String {
    if let Some(each) = of_each_jvm(row) {
        return format!("{each} % in place");
    }
    let value = row.in_place_pct.value;
    let only = if value < 100.0 { "only " } else { "" };
    format!("{only}{} % in place", fixed(value, 0))
}

/// `no sample of 38 %`, where so much of the added time left none for certain.
pub(crate) fn missing(row: &AttributionRow) -> Option<String> {
    let missing = row.missing_pct?;
    (missing.low >= 2.0).then(|| format!("no sample of {} %", fixed(missing.value, 0)))
}

/// Whether the block map may be called truth, in a sentence or two.
pub(crate) fn map_truth(doses: &BlockDoses, names: &Names) -> String {
    let Some(mean) = &doses.map.mean_in_place_pct else {
        return "not called truth here: no method could be dosed.".into();
    };
    let mean = with_n(mean, "%");
    if doses.map.called_truth {
        return format!(
            "called truth here: of the time added to each method our own sampler finds 95 to 105 % there, in the mean {mean}."
        );
    }
    let methods: Vec<&str> = doses
        .targets
        .iter()
        .map(|target| target.method.as_str())
        .collect();
    let reasons = doses.map.reasons.iter().map(|reason| {
        let short = |text: String, method: &&str| text.replace(*method, &names.short(method));
        clean(&methods.iter().fold(reason.clone(), short))
    });
    let reasons: Vec<String> = reasons.collect();
    format!(
        "not called truth here: {} (in the mean {mean}). What is compared with it, unslowed and with everything slowed, decides nothing about a profiler.",
        reasons.join("; ")
    )
}

/// Share of the program's time in the blocks that a row is about; none if they are not known.
pub(crate) fn dosed_share(doses: &BlockDoses, row: &AttributionRow) -> Option<Estimate> {
    let of_row = |target: &&BlockTarget| {
        let block = target.label.split_once(" of ").map(|(block, _)| block);
        let kind = match (target.blocks, block) {
            (1, Some(block)) => block.to_owned(),
            (blocks, _) => format!("{blocks} blocks"),
        };
        target.method == row.method && kind == row.kind
    };
    doses.targets.iter().find(of_row).map(|one| one.share_pct)
}

/// `62 %`: share of the program's time in the blocks that decide the verdict, those of the first row of each method.
pub(crate) fn judged_in_blocks(doses: &BlockDoses, one: &Attribution) -> Option<String> {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let first = one.rows.iter().filter(|row| seen.insert(&row.method));
    let shares: Vec<Estimate> = first.filter_map(|row| dosed_share(doses, row)).collect();
    let sum: f64 = shares.iter().map(|share| share.value).sum();
    (!shares.is_empty()).then(|| format!("{} %", fixed(sum.min(100.0), 0)))
}

/// `arithmetic only; copy and fill, ..., were not tested (proofmark dose --dose)`: what a right verdict by these sites speaks of;
/// none without rows.
pub(crate) fn certificate(result: &DoseResult) -> Option<String> {
    let rows = result.attribution.values().flat_map(|one| &one.rows);
    let work = WorkTested::of(rows);
    let option = match (result.native.is_none(), work.not_tested.is_empty()) {
        (true, false) => " (proofmark dose --dose)",
        _ => "",
    };
    work.says().map(|said| format!("{said}{option}"))
}

/// `run 2 of 3`, and why it failed, for each that did while others were judged.
pub(crate) fn failed_runs(result: &DoseResult, one: &Attribution) -> Vec<(String, String)> {
    // Some may have been added.
    let jvms = one.jvms.total() + one.failed_runs.len();
    let of = jvms.max(result.replication.runs);
    let each = one.failed_runs.iter();
    each.map(|failed| (format!("run {} of {of}", failed.run), failed.why()))
        .collect()
}

/// How often rows would call a profiler wrong that is not.
pub(crate) fn false_alarm(one: &Attribution) -> String {
    let right = fixed(100.0 * one.false_alarm, 2);
    match one.accusing_intervals {
        // As documents of earlier versions have it.
        0 => {
            format!("A row of a right profiler would be called wrong in {right} % of cases at most")
        }
        all => format!(
            "Its rows can be called wrong by {}, so wide that all of them hold the truth in 95 of 100 tests. So a profiler that is \
             off by just what is allowed is called wrong by them in 5 of 100 tests at most. One that is exactly right is called \
             wrong by them in {right} % of tests at most, with the spread that was seen",
            count(all as u64, "interval")
        ),
    }
}

/// Short forms of every method that a test by dose names.
pub(crate) fn dose_names(result: &DoseResult) -> Names {
    match result.native {
        Some(_) => Names::as_they_are(dose_methods(result)),
        None => Names::of(dose_methods(result)),
    }
}

/// `Java 25 (vendor)`, or what is known of a native program.
pub(crate) fn platform(result: &DoseResult) -> String {
    match &result.native {
        Some(native) => format!("{} functions with sites", native.functions),
        None => format!(
            "Java {} ({})",
            clean(&result.jvm.version),
            clean(&result.jvm.vendor)
        ),
    }
}

/// A text about a program in the words of its kind.
pub(crate) fn of_kind(text: String, result: &DoseResult) -> String {
    if result.native.is_none() {
        return text;
    }
    let words = [
        ("no Java method", "no known function"),
        (
            "the Java time without sites",
            "the program's time with sites at rest",
        ),
        ("the Java time", "the program's time"),
        (
            "in a method's bytecode; a field says",
            "at a function's entry; a variable says",
        ),
    ];
    words
        .iter()
        .fold(text, |text, (java, native)| text.replace(java, native))
}

fn dose_methods(result: &DoseResult) -> impl Iterator<Item = &str> {
    let rows = result.attribution.values().flat_map(|one| &one.rows);
    let named = rows.flat_map(|row| {
        let elsewhere = row.elsewhere.iter().map(|to| to.method.as_str());
        elsewhere.chain([row.method.as_str()])
    });
    let checks = result.attribution.values().flat_map(|one| &one.profile);
    let differing = checks.flat_map(|check| {
        // The first sentence names those that are shown too small.
        let lacking = check.methods.iter().filter(|one| one.apart_pt < 0.0);
        (check.methods.iter().take(CONTRADICTED)).chain(lacking.take(CONTRADICTED))
    });
    let named = named.chain(differing.map(|one| one.method.as_str()));
    let of_rows = result.attribution.values().flat_map(|one| &one.rows);
    let of_rows = of_rows.flat_map(|row| &row.change);
    let changes = result.attribution.values().flat_map(|one| &one.change);
    let changes = changes.chain(of_rows);
    let named = named.chain(changes.map(|one| one.method.as_str()));
    let named = named.chain(result.methods.iter().map(|method| method.name.as_str()));
    let hot = result.untested.iter().map(|one| one.method.as_str());
    named.chain(hot)
}

/// Whether a method has a row with any profiler.
pub(crate) fn has_row(result: &DoseResult, method: &str) -> bool {
    let rows = result.attribution.values().flat_map(|one| &one.rows);
    rows.into_iter().any(|row| row.method == method)
}

/// What to do after a test by dose, a text for each thing ([`headline`]), with methods as short as they can be told apart.
pub(crate) fn advice(result: &DoseResult, names: &Names) -> Vec<String> {
    let all = headline(result).into_iter();
    all.map(|said| shortened(&said, result, names)).collect()
}

/// What is wrong and what to do, and what else is wrong with that profiler.
pub(crate) fn sentences(result: &DoseResult) -> Vec<String> {
    let first = [result.advice.clone()].into_iter();
    let besides = besides(
        &result.attribution,
        &result.all_as_it_is(),
        result.margin_pt,
        result.advice_about.as_ref(),
    );
    first.chain(besides).collect()
}

/// The sentences of an assessment; what sites named is shortened, and what they say first is said as in [`advice`].
pub(crate) fn all_advice(sentences: &[String], sites: Option<&DoseResult>) -> Vec<String> {
    let shorter = |sentence: &String| match sites {
        Some(result) if *sentence == result.advice => advice(result, &dose_names(result)),
        Some(result) => vec![shortened(sentence, result, &dose_names(result))],
        None => vec![clean(sentence)],
    };
    sentences.iter().flat_map(shorter).collect()
}

/// The same for a page: the sentences of the box on top of it, in which what sites say first is short, and what stands below.
pub(crate) fn on_page(sentences: &[String], result: &DoseResult) -> (Vec<String>, Vec<String>) {
    let names = dose_names(result);
    let (first, below) = in_parts(result);
    let in_box = sentences.iter();
    let in_box = in_box.flat_map(|sentence| match *sentence == result.advice {
        true => first.as_slice(),
        false => std::slice::from_ref(sentence),
    });
    let short = |sentence: &String| shortened(sentence, result, &names);
    (
        in_box.map(short).collect(),
        below.iter().map(short).collect(),
    )
}

fn shortened(sentence: &str, result: &DoseResult, names: &Names) -> String {
    let mut methods: Vec<&str> = dose_methods(result)
        .filter(|method| method.contains('.'))
        .collect();
    // A name that another one begins with comes after it.
    methods.sort_by_key(|method| std::cmp::Reverse(method.len()));
    methods.dedup();
    let shorter = |text: &str| {
        (methods.iter()).fold(text.to_owned(), |text, method| {
            text.replace(method, &names.short(method))
        })
    };
    // Commands, between backticks, stay as they must be entered.
    let parts = sentence.split('`').enumerate();
    let parts = parts.map(|(at, part)| match at % 2 {
        1 => part.to_owned(),
        _ => shorter(part),
    });
    clean(&parts.collect::<Vec<_>>().join("`"))
}
