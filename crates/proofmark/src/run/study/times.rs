//! Run times that ReBench measured, beside recordings.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use proofmark_profile::Measurement;
use proofmark_stats::median;

use super::reading::Reading;

/// Where a recording came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// Index into [`Reading::recordings`].
    pub(super) recording: usize,
    /// Its file.
    pub(super) path: PathBuf,
    /// The run that the path names.
    pub(super) run: Option<String>,
}

/// Gives recordings the run times of the executor that is called as their profiler, see [`matched`]; the times of an
/// executor that no recording is from are those of runs without profiler.
pub(super) fn attach(times: &[Measurement], places: &[Place], to: &mut Reading) {
    for ((program, executor), runs) in medians(times) {
        let same = |name: &str| name.eq_ignore_ascii_case(executor);
        if !to.recordings.iter().any(|r| same(&r.profiler)) {
            let unprofiled = runs.into_values().map(|ms| (program.to_owned(), ms));
            to.unprofiled.extend(unprofiled);
            continue;
        }
        let of = |place: &&Place| {
            let recording = &to.recordings[place.recording];
            recording.program == program && same(&recording.profiler)
        };
        let places: Vec<&Place> = places.iter().filter(of).collect();
        if places.is_empty() {
            continue;
        }
        let about = format!("run times of {program} under {executor}");
        match matched(&places, &runs) {
            Ok(times) => {
                let without = times.iter().filter(|ms| ms.is_none()).count();
                if without > 0 {
                    let all = times.len();
                    to.remarks.push(format!(
                        "Not known: {about} in {without} of {all} recordings, as no invocation has their number."
                    ));
                }
                for (place, ms) in places.iter().zip(times) {
                    to.recordings[place.recording].iteration_ms = ms;
                }
            }
            Err(why) => to.remarks.push(format!("Left out: {about}: {why}.")),
        }
    }
}

/// The time of every recording, in the order of `places`: that of the invocation with the run's number, if all have
/// one. Without numbers the recordings are in the order of their paths, and there must be as many as invocations.
///
/// # Errors
/// Why it cannot be known which recording is of which invocation.
fn matched(places: &[&Place], runs: &BTreeMap<u32, f64>) -> Result<Vec<Option<f64>>, String> {
    if let Some(numbers) = numbers(places) {
        if numbers.contains(&0) && !runs.contains_key(&0) {
            return Err("recordings are numbered from 0, invocations from 1".to_owned());
        }
        let mut seen = BTreeSet::new();
        if let Some(twice) = numbers.iter().find(|number| !seen.insert(**number)) {
            return Err(format!("several recordings are of run {twice}"));
        }
        let times = numbers.iter().map(|number| runs.get(number).copied());
        return Ok(times.collect());
    }
    if places.len() != runs.len() {
        return Err(format!(
            "{} recordings and {} invocations, and no numbers that say which belong together (--group-by with {{run}} names them)",
            places.len(),
            runs.len()
        ));
    }
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_cached_key(|at| natural(&places[*at].path.to_string_lossy()));
    let mut times = vec![None; places.len()];
    for (at, ms) in order.into_iter().zip(runs.values()) {
        times[at] = Some(*ms);
    }
    Ok(times)
}

/// Numbers of the runs, if all recordings have one.
fn numbers(places: &[&Place]) -> Option<Vec<u32>> {
    let number = |place: &&Place| place.run.as_deref()?.parse::<u32>().ok();
    places.iter().map(number).collect()
}

/// A part of a name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Piece {
    /// Number of digits without leading zeros, and these: in the order of the numbers, however long they are.
    Number(usize, String),
    /// Anything else.
    Text(String),
}

/// A name in pieces, so that 2 comes before 10.
fn natural(name: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let digits = first.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != digits);
        let (piece, behind) = rest.split_at(end.unwrap_or(rest.len()));
        pieces.push(if digits {
            let number = piece.trim_start_matches('0');
            Piece::Number(number.len(), number.to_owned())
        } else {
            Piece::Text(piece.to_owned())
        });
        rest = behind;
    }
    pieces
}

/// Median time of an iteration, ms, by program and executor, then by invocation.
fn medians(times: &[Measurement]) -> BTreeMap<(&str, &str), BTreeMap<u32, f64>> {
    let mut values: BTreeMap<(&str, &str), BTreeMap<u32, Vec<f64>>> = BTreeMap::new();
    for time in times
        .iter()
        .filter(|t| t.criterion == "total" && t.unit == "ms")
    {
        let of = values
            .entry((time.benchmark.as_str(), time.executor.as_str()))
            .or_default();
        of.entry(time.invocation).or_default().push(time.value);
    }
    let each = values.into_iter().map(|(key, runs)| {
        let medians = runs
            .into_iter()
            .filter_map(|(run, values)| Some((run, median(&values)?)));
        (key, medians.collect())
    });
    each.collect()
}

#[cfg(test)]
mod tests;
