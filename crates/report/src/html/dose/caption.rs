//! What is said below the chart of shares, and to those who do not see it. It must agree with the verdicts: a chart of shares
//! does not show everything that makes a profiler wrong.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{Attribution, DoseResult};

use super::arrow::BY_SHARES;
use super::chart::{charted, has_shares};
use super::ranked;
use super::sign::SIGNS;
use crate::number::{count, grouped};
use crate::svg::LaneRow;
use crate::words;

/// What stands below the chart.
pub(super) fn caption(result: &DoseResult, rows: &[LaneRow]) -> String {
    let untested = "Not tested: no time was added to the method; what is said of it comes from comparing profiles.";
    let mut said = vec![
        format!("{}.", n(result, rows)),
        shares(result).to_owned(),
        band(result),
    ];
    said.extend(arrows(rows));
    said.extend(signs(rows));
    said.extend(beside_all(result, rows));
    let any_untested = rows.iter().any(|row| row.untested);
    said.extend(any_untested.then(|| untested.to_owned()));
    said.join(" ")
}

/// What the shares are of.
fn shares(result: &DoseResult) -> &'static str {
    match result.native {
        None => {
            "Shares are of the CPU time in Java methods (the Java time) of the program as it is, without sites."
        }
        Some(_) => {
            "Shares are of the time in known functions, with all sites at rest: they are there, and add no time."
        }
    }
}

/// What arrows mean, and the words at them, those that occur.
fn arrows(rows: &[LaneRow]) -> Option<String> {
    let lanes = rows.iter().flat_map(|row| &row.lanes);
    let words = lanes.filter_map(|lane| lane.off.as_ref());
    let words: Vec<&str> = words
        .map(|words| words.first().map_or("", String::as_str))
        .collect();
    let by_added = |sign: &str| {
        let mut words = words.iter();
        words.any(|words| words.starts_with(sign) && !words.ends_with(BY_SHARES))
    };
    let by_shares = words.iter().any(|words| words.ends_with(BY_SHARES));
    let meanings = [
        (
            by_added("\u{2192}"),
            "\u{2192} the method that gets time which was added to this one",
        ),
        (by_added("+"), "+ the method whose added time this one gets"),
        (
            by_shares,
            "with ?, where no added time tells it: the method that this profiler shows too large (\u{2192}) or too small (+) instead",
        ),
        (
            by_added("too "),
            "\"too small\", \"too large\" by so many points, where no method is shown wrong the other way",
        ),
    ];
    let meanings = meanings.iter().filter(|(occurs, _)| *occurs);
    let said: Vec<&str> = meanings.map(|(_, means)| *means).collect();
    let said = match said.is_empty() {
        true => String::new(),
        false => format!(" Beside it: {}.", said.join("; ")),
    };
    (!words.is_empty()).then(|| {
        format!(
            "Red arrow: from what witnesses show to a share whose interval is apart from that.{said}"
        )
    })
}

/// The chart in words.
pub(super) fn description(result: &DoseResult, rows: &[LaneRow]) -> String {
    let mut said = vec![
        format!(
            "Share of each method: what is known of it, and what each profiler reports; {}.",
            n(result, rows)
        ),
        off(result, rows),
    ];
    said.extend(beside_all(result, rows));
    said.push("The same figures are in the table of shares.".to_owned());
    said.join(" ")
}

fn n(result: &DoseResult, rows: &[LaneRow]) -> String {
    let methods = charted(result);
    let samples = result.attribution.keys().filter_map(|profiler| {
        let shares = methods.iter().filter_map(|method| result.as_it_is(method));
        let of_one = shares.filter_map(|shares| shares.get(profiler));
        of_one.map(|share| share.n).max()
    });
    let untested = rows.iter().filter(|row| row.untested).count();
    let untested = match untested {
        0 => String::new(),
        some => format!(" ({some} of them not tested)"),
    };
    format!(
        "n = {}{untested}, {} samples",
        count(rows.len() as u64, "method"),
        grouped(samples.sum())
    )
}

/// Profilers whose shares others are compared with.
fn witnesses(result: &DoseResult) -> Vec<&str> {
    let all = shown(result).into_iter();
    let right = all.filter(|(_, one)| words::is_witness(one));
    right.map(|(profiler, _)| profiler).collect()
}

/// Profilers that the chart shows, the wrong ones first.
fn shown(result: &DoseResult) -> Vec<(&str, &Attribution)> {
    let all = ranked(result).into_iter();
    all.filter(|(profiler, _)| has_shares(result, profiler))
        .collect()
}

/// What band, line and marks are.
fn band(result: &DoseResult) -> String {
    const MARKS: &str = "Marks with whiskers: what a profiler shows, with its 95 % interval.";
    const HOLLOW: &str = "Grey band: from the least to the greatest share that is reported. Hollow grey marks: what a profiler reports, with its 95 % interval; where they stand says neither right nor wrong.";
    match (witnesses(result).as_slice(), shown(result).len()) {
        ([], 0 | 1) => format!(
            "No truth line: the one profiler here is no witness, and there is no other one to compare it with. {HOLLOW}"
        ),
        ([], _) => {
            let or = match result.native {
                None => ", or that their JVMs ran different code",
                Some(_) => "",
            };
            format!(
                "No truth line: no profiler here is a witness (right at every site that counts, and not wrong otherwise), so that differences between them say only that somebody is wrong{or}. {HOLLOW}"
            )
        }
        ([one], 1) => format!(
            "Green band and line: the share as {one} itself reports it; there is no other profiler to compare it with. {MARKS}"
        ),
        ([one], _) => format!(
            "Green band and line: the share as {one} shows it, the only witness, so that its own marks cannot be off. {MARKS}"
        ),
        (several, _) => format!(
            "Green line and band: the mean of what the witnesses show ({}; they could be wrong together), and their intervals. {MARKS}",
            several.join(", ")
        ),
    }
}

/// What the signs behind names say, those that occur.
fn signs(rows: &[LaneRow]) -> Option<String> {
    let lanes = || rows.iter().flat_map(|row| &row.lanes);
    let occurs = |sign: &str| lanes().any(|lane| lane.name.ends_with(&format!(" {sign}")));
    let said = SIGNS.iter().filter(|(sign, _)| occurs(sign));
    let said = said.map(|(sign, means)| format!("{sign} {means}"));
    let said: Vec<String> = said.collect();
    (!said.is_empty()).then(|| {
        format!(
            "Behind names: what holds of the profiler at that method, by added time and by its share ({}; no sign: not known).",
            said.join(", ")
        )
    })
}

/// Which marks are off, for those who do not see the chart.
fn off(result: &DoseResult, rows: &[LaneRow]) -> String {
    if witnesses(result).is_empty() {
        return "There is no witness that marks could be compared with.".into();
    }
    let lanes = rows.iter().flat_map(|row| &row.lanes);
    let off = lanes.filter(|lane| lane.off.is_some());
    let said: Vec<&str> = off.map(|lane| lane.tip.as_str()).collect();
    match said.is_empty() {
        true => "No mark is off.".into(),
        false => format!("Off: {}.", said.join("; ")),
    }
}

/// A sentence for each profiler whose verdict a reader would not guess from its marks.
fn beside_all(result: &DoseResult, rows: &[LaneRow]) -> Vec<String> {
    let all = shown(result).into_iter();
    all.filter_map(|(profiler, one)| {
        let group = result.attribution.keys().position(|name| name == profiler);
        let mut lanes = rows.iter().flat_map(|row| &row.lanes);
        let off = lanes.any(|lane| lane.off.is_some() && Some(lane.group) == group);
        beside(profiler, (one, off), result.margin_pt)
    })
    .collect()
}

/// `off`: whether any mark of it is.
fn beside(profiler: &str, (one, off): (&Attribution, bool), margin_pt: f64) -> Option<String> {
    match (one.verdict, off) {
        (Verdict::Wrong, true) | (Verdict::Right, false) => None,
        (Verdict::Wrong, false) => Some(format!(
            "{profiler} is wrong {}, not by a share in this chart.",
            why(one, margin_pt)
        )),
        (Verdict::Undecided, true) => Some(format!(
            "{profiler} is undecided: an arrow alone does not make it wrong."
        )),
        (Verdict::Undecided, false) => Some(format!(
            "{profiler} is undecided, wherever its marks stand."
        )),
        (Verdict::Right, true) => Some(format!(
            "{profiler} is right: an arrow alone does not make it wrong."
        )),
    }
}

/// What makes a profiler wrong, and where that is shown.
fn why(one: &Attribution, margin_pt: f64) -> String {
    let mut rows = one.rows.iter();
    let by_rows = rows.any(|row| row.verdict == Verdict::Wrong && !row.is_void());
    let by_profile = (one.profile.as_ref()).is_some_and(|check| check.misplaced_pt[0] > margin_pt);
    let added = "by where it reports added time (the matrix below)";
    let profile = "by its profile of the program as it is (the table below)";
    match (by_rows, by_profile) {
        (true, true) => format!("{added} and {profile}"),
        (false, true) => profile.to_owned(),
        (true, false) => added.to_owned(),
        (false, false) => "by what the table below says".to_owned(),
    }
}
