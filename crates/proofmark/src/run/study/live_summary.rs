//! What a study has made, for people and scripts.

use std::collections::BTreeMap;
use std::time::Duration;

use proofmark_experiment::assess::CostPlan;
use proofmark_stats::median;
use serde::Serialize;

use super::live_manifest::{About, Finished, Plan};
use super::live_profilers::Skipped;
use super::live_record::Ledger;

/// Name and version of the form of [`Summary`].
const SCHEMA: &str = "proofmark-study-run/1";

/// A study that has ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// `proofmark-study-run/1`.
    pub schema: &'static str,
    /// Its directory.
    pub directory: String,
    /// Runs, failed ones included.
    pub runs: usize,
    /// Failed runs.
    pub failed: usize,
    /// Iterations of every run.
    pub iterations: u32,
    /// Seed of the order.
    pub seed: u64,
    /// Time of all runs, s.
    pub duration_s: f64,
    /// Profilers that took no part.
    pub skipped: Vec<Skipped>,
    /// One entry per program and profiler, in alphabetical order.
    pub cells: Vec<Cell>,
}

/// The runs of one program under one profiler.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cell {
    /// The program.
    pub program: String,
    /// The profiler, or `none`.
    pub profiler: String,
    /// Runs that ended well.
    pub runs: usize,
    /// Runs that failed.
    pub failed: usize,
    /// Median over the runs of a run's median iteration, ms.
    pub median_iteration_ms: Option<f64>,
    /// Median over the runs of the number of samples, those of other threads included.
    pub median_samples: Option<f64>,
    /// Samples that the profiler says it lost, over all runs.
    pub lost: u64,
}

/// Adds up what the ledger holds.
pub fn summary(ledger: &Ledger, about: &About, plan: &Plan) -> Summary {
    let finished = ledger.finished();
    let mut cells: BTreeMap<(&str, &str), Vec<&Finished>> = BTreeMap::new();
    for run in finished {
        let key = (run.record.program.as_str(), run.record.profiler.as_str());
        cells.entry(key).or_default().push(run);
    }
    Summary {
        schema: SCHEMA,
        directory: ledger.directory().display().to_string(),
        runs: finished.len(),
        failed: finished
            .iter()
            .filter(|f| f.record.failure.is_some())
            .count(),
        iterations: plan.size.iterations,
        seed: about.asked.seed,
        duration_s: finished.iter().map(|f| f.duration_s).sum(),
        skipped: about.skipped.clone(),
        cells: cells
            .into_iter()
            .map(|(key, runs)| cell(key, &runs))
            .collect(),
    }
}

fn cell((program, profiler): (&str, &str), runs: &[&Finished]) -> Cell {
    let good: Vec<_> = runs
        .iter()
        .filter(|run| run.record.failure.is_none())
        .collect();
    let times = good
        .iter()
        .filter_map(|run| median(&run.record.iterations_ms));
    let samples = good.iter().filter(|run| run.record.file.is_some());
    Cell {
        program: program.to_owned(),
        profiler: profiler.to_owned(),
        runs: good.len(),
        failed: runs.len() - good.len(),
        median_iteration_ms: median(&times.collect::<Vec<f64>>()),
        median_samples: median(&samples.map(|run| run.samples as f64).collect::<Vec<f64>>()),
        lost: runs.iter().map(|run| run.lost).sum(),
    }
}

impl Summary {
    /// A table for people.
    pub fn text(&self) -> String {
        let name = |text: fn(&Cell) -> &str, head: &str| {
            let lengths = self.cells.iter().map(|cell| text(cell).chars().count());
            lengths.chain([head.len()]).max().unwrap_or_default()
        };
        let (first, second) = (
            name(|c| &c.program, "program"),
            name(|c| &c.profiler, "profiler"),
        );
        let mut text = format!(
            "{:first$}  {:second$}  runs  failed  median iteration  samples per run  lost\n",
            "program", "profiler"
        );
        let number = |value: Option<f64>, digits: usize, unit: &str| {
            value.map_or("-".to_owned(), |value| format!("{value:.digits$}{unit}"))
        };
        for cell in &self.cells {
            text.push_str(&format!(
                "{:first$}  {:second$}  {:>4}  {:>6}  {:>16}  {:>15}  {:>4}\n",
                cell.program,
                cell.profiler,
                cell.runs,
                cell.failed,
                number(cell.median_iteration_ms, 2, " ms"),
                number(cell.median_samples, 0, ""),
                cell.lost
            ));
        }
        for Skipped { profiler, reason } in &self.skipped {
            text.push_str(&format!("{profiler} was skipped: {reason}\n"));
        }
        text.push_str(&format!(
            "{} runs ({} failed) of {} iterations in {:.0} s, order by seed {}\nstudy: {}\n",
            self.runs, self.failed, self.iterations, self.duration_s, self.seed, self.directory
        ));
        text.push_str(&format!("next: proofmark study analyze {}", self.directory));
        text
    }
}

/// What a study would cost, for people.
pub fn cost_text(plan: &CostPlan) -> String {
    let names = plan.steps.iter().map(|step| step.step.chars().count());
    let width = names.max().unwrap_or_default();
    let mut text = format!("{}, each program was tried once\n", plan.program);
    for step in &plan.steps {
        let (name, time) = (&step.step, time(step.seconds));
        text.push_str(&format!("{name:width$}  {time:>9}  {}\n", step.detail));
    }
    let all = time(plan.total_s());
    text + &format!("{:width$}  {all:>9}  {} JVMs", "together", plan.jvms)
}

/// Hours, minutes and seconds: `1:02:03`.
fn time(seconds: f64) -> String {
    let seconds = Duration::from_secs_f64(seconds.max(0.0)).as_secs();
    format!(
        "{}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_added_up() {
        let step = |name: &str, seconds| proofmark_experiment::assess::CostStep {
            step: name.into(),
            seconds,
            detail: "30 runs".into(),
        };
        let plan = CostPlan {
            program: "2 programs, 1 profiler".into(),
            jvms: 8,
            steps: vec![step("suite:Queens", 3600.0), step("x", 123.0)],
            precision: Vec::new(),
        };
        let text = cost_text(&plan);
        assert!(
            text.contains("suite:Queens    1:00:00  30 runs\n"),
            "{text}"
        );
        assert!(text.ends_with("together        1:02:03  8 JVMs"), "{text}");
    }

    #[test]
    fn a_cell_without_a_good_run_shows_dashes() {
        let cell = Cell {
            program: "suite:Queens".into(),
            profiler: "jfr".into(),
            runs: 0,
            failed: 2,
            median_iteration_ms: None,
            median_samples: None,
            lost: 0,
        };
        let summary = Summary {
            schema: SCHEMA,
            directory: "/s".into(),
            runs: 2,
            failed: 2,
            iterations: 9,
            seed: 1,
            duration_s: 3.0,
            skipped: vec![Skipped {
                profiler: "perf".into(),
                reason: "not installed".into(),
            }],
            cells: vec![cell],
        };
        let text = summary.text();
        let row = text.lines().nth(1).unwrap();
        assert!(
            row.starts_with("suite:Queens  jfr") && row.ends_with("-     0"),
            "{text}"
        );
        assert!(text.contains("perf was skipped: not installed"));
    }
}
