//! How profilers are judged, and where time is put: what `dose` and `assess` have in common.

use std::path::PathBuf;

use clap::Args;
use proofmark_experiment::dose::{Again, DoseKind};
use proofmark_jvm::toolchain::shell_line;
use proofmark_rules::{DOSE_RUNS_MOST, MARGIN_PT};

use super::names::{self, Doses};
use super::number::{between, whole};
use super::workload::{ITERATION_TIMEOUT_S, ProgramArguments, SEED};
use crate::request::{AT_ONCE, DoseRequest, MOST_S, RUNS};

/// Profilers that `dose` judges where none are named, on a JVM.
pub const USUAL: &str = "async,jfr,jfr+nonsafepoints";
const METHODS: u16 = 12;
const ROUNDS: u16 = 3;
const BUDGET_S: f64 = 15.0;
const WINDOW_S: f64 = 0.2;

/// How profilers sample, and how large an error may be.
#[derive(Debug, Clone, Args)]
pub struct JudgeArguments {
    /// Time between a profiler's samples, in ms (default with sites: 0.2 for async-profiler, 1 for JFR; in the laboratory: 1 for async-profiler and perf, 2 for JFR).
    #[arg(long, value_name = "MS", value_parser = between(0.01, 1000.0), allow_negative_numbers = true)]
    pub interval: Option<f64>,
    /// Another build of async-profiler's library.
    #[arg(long, value_name = "FILE")]
    pub async_library: Option<PathBuf>,
    /// Error that separates right from wrong, in points of share (a method of 20 % that is shown at 30 % is off by 10); at a site twice as many per cent of the added time.
    #[arg(long, default_value_t = MARGIN_PT, value_name = "POINTS", value_parser = between(0.1, 40.0), allow_negative_numbers = true)]
    pub margin: f64,
}

/// Where time is put on your own JVM, and how much is measured.
#[derive(Debug, Clone, Args)]
pub struct SiteArguments {
    /// Add sites to at most this many methods, the hottest by bytecodes and by each kind of profiler in turn; some get two (default: 12; of a Java program fewer where a test of the usual size, without --runs, --rounds, --budget and --window, would take more than 10 minutes).
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1, 100, 4))]
    pub methods: Option<u16>,
    /// Always add a site to this method, such as com.acme.Main.run, if it can have one; repeatable.
    #[arg(long, value_name = "NAME")]
    pub method: Vec<String>,
    /// What the added time does. A profiler may be right about one kind and wrong about another. `all` (with `dose` only) tests every kind in turn, which takes eight times as long, and ends with a table.
    #[arg(long, value_parser = names::doses(), default_value = "arithmetic", value_name = "KIND")]
    pub dose: Doses,
    /// Rounds of windows per site. A window is a stretch of iterations with the same added time; a round has two with little of it and two with much. A profiler's JVMs share the rounds, with at least two each. More rounds narrow the intervals.
    #[arg(long, default_value_t = ROUNDS, value_name = "N", value_parser = whole::<u16>(1, 1000, 6))]
    pub rounds: u16,
    /// Time for more windows at sites whose intervals are still wide (more than 3 points to either side), s, which the JVMs of a profiler share. Each such site gets one more round at least, however long it takes; 0: none.
    #[arg(long, default_value_t = BUDGET_S, value_name = "S", value_parser = between(0.0, 86_400.0), allow_negative_numbers = true)]
    pub budget: f64,
    // `dose` and `assess` say it in their own words: `texts`.
    /// JVMs per profiler: 5 or more narrow the intervals.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1, 100, 5))]
    pub runs: Option<u16>,
    /// Most JVMs that are measured at the same time, where the machine has processors and memory for them; 1: one after the other.
    #[arg(long, default_value_t = AT_ONCE, value_name = "N", value_parser = whole::<u16>(1, 64, 2))]
    pub at_once: u16,
    /// Length of a window with sites, s.
    #[arg(long, default_value_t = WINDOW_S, value_name = "S", value_parser = between(0.02, 600.0), allow_negative_numbers = true)]
    pub window: f64,
}

impl SiteArguments {
    /// Whether nothing says how much is measured. Who asks for more wants no fewer methods for it.
    fn is_of_usual_size(&self) -> bool {
        self.methods.is_none()
            && self.runs.is_none()
            && self.rounds == ROUNDS
            && self.budget == BUDGET_S
            && self.window == WINDOW_S
    }

    /// Most methods that get sites.
    pub(super) fn most_methods(&self) -> usize {
        self.methods.unwrap_or(METHODS).into()
    }

    /// The test of these profilers; with every kind of dose, that of the first kind.
    ///
    /// # Errors
    /// When the program cannot be understood.
    pub fn request(
        self,
        program: &ProgramArguments,
        judge: &JudgeArguments,
        profilers: Vec<String>,
    ) -> anyhow::Result<DoseRequest> {
        let again = self.again(program, judge, &profilers);
        let runs = self.runs.map(usize::from);
        let most_s = self.is_of_usual_size().then_some(MOST_S);
        Ok(DoseRequest {
            workload: program.workload()?,
            command: program.java.clone(),
            profilers,
            methods: self.most_methods(),
            named: self.method,
            most_s,
            kind: match self.dose {
                Doses::One(kind) => kind,
                Doses::All => DoseKind::default(),
            },
            margin_pt: judge.margin,
            rounds: self.rounds.into(),
            budget_s: self.budget,
            runs: runs.unwrap_or(RUNS),
            most_runs: runs.unwrap_or(DOSE_RUNS_MOST),
            at_once: self.at_once.into(),
            window_s: self.window,
            interval_ms: judge.interval,
            async_library: judge.async_library.clone(),
            iteration_timeout_s: program.iteration_timeout,
            out: program.out.clone(),
            again,
            seed: program.seed,
        })
    }

    /// How the test is asked for again, in words of `dose`: the options that are not as they are by themselves. What the added time
    /// does is not among them: there may be several such tests.
    pub(super) fn again(
        &self,
        program: &ProgramArguments,
        judge: &JudgeArguments,
        profilers: &[String],
    ) -> Again {
        let quoted = |word: String| shell_line(std::iter::once(word));
        let usual = [
            ("--profiler", profilers.join(","), USUAL.to_owned()),
            ("--rounds", self.rounds.to_string(), ROUNDS.to_string()),
            ("--budget", self.budget.to_string(), BUDGET_S.to_string()),
            ("--at-once", self.at_once.to_string(), AT_ONCE.to_string()),
            ("--window", self.window.to_string(), WINDOW_S.to_string()),
            ("--margin", judge.margin.to_string(), MARGIN_PT.to_string()),
            (
                "--iteration-timeout",
                program.iteration_timeout.to_string(),
                ITERATION_TIMEOUT_S.to_string(),
            ),
            ("--seed", program.seed.to_string(), SEED.to_string()),
        ];
        let changed = usual.into_iter().filter(|(_, value, usual)| value != usual);
        let changed = changed.map(|(name, value, _)| (name, value));
        let library = judge.async_library.as_ref();
        let class_path = program.class_path.as_ref();
        let others = [
            // Also the usual number: where one is named, no method is left out for time, and no JVM is added.
            ("--methods", self.methods.map(|methods| methods.to_string())),
            ("--runs", self.runs.map(|runs| runs.to_string())),
            ("--interval", judge.interval.map(|ms| ms.to_string())),
            (
                "--async-library",
                library.map(|file| file.display().to_string()),
            ),
            (
                "--class-path",
                class_path.map(|path| path.display().to_string()),
            ),
        ];
        let others = others.into_iter();
        let others = others.filter_map(|(name, value)| Some((name, value?)));
        let named = self.method.iter().map(|name| ("--method", name.clone()));
        let options = changed.chain(others).chain(named);
        Again {
            program: program.workload.clone().map_or(String::new(), quoted),
            options: options
                .map(|(name, value)| (name.to_owned(), quoted(value)))
                .collect(),
            command: match program.java.as_slice() {
                [] => String::new(),
                words => format!("-- {}", shell_line(words.iter().cloned())),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use crate::cli::Arguments;
    use crate::request::Request;

    /// What would be entered to ask for these words again, with five JVMs.
    fn again(words: &[&str]) -> String {
        let mut all = vec!["proofmark", "dose"];
        all.extend(words);
        let arguments = Arguments::try_parse_from(all).expect("it is understood");
        match arguments.command.request().expect("it is understood") {
            Request::Dose(dose) => dose.again.with("--runs 5"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_number_of_jvms_that_is_named_is_exactly_that() {
        let runs = |words: &[&str]| {
            let all = ["proofmark", "dose", "suite:Towers"].into_iter();
            let all = all.chain(words.iter().copied());
            let arguments = Arguments::try_parse_from(all).expect("it is understood");
            match arguments.command.request().expect("it is understood") {
                Request::Dose(dose) => (dose.runs, dose.most_runs, dose.again.with("")),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(runs(&[]), (4, 6, "`proofmark dose suite:Towers`".into()));
        let three = "`proofmark dose suite:Towers --runs 3`";
        assert_eq!(runs(&["--runs", "3"]), (3, 3, three.into()));
    }

    /// A command that is to decide more would else test fewer methods.
    #[test]
    fn only_a_test_of_the_usual_size_leaves_methods_out_for_time() {
        let most_s = |words: &[&str]| {
            let all = ["proofmark", "dose", "suite:Towers"].into_iter();
            let all = all.chain(words.iter().copied());
            let arguments = Arguments::try_parse_from(all).expect("it is understood");
            match arguments.command.request().expect("it is understood") {
                Request::Dose(dose) => dose.most_s,
                other => panic!("{other:?}"),
            }
        };
        for usual in [&[][..], &["--margin", "3"], &["--profiler", "jfr"]] {
            assert_eq!(most_s(usual), Some(super::MOST_S), "{usual:?}");
        }
        for asked in [
            ["--methods", "12"],
            ["--runs", "4"],
            ["--rounds", "9"],
            ["--budget", "40"],
            ["--window", "0.5"],
        ] {
            assert_eq!(most_s(&asked), None, "{asked:?}");
        }
    }

    #[test]
    fn what_was_asked_for_is_repeated_with_the_programs_own_words() {
        let asked = [
            "--runs", "2", "--margin", "3", "--method", "p.A.run", "--", "java", "-cp", ".", "p.A",
            "a b",
        ];
        let expected =
            "`proofmark dose --margin 3 --method p.A.run --runs 5 -- java -cp . p.A 'a b'`";
        assert_eq!(again(&asked), expected);
        let named = again(&["suite:Towers", "--profiler", "jfr", "--window", "0.5"]);
        let expected = "`proofmark dose suite:Towers --profiler jfr --window 0.5 --runs 5`";
        assert_eq!(named, expected);
    }
}
