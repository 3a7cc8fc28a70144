//! The table that all figures come from: program, profiler, run, method -> share.

use std::collections::{BTreeMap, BTreeSet};

/// How many of a recording's hottest methods count as listed, as in the published study.
pub const LISTED: usize = 10;

/// With fewer runs no intervals are given: they would reach from 0 to twice the value.
pub const ENOUGH_RUNS: usize = 5;

/// One method in one recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Identity among recordings of the same profiler.
    pub identity: String,
    /// Identity across profilers: class and name, overloads together.
    pub common: String,
    /// Share, % (0 to 100).
    pub share_pct: f64,
}

/// What one profiler reported about one run of one program.
#[derive(Debug, Clone, PartialEq)]
pub struct Recording {
    /// Program.
    pub program: String,
    /// Profiler.
    pub profiler: String,
    /// Methods; no identity twice.
    pub rows: Vec<Row>,
    /// True if a method without a row has a share of zero; false if only the hottest were exported.
    pub whole: bool,
    /// Samples that the shares come from, where known.
    pub samples: Option<f64>,
    /// Median time of an iteration in this run, ms, where known.
    pub iteration_ms: Option<f64>,
}

/// All recordings, ordered.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Study {
    /// Programs by name.
    pub programs: Vec<Program>,
}

/// One program.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// Name.
    pub name: String,
    /// Methods by their identity across profilers, ascending.
    pub methods: Vec<String>,
    /// One entry per profiler that recorded it, by name.
    pub cells: Vec<Cell>,
    /// Median time of an iteration in each run without profiler, ms.
    pub unprofiled_ms: Vec<f64>,
}

/// One profiler on one program.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// Profiler.
    pub profiler: String,
    /// Methods by identity, ascending.
    pub methods: Vec<Method>,
    /// Runs in the order given.
    pub runs: Vec<Run>,
}

/// A method that at least one run of a cell reported.
#[derive(Debug, Clone, PartialEq)]
pub struct Method {
    /// Identity among recordings of the same profiler.
    pub identity: String,
    /// Index into [`Program::methods`].
    pub common: usize,
}

/// One run of a cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Share per method of the cell, %; NaN if the recording does not tell.
    pub shares_pct: Vec<f64>,
    /// Whether the method is among the [`LISTED`] hottest of the recording.
    pub listed: Vec<bool>,
    /// Methods that the recording reports, hottest first.
    pub reported: Vec<usize>,
    /// True if the share of all other methods is zero, false if it is not known.
    pub whole: bool,
    /// Index of the hottest method; none if the recording is empty.
    pub hottest: Option<usize>,
    /// Samples, where known.
    pub samples: Option<f64>,
    /// Median time of an iteration, ms, where known.
    pub iteration_ms: Option<f64>,
}

impl Study {
    /// The table of these recordings. `unprofiled` are runs without profiler: program and median time of an
    /// iteration, ms.
    #[must_use]
    pub fn new(recordings: Vec<Recording>, unprofiled: Vec<(String, f64)>) -> Self {
        let mut by_program: BTreeMap<String, BTreeMap<String, Vec<Recording>>> = BTreeMap::new();
        for recording in recordings {
            let cells = by_program.entry(recording.program.clone()).or_default();
            cells
                .entry(recording.profiler.clone())
                .or_default()
                .push(recording);
        }
        let program = |(name, cells): (String, BTreeMap<String, Vec<Recording>>)| {
            let times = unprofiled.iter().filter(|(program, _)| *program == name);
            let unprofiled_ms = times.map(|(_, ms)| *ms).collect();
            Program::new(name, cells, unprofiled_ms)
        };
        Self {
            programs: by_program.into_iter().map(program).collect(),
        }
    }

    /// Names of all profilers, ascending.
    #[must_use]
    pub fn profilers(&self) -> Vec<&str> {
        let all = self.programs.iter().flat_map(|p| &p.cells);
        let names: BTreeSet<&str> = all.map(|cell| cell.profiler.as_str()).collect();
        names.into_iter().collect()
    }

    /// Every program with every of its cells, in order.
    pub fn cells(&self) -> impl Iterator<Item = (&Program, &Cell)> {
        let of = |program| move |cell| (program, cell);
        self.programs
            .iter()
            .flat_map(move |program| program.cells.iter().map(of(program)))
    }
}

impl Program {
    fn new(name: String, cells: BTreeMap<String, Vec<Recording>>, unprofiled_ms: Vec<f64>) -> Self {
        let rows = cells.values().flatten().flat_map(|r| &r.rows);
        let methods: BTreeSet<String> = rows.map(|row| row.common.clone()).collect();
        let methods: Vec<String> = methods.into_iter().collect();
        let cells = cells
            .into_iter()
            .map(|(profiler, recordings)| Cell::new(profiler, &recordings, &methods))
            .collect();
        Self {
            name,
            methods,
            cells,
            unprofiled_ms,
        }
    }
}

impl Cell {
    fn new(profiler: String, recordings: &[Recording], common: &[String]) -> Self {
        let rows = recordings.iter().flat_map(|r| &r.rows);
        let known: BTreeMap<&str, &str> = rows
            .map(|row| (row.identity.as_str(), row.common.as_str()))
            .collect();
        let methods: Vec<Method> = known
            .into_iter()
            .map(|(identity, name)| Method {
                identity: identity.to_owned(),
                common: common
                    .binary_search_by(|c| c.as_str().cmp(name))
                    .unwrap_or_default(),
            })
            .collect();
        let runs = recordings.iter().map(|r| Run::new(r, &methods)).collect();
        Self {
            profiler,
            methods,
            runs,
        }
    }
}

impl Run {
    fn new(recording: &Recording, methods: &[Method]) -> Self {
        let unknown = if recording.whole { 0.0 } else { f64::NAN };
        let mut shares_pct = vec![unknown; methods.len()];
        let mut reported = Vec::new();
        for row in &recording.rows {
            let at = methods.binary_search_by(|m| m.identity.as_str().cmp(&row.identity));
            let Ok(at) = at else { continue };
            shares_pct[at] = row.share_pct;
            reported.push(at);
        }
        // Of equal shares the last by name is the hottest, wherever the recording lists it.
        reported.sort_by(|a, b| shares_pct[*b].total_cmp(&shares_pct[*a]).then(b.cmp(a)));
        let mut listed = vec![false; methods.len()];
        for at in reported.iter().take(LISTED) {
            listed[*at] = true;
        }
        Self {
            hottest: reported.first().copied(),
            shares_pct,
            listed,
            reported,
            whole: recording.whole,
            samples: recording.samples,
            iteration_ms: recording.iteration_ms,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recording(shares: &[(&str, f64)], whole: bool) -> Recording {
        let row = |(name, share_pct): &(&str, f64)| Row {
            identity: (*name).into(),
            common: (*name).into(),
            share_pct: *share_pct,
        };
        Recording {
            program: "p".into(),
            profiler: "x".into(),
            rows: shares.iter().map(row).collect(),
            whole,
            samples: None,
            iteration_ms: None,
        }
    }

    #[test]
    fn what_is_not_listed_is_zero_only_in_whole_recordings() {
        let all = vec![
            recording(&[("b", 60.0), ("a", 40.0)], true),
            recording(&[("c", 100.0)], false),
        ];
        let study = Study::new(all, vec![("p".into(), 3.0), ("q".into(), 4.0)]);
        let program = &study.programs[0];
        assert_eq!((study.programs.len(), program.unprofiled_ms.len()), (1, 1));
        let runs = &program.cells[0].runs;
        assert_eq!(runs[0].shares_pct, [40.0, 60.0, 0.0]);
        assert!(runs[1].shares_pct[0].is_nan() && runs[1].listed == [false, false, true]);
        assert_eq!((runs[0].hottest, runs[1].hottest), (Some(1), Some(2)));
    }

    #[test]
    fn ten_are_listed_and_an_empty_recording_has_no_hottest() {
        let many: Vec<(String, f64)> = (0..12)
            .map(|i| (format!("m{i:02}"), f64::from(i) + 1.0))
            .collect();
        let many: Vec<(&str, f64)> = many.iter().map(|(n, s)| (n.as_str(), *s)).collect();
        let study = Study::new(vec![recording(&many, true), recording(&[], true)], vec![]);
        let runs = &study.programs[0].cells[0].runs;
        assert_eq!(runs[0].listed.iter().filter(|l| **l).count(), LISTED);
        assert!(!runs[0].listed[0] && !runs[0].listed[1]);
        assert_eq!(runs[1].hottest, None);
    }
}
