//! The command line of `evaluate`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use proofmark_experiment::dose::{Again, DoseKind};
use proofmark_experiment::lab::Filler;
use proofmark_jvm::Kind;
use proofmark_profile::profiler_name;
use proofmark_rules::MARGIN_PT;

use super::number::{between, whole};
use super::search::SearchArguments;
use super::workload::{named_or_bundled, usage};
use super::{names, slurm};
use crate::request::programs::{Program, checked};
use crate::request::{
    AT_ONCE, AssessRequest, DoseRequest, EvaluateRequest, InLaboratory, On, ProgramRequest,
    Request, ShowEvaluationRequest, SlurmRequest,
};

/// `evaluate`.
#[derive(Debug, Clone, Args)]
pub struct EvaluateArguments {
    /// Programs: suite:NAME, class:CLASS (its main), method:CLASS.METHOD, runnable:CLASS or jmh:JAR#REGEX (default: the 14 bundled ones).
    #[arg(value_name = "PROGRAM")]
    pub program: Vec<String>,
    /// More programs, from a TOML file (docs/study-run.md shows one).
    #[arg(long, value_name = "FILE")]
    pub programs: Option<PathBuf>,
    /// Class path of your programs, for class:, method: and runnable:; more of it for jmh:.
    #[arg(long, value_name = "PATH")]
    pub class_path: Option<OsString>,
    /// Slowdowns wanted, in % of every block's time, separated by commas.
    #[arg(long, value_delimiter = ',', default_value = "100", value_name = "PERCENT", value_parser = between(1.0, 1000.0), allow_negative_numbers = true)]
    pub target: Vec<f64>,
    /// Profilers, separated by commas, as for `assess`; none: only slow the programs.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "async,jfr",
        value_name = "NAMES"
    )]
    pub profiler: Vec<String>,
    /// Single blocks of every program that are slowed alone, besides the hottest methods; 0 leaves both out.
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = whole::<u32>(0, 50, 3))]
    pub singles: u32,
    /// Most methods of a program that get a site on your own JVM; 0: no sites.
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = whole::<u16>(0, 100, 4))]
    pub methods: u16,
    /// Slowdown instruction (default: the one that candidates recommended on this machine, else the one that suits this processor).
    #[arg(long, value_parser = names::filler(), value_name = "NAME")]
    pub filler: Option<Filler>,
    /// How plans are searched for.
    #[command(flatten)]
    pub search: SearchArguments,
    /// Also measure every plan in N fresh JVMs with it and N without; they load no profiles: does it do there what it did in the laboratory? (10 are published; some 40 s for each)
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = whole::<u32>(0, 100, 10))]
    pub fresh: u32,
    /// Heap of the programs in the laboratory in MB, fixed and touched beforehand.
    #[arg(long, default_value_t = 1024, value_name = "MB", value_parser = whole::<u32>(2, 1_048_576, 1024))]
    pub heap: u32,
    /// Longest that one iteration may take, in s.
    #[arg(long, default_value_t = 60.0, value_name = "S", value_parser = between(0.1, 86_400.0), allow_negative_numbers = true)]
    pub iteration_timeout: f64,
    /// Directory of the evaluation; one that an interrupted evaluation left is continued.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Where programs are measured.
    #[arg(long, value_enum, default_value_t = Place::Local, value_name = "WHERE")]
    pub on: Place,
    /// With --on slurm, an option for sbatch: --slurm-option=--partition=long (once for each: --account, --time ...).
    #[arg(long, value_name = "OPTION", value_parser = slurm::option, allow_hyphen_values = true)]
    pub slurm_option: Vec<String>,
    /// With --on slurm, leave submitted jobs running when this is interrupted (else they are cancelled); the same command with the same --out waits for them again.
    #[arg(long)]
    pub leave_jobs: bool,
    /// The file of a job array, one task of which this is.
    #[arg(long, value_name = "FILE", hide = true)]
    pub array_task: Option<PathBuf>,
    /// Seed of everything that is drawn at random.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Say how long what is missing would take, and stop.
    #[arg(long)]
    pub dry_run: bool,
    /// Measure nothing: show evaluations from their evaluation.json, several as one (of a program that is in two of them the later file counts). With --out the page and all as one file are written there.
    #[arg(long, num_args = 1.., value_name = "FILE", conflicts_with_all = MEASURING)]
    pub show: Vec<PathBuf>,
}

/// Options that say what is measured, and how.
const MEASURING: [&str; 19] = [
    "program",
    "programs",
    "class_path",
    "target",
    "profiler",
    "singles",
    "methods",
    "filler",
    "search",
    "search_hours",
    "fresh",
    "heap",
    "iteration_timeout",
    "on",
    "slurm_option",
    "leave_jobs",
    "array_task",
    "seed",
    "dry_run",
];

/// Where programs are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Place {
    /// Here, one after the other
    Local,
    /// As a job array of Slurm, every program on a node of its own (docs/cluster.md)
    Slurm,
}

impl EvaluateArguments {
    /// What is asked for: to measure, or to show what was measured.
    ///
    /// # Errors
    /// When a program cannot be understood, or two have one name.
    pub fn asked(self) -> anyhow::Result<Request> {
        if self.show.is_empty() {
            return Ok(Request::Evaluate(Box::new(self.request()?)));
        }
        Ok(Request::ShowEvaluation(ShowEvaluationRequest {
            files: self.show,
            out: self.out,
        }))
    }

    /// What is to be measured.
    ///
    /// # Errors
    /// When a program cannot be understood, or two have one name.
    fn request(self) -> anyhow::Result<EvaluateRequest> {
        let programs = self.programs()?.into_iter();
        let on = self.on()?;
        Ok(EvaluateRequest {
            programs: programs
                .map(|program| (program.name.clone(), self.assessment(program)))
                .collect(),
            out: self.out.clone(),
            on,
            dry_run: self.dry_run,
        })
    }

    /// Where programs are measured.
    fn on(&self) -> anyhow::Result<On> {
        if let Some(file) = &self.array_task {
            return Ok(On::Task(file.clone()));
        }
        if self.on == Place::Slurm {
            return Ok(On::Slurm(SlurmRequest {
                options: self.slurm_option.clone(),
                leave_jobs: self.leave_jobs,
            }));
        }
        let given = [
            ("--slurm-option", !self.slurm_option.is_empty()),
            ("--leave-jobs", self.leave_jobs),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((option, _)) => Err(usage(&format!("{option} goes with --on slurm"))),
            None => Ok(On::Local),
        }
    }

    /// All programs, in the order of the command line.
    fn programs(&self) -> anyhow::Result<Vec<Program>> {
        let (path, file) = (self.class_path.as_deref(), self.programs.as_deref());
        checked(named_or_bundled(&self.program, path, file)?)
    }

    /// What names a program to `dose` and `assess`, which take more options.
    fn to_name(&self, program: &Program) -> String {
        let name = &program.name;
        match (program.workload.kind, &self.class_path) {
            (Kind::Suite, _) => format!("suite:{}", program.workload.name()),
            (_, path) if self.program.contains(name) => match path {
                Some(path) => format!("'{name}' --class-path '{}'", path.display()),
                None => format!("'{name}'"),
            },
            // Of a file, where it may be a whole command.
            _ => "PROGRAM".to_owned(),
        }
    }

    fn assessment(&self, program: Program) -> AssessRequest {
        let to_name = self.to_name(&program);
        let wanted = self.profiler.iter().filter(|name| *name != "none");
        let profilers: Vec<String> = wanted.map(|name| profiler_name(name)).collect();
        AssessRequest {
            sites: match self.methods {
                0 => Err("left out, as asked for (--methods 0)".to_owned()),
                _ => super::assess::sites_for(&profilers, false)
                    .map(|names| Box::new(self.sites(&program, names))),
            },
            program: ProgramRequest {
                workload: program.workload,
                java: None,
                heap_mb: self.heap,
                iteration_timeout_s: self.iteration_timeout,
                out: None,
                seed: self.seed,
            },
            profilers,
            laboratory: InLaboratory::Always,
            interval_ms: None,
            async_library: None,
            plan: None,
            filler: self.filler,
            search: self.search.request(self.fresh),
            targets_pct: self.target.clone(),
            singles: self.singles,
            margin_pt: MARGIN_PT,
            time_budget_s: None,
            runs: 1,
            cause: false,
            c2: false,
            to_assess: Some(to_name),
            dry_run: self.dry_run,
        }
    }

    fn sites(&self, program: &Program, profilers: Vec<String>) -> DoseRequest {
        DoseRequest {
            workload: program.workload.clone(),
            command: Vec::new(),
            again: Again::named(self.to_name(program), &profilers, self.methods.into(), 1),
            profilers,
            methods: self.methods.into(),
            named: Vec::new(),
            most_s: None,
            kind: DoseKind::Arithmetic,
            margin_pt: MARGIN_PT,
            rounds: 3,
            budget_s: 15.0,
            runs: 1,
            most_runs: 1,
            at_once: AT_ONCE.into(),
            window_s: 0.2,
            interval_ms: None,
            async_library: None,
            iteration_timeout_s: self.iteration_timeout,
            out: None,
            seed: self.seed,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Whole {
        #[command(flatten)]
        own: EvaluateArguments,
    }

    /// Published are 12 blocks, chosen by hand; 30 or more are wanted, of as many programs as have them.
    #[test]
    fn enough_single_blocks_are_tried_unless_fewer_are_asked_for() {
        let whole = Whole::try_parse_from(["evaluate"]).expect("no word is needed");
        let request = whole.own.request().expect("the bundled programs");
        let singles: u32 = request.programs.iter().map(|(_, own)| own.singles).sum();
        assert!(request.programs.len() == 14 && singles >= 30, "{singles}");
    }

    #[test]
    fn nothing_is_measured_beside_what_is_shown() {
        let asked = |line: &str| {
            let whole = Whole::try_parse_from(line.split(' '))?;
            Ok::<Request, clap::Error>(whole.own.asked().expect("a request"))
        };
        let files = ["a", "b"].map(PathBuf::from).to_vec();
        match asked("evaluate --show a b --out c").expect("files") {
            Request::ShowEvaluation(show) => {
                assert_eq!((show.files, show.out), (files, Some(PathBuf::from("c"))));
            }
            other => panic!("{other:?}"),
        }
        for line in [
            "suite:List --show a",
            "--target 50 --show a",
            "--show a --dry-run",
        ] {
            assert!(asked(&format!("evaluate {line}")).is_err(), "{line}");
        }
        assert!(asked("evaluate --show").is_err());
    }
}
