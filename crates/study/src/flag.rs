//! What the flag DebugNonSafepoints does to a profiler that was recorded with and without it.
//!
//! Without the flag HotSpot keeps debug information only at safepoints, so that a sample between two of them is charged
//! to the method of another place: usually the caller that a hot method was inlined into.

use std::collections::BTreeSet;

use proofmark_profile::NON_SAFEPOINTS;

use crate::analyze::without_interval;
use crate::diff::{DiffSettings, diff};
use crate::model::{ENOUGH_RUNS, Recording};
use crate::result::FlagEffect;

/// Smaller changes are not reported, points.
const LEAST_PT: f64 = 5.0;

/// Methods whose share depends on the flag by more than noise explains and by 5 points at least, largest change first.
pub(crate) fn effects(recordings: &[Recording]) -> Vec<FlagEffect> {
    let with_flag = recordings.iter().filter_map(|r| {
        let plain = r.profiler.strip_suffix(NON_SAFEPOINTS)?;
        Some((r.program.as_str(), plain))
    });
    let cells: BTreeSet<(&str, &str)> = with_flag.collect();
    let mut effects: Vec<FlagEffect> = cells
        .into_iter()
        .flat_map(|(program, profiler)| of_cell(recordings, program, profiler))
        .collect();
    effects.sort_by(|a, b| {
        let size = |e: &FlagEffect| e.change_pt.value.abs();
        size(b).total_cmp(&size(a))
    });
    effects
}

fn of_cell(recordings: &[Recording], program: &str, profiler: &str) -> Vec<FlagEffect> {
    let of = |name: &str| -> Vec<Recording> {
        let same = recordings
            .iter()
            .filter(|r| r.program == program && r.profiler == name);
        same.cloned().collect()
    };
    let (without, with) = (of(profiler), of(&format!("{profiler}{NON_SAFEPOINTS}")));
    let settings = DiffSettings {
        least_change_pt: LEAST_PT,
        ..DiffSettings::default()
    };
    let changes = diff(&without, &with, settings).changes;
    let changed = changes.into_iter().filter(|c| c.changed);
    let enough = without.len().min(with.len()) >= ENOUGH_RUNS;
    changed
        .map(|c| FlagEffect {
            program: c.program,
            profiler: c.profiler,
            method: c.method,
            without_pct: c.a_pct,
            with_pct: c.b_pct,
            change_pt: match enough {
                true => c.change_pt,
                false => without_interval(c.change_pt.value, c.change_pt.n),
            },
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Row;

    fn recording(profiler: &str, place: f64) -> Recording {
        let row = |name: &str, share_pct| Row {
            identity: name.into(),
            common: name.into(),
            share_pct,
        };
        Recording {
            program: "Queens".into(),
            profiler: profiler.into(),
            rows: vec![row("Q.place", place), row("Q.get", 100.0 - place)],
            whole: true,
            samples: Some(500.0),
            iteration_ms: None,
        }
    }

    #[test]
    fn the_flag_is_named_where_it_moves_shares_and_only_there() {
        let all = [
            recording("jfr", 91.0),
            recording("jfr", 89.0),
            recording("jfr", 90.0),
            recording("jfr+nonsafepoints", 18.0),
            recording("jfr+nonsafepoints", 20.0),
            recording("jfr+nonsafepoints", 17.0),
            recording("async", 20.0),
            recording("async+nonsafepoints", 19.0),
        ];
        let effects = effects(&all);
        let found: Vec<(&str, &str)> = effects
            .iter()
            .map(|e| (e.profiler.as_str(), e.method.as_str()))
            .collect();
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found.contains(&("jfr", "Q.place")) && found.contains(&("jfr", "Q.get")));
        let change = effects[0].change_pt;
        assert!((change.value.abs() - 71.7).abs() < 0.1);
        assert!(change.low.is_infinite() && change.high.is_infinite());
    }
}
