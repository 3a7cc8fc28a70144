//! Run times that ReBench measured, beside recordings.

use std::collections::BTreeMap;

use proofmark_profile::Measurement;
use proofmark_stats::median;

use super::reading::Reading;

/// Gives recordings the run times of the executor that is called as their profiler, in the order of invocations; the
/// times of an executor that no recording is from are those of runs without profiler.
pub(super) fn attach(times: &[Measurement], to: &mut Reading) {
    for ((program, executor), runs) in medians(times) {
        let same = |name: &str| name.eq_ignore_ascii_case(executor);
        if !to.recordings.iter().any(|r| same(&r.profiler)) {
            let unprofiled = runs.into_values().map(|ms| (program.to_owned(), ms));
            to.unprofiled.extend(unprofiled);
            continue;
        }
        let of = to.recordings.iter_mut();
        let of = of.filter(|r| r.program == program && same(&r.profiler));
        for (recording, ms) in of.zip(runs.into_values()) {
            recording.iteration_ms = Some(ms);
        }
    }
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
mod tests {
    use super::*;
    use proofmark_study::Recording;

    fn time(executor: &str, invocation: u32, value: f64) -> Measurement {
        Measurement {
            invocation,
            iteration: 1,
            value,
            unit: "ms".into(),
            criterion: "total".into(),
            benchmark: "Queens".into(),
            executor: executor.into(),
        }
    }

    #[test]
    fn times_go_to_the_recordings_of_their_executor() {
        let recording = Recording {
            program: "Queens".into(),
            profiler: "jfr".into(),
            rows: vec![],
            whole: true,
            samples: None,
            iteration_ms: None,
        };
        let mut reading = Reading {
            recordings: vec![recording.clone(), recording],
            ..Reading::default()
        };
        let times = [
            time("JFR", 2, 7.0),
            time("JFR", 1, 5.0),
            time("JFR", 1, 6.0),
            time("java", 1, 4.0),
        ];
        attach(&times, &mut reading);
        let got: Vec<_> = reading.recordings.iter().map(|r| r.iteration_ms).collect();
        assert_eq!(got, [Some(5.5), Some(7.0)]);
        assert_eq!(reading.unprofiled, [("Queens".to_owned(), 4.0)]);
    }
}
