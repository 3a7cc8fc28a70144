//! Methods about which all profilers are wrong for certain, in all of their JVMs: nobody shows where their time is.

use std::collections::BTreeMap;

use proofmark_rules::DOSE_HOT_PCT;

use super::super::advice::listed;
use super::super::boxing::{is_suspected, what_to_do};
use super::super::remedy::quoted;
use super::super::{Attribution, AttributionRow};
use super::charge::{calls, in_place_each, range, receiver};
use super::own::is_own;

/// Methods of the user's own with less of the program are not said first, % of the bytecodes or of the time in any profile. Those of
/// the JDK must be hot for that ([`DOSE_HOT_PCT`]).
const LEAST_OWN_PCT: f64 = 2.0;
/// A row with so much in place shows most of the method's time where it is, % of the added time.
const MOST_PCT: f64 = 50.0;
/// Further methods that are named; more are counted.
const NAMED: usize = 2;

/// A method about which nobody is right, and what is said of it.
pub(in crate::dose) struct Everybody<'a> {
    pub(in crate::dose) method: &'a str,
    /// A known fault of C2 where numbers are boxed may be why; the sentences say so.
    pub(in crate::dose) boxes: bool,
    /// Sentences; the first one says who is wrong, where the time goes and how to read it.
    pub(in crate::dose) says: String,
}

/// A profiler's name with its row of a method.
type OfOne<'a> = (&'a str, &'a AttributionRow);

/// `All 3 profilers are wrong about A.get (2 % of the bytecodes), in all 12 JVMs: of the time that was added there, ...`: of the user's
/// own methods the one with most of the program, else of those of the JDK. `counted_pct`: share of methods, % of the bytecodes, where
/// they were counted. None where there is no such method, or only small ones.
pub(in crate::dose) fn everybody<'a>(
    attribution: &'a BTreeMap<String, Attribution>,
    counted_pct: &BTreeMap<String, f64>,
) -> Option<Everybody<'a>> {
    let large = large(attribution, counted_pct);
    let (&method, others) = large.split_first()?;
    let rows = rows(attribution, method)?;
    let counted = counted_pct.get(method);
    let counted = counted.map_or(String::new(), |pct| {
        format!(" ({pct:.0} % of the bytecodes)")
    });
    let (goes, inlined_into) = goes(method, &rows);
    let first = format!(
        "{}{counted}{}: of the time that was added there, {goes}.",
        opening(attribution.len(), method),
        jvms(attribution, &rows)
    );
    let boxes = rows.iter().any(|(_, row)| is_suspected(row));
    let does = "A known fault of the JIT compiler C2 does this";
    let fault = boxes.then(|| format!("{does} {}", what_to_do()));
    let apart = inlined_into.map(|to| apart(method, to, boxes));
    let all = [Some(first), fault, apart, besides(others)];
    let all: Vec<String> = all.into_iter().flatten().collect();
    Some(Everybody {
        method,
        boxes,
        says: all.join(" "),
    })
}

fn opening(profilers: usize, method: &str) -> String {
    match profilers {
        2 => format!("Both profilers are wrong about {method}"),
        all => format!("All {all} profilers are wrong about {method}"),
    }
}

/// Methods about which every one of several profilers is wrong for certain.
fn nobodys(attribution: &BTreeMap<String, Attribution>) -> Vec<&str> {
    let several = attribution.len() > 1;
    let first = attribution.values().next().filter(|_| several);
    let mut methods: Vec<&str> = Vec::new();
    for row in first.into_iter().flat_map(|one| &one.rows) {
        if !methods.contains(&row.method.as_str()) && rows(attribution, &row.method).is_some() {
            methods.push(&row.method);
        }
    }
    methods
}

/// Those of them that are large enough to be said first, the user's own before those of the JDK, and each in the order of how much of the
/// program they are.
fn large<'a>(
    attribution: &'a BTreeMap<String, Attribution>,
    counted_pct: &BTreeMap<String, f64>,
) -> Vec<&'a str> {
    let large = nobodys(attribution).into_iter().filter_map(|method| {
        let (own, size) = enough(attribution, counted_pct, method)?;
        Some((own, size, method))
    });
    let mut large: Vec<(bool, f64, &str)> = large.collect();
    large.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)));
    large.into_iter().map(|(.., method)| method).collect()
}

/// Whether a method is the user's own, and how much of the program it is, %; none where that is too little to be said first.
pub(super) fn enough(
    attribution: &BTreeMap<String, Attribution>,
    counted_pct: &BTreeMap<String, f64>,
    method: &str,
) -> Option<(bool, f64)> {
    let (own, size) = (is_own(method), size(attribution, counted_pct, method));
    let least = if own { LEAST_OWN_PCT } else { DOSE_HOT_PCT };
    (size >= least).then_some((own, size))
}

/// The row of each profiler about a method; none where one of them is not certainly wrong about it.
fn rows<'a>(
    attribution: &'a BTreeMap<String, Attribution>,
    method: &str,
) -> Option<Vec<OfOne<'a>>> {
    let all = attribution.iter();
    all.map(|(name, one)| Some((name.as_str(), certain(one, method)?)))
        .collect()
}

/// Of the rows of a method that count the one with least in place, if each of them is wrong in every JVM and has less than half of the
/// added time in place. None where sites change too much of what the profiler shows.
fn certain<'a>(one: &'a Attribution, method: &str) -> Option<&'a AttributionRow> {
    let counting = one.rows.iter();
    let counting: Vec<&AttributionRow> = counting
        .filter(|row| row.method == method && !row.is_void())
        .collect();
    let is_certain = |row: &AttributionRow| {
        let all = row.jvms.wrong == row.jvms.total();
        row.is_wrong() && all && row.in_place_pct.value < MOST_PCT && !calls(row)
    };
    let void = one.change.as_ref().is_some_and(|change| change.voids_rows);
    let all = !void && counting.iter().all(|row| is_certain(row));
    let least = counting.into_iter().min_by(|a, b| {
        let [a, b] = [a, b].map(|row| row.in_place_pct.value);
        a.total_cmp(&b)
    });
    least.filter(|_| all)
}

/// How much of the program a method is, %: of the bytecodes, or of the time in the profile that shows most of it.
fn size(
    attribution: &BTreeMap<String, Attribution>,
    counted_pct: &BTreeMap<String, f64>,
    method: &str,
) -> f64 {
    let shown = attribution.values();
    let shown = shown.filter_map(|one| Some(one.shares_pct.get(method)?.value));
    let counted = counted_pct.get(method).copied();
    shown.chain(counted).fold(0.0, f64::max)
}

/// `, in all 12 JVMs`; nothing where JVMs are not told apart.
fn jvms(attribution: &BTreeMap<String, Attribution>, rows: &[OfOne<'_>]) -> String {
    let had: usize = rows.iter().map(|(_, row)| row.jvms.total()).sum();
    let without: usize = rows.iter().map(|(_, row)| row.unknown_runs).sum();
    let failed: usize = attribution.values().map(|one| one.failed_runs.len()).sum();
    match (had, without + failed) {
        (0, _) => String::new(),
        (2, 0) => ", in both JVMs".to_owned(),
        (had, 0) => format!(", in all {had} JVMs"),
        (had, _) => format!(", in all {had} JVMs that had a row"),
    }
}

/// Where the added time of a method goes and how to read the profiles, and the method into which it is inlined, if it is known and gets
/// that time.
fn goes<'a>(method: &str, rows: &[OfOne<'a>]) -> (String, Option<&'a str>) {
    let mut groups: BTreeMap<&'a str, Vec<&'a str>> = BTreeMap::new();
    for &(name, row) in rows {
        if let Some((to, _)) = receiver(row) {
            groups.entry(to).or_default().push(name);
        }
    }
    let most = groups.into_iter().max_by_key(|(_, names)| names.len());
    let Some((to, names)) = most else {
        let each = rows.iter().flat_map(|(_, row)| in_place_each(row));
        let each: Vec<f64> = each.collect();
        return (format!("they report {} there", range(&each)), None);
    };
    let (there, elsewhere): (Vec<OfOne<'_>>, Vec<OfOne<'_>>) =
        (rows.iter().copied()).partition(|(name, _)| names.contains(name));
    let parts = there.iter().filter_map(|(_, row)| receiver(row));
    let parts: Vec<f64> = parts.flat_map(|(_, parts)| parts).collect();
    let mut causes = there.iter().filter_map(|(_, row)| row.cause.as_ref());
    let inlined = causes.any(|cause| cause.inlined_into.as_deref() == Some(to));
    let into = match inlined {
        true => ", into which it is inlined",
        false => "",
    };
    let (report, show) = match names.len() {
        1 => ("reports", "it shows"),
        _ => ("report", "they show"),
    };
    let said = format!(
        "{} {report} {} in {to}{into} (read what {show} there as the time of both){}",
        listed(&names),
        range(&parts),
        itself(method, &elsewhere)
    );
    (said, inlined.then_some(to))
}

/// `, and jfr reports 0 % in A.get itself`: of profilers that report the time in other methods; nothing without one.
fn itself(method: &str, rows: &[OfOne<'_>]) -> String {
    let names: Vec<&str> = rows.iter().map(|(name, _)| *name).collect();
    let each = rows.iter().flat_map(|(_, row)| in_place_each(row));
    let each: Vec<f64> = each.collect();
    let report = match names.len() {
        0 => return String::new(),
        1 => "reports",
        _ => "report",
    };
    let (names, part) = (listed(&names), range(&each));
    format!(", and {names} {report} {part} in {method} itself")
}

/// How both methods become two pieces of machine code. `boxes`: something else was said before that may do.
fn apart(method: &str, to: &str, boxes: bool) -> String {
    let (class, name) = method.rsplit_once('.').unwrap_or(("", method));
    let (class, name) = (quoted(class), quoted(name));
    let (with, too) = match boxes {
        true => ("If that does not help: with", " either"),
        false => ("With", ""),
    };
    format!(
        "{with} -XX:CompileCommand=dontinline,{class}::{name} it stays out of {to}; that is another program, and was not tested{too}."
    )
}

/// `They are wrong about A.put too.`; none without others.
fn besides(others: &[&str]) -> Option<String> {
    let more = match others.len().saturating_sub(NAMED) {
        0 => None,
        1 => Some("one more method".to_owned()),
        more => Some(format!("{more} more methods")),
    };
    let named = others.iter().copied().take(NAMED).chain(more.as_deref());
    let named: Vec<&str> = named.collect();
    (!named.is_empty()).then(|| format!("They are wrong about {} too.", listed(&named)))
}

#[cfg(test)]
mod tests;
