//! Whole experiments over simulated laboratories.
#![allow(dead_code, reason = "every test file uses its own part")]

pub mod twin;

use proofmark_assess::{Judgement, Verdict};
use proofmark_divine::{Environment, Prior};
use proofmark_experiment::assess::{self, AssessRequest, Assessed, Subject};
use proofmark_experiment::divine::{Effort, Plan};
use proofmark_experiment::sim::{
    Block, Fault, Happening, Program, SimulatedLabs, SimulatedProfiler, Trouble, method_names,
};
use proofmark_experiment::{
    About, ExperimentError, MemorySteps, Plans, Progress, Session, Silent, StepError,
};
use serde_json::{Value, json};

/// The plan of a run, as a file would hold it.
#[derive(Debug, Clone, Default)]
pub struct MemoryPlans(pub Option<Plan>);

impl Plans for MemoryPlans {
    fn stored(&self) -> Result<Option<Plan>, StepError> {
        Ok(self.0.clone())
    }

    fn keep(&mut self, plan: &mut Plan) -> Result<(), StepError> {
        plan.report.plan_path = Some("plan.json".into());
        self.0 = Some(plan.clone());
        Ok(())
    }
}

/// What a run leaves behind.
#[derive(Debug, Clone, Default)]
pub struct Run {
    pub steps: MemorySteps,
    pub plans: MemoryPlans,
}

impl Run {
    /// Goes on with it, silently.
    pub fn session<'a>(&'a mut self, labs: &'a SimulatedLabs, about: &'a About) -> Session<'a> {
        Session {
            labs,
            steps: &mut self.steps,
            plans: &mut self.plans,
            progress: &Silent,
            about,
        }
    }
}

/// Each look at it is a second later than the one before; a run began so long ago, s.
pub struct Late(pub std::sync::Mutex<f64>);

impl Progress for Late {
    fn stage(&self, _name: &str) {}

    fn step(&self, _text: &str) {}

    fn note(&self, _text: &str) {}

    fn expect(&self, _seconds: f64) {}

    fn elapsed_s(&self) -> f64 {
        let mut seen = self.0.lock().expect("the time");
        *seen += 1.0;
        *seen
    }
}

/// Keeps the lines that stay.
#[derive(Default)]
pub struct Notes(std::sync::Mutex<Vec<String>>);

impl Notes {
    /// The first that begins like this; empty if none does.
    pub fn of(&self, beginning: &str) -> String {
        let all = self.0.lock().expect("the notes");
        let found = all.iter().find(|note| note.starts_with(beginning));
        found.cloned().unwrap_or_default()
    }

    /// Those that end like this.
    pub fn ending(&self, end: &str) -> Vec<String> {
        let all = self.0.lock().expect("the notes");
        let found = all.iter().filter(|note| note.ends_with(end));
        found.cloned().collect()
    }
}

impl Progress for Notes {
    fn stage(&self, _name: &str) {}

    fn step(&self, _text: &str) {}

    fn note(&self, text: &str) {
        self.0.lock().expect("the notes").push(text.to_owned());
    }

    fn expect(&self, _seconds: f64) {}

    fn elapsed_s(&self) -> f64 {
        0.0
    }
}

/// Laboratories of a program of six loops, with a right profiler, a wrong one and the safepoint-biased control.
pub fn labs(seed: u64) -> SimulatedLabs {
    let mut labs = SimulatedLabs::new(Program::mix(), seed);
    let (from, to) = most_and_least(&labs.program);
    let wrong = Fault::Moves {
        from,
        to,
        points: 12.0,
    };
    labs.profilers = vec![
        profiler("right", 900.0, Fault::None),
        profiler("wrong", 900.0, wrong),
        profiler("slow", 5.0, Fault::None),
        profiler("safepoint", 450.0, Fault::Hoards { honest: 0.2 }),
    ];
    labs
}

/// Methods in which most and least of the time is spent.
fn most_and_least(program: &Program) -> (usize, usize) {
    let share = |name: &String| {
        let of_method = |block: &&Block| name.contains(&format!("loop{}(", block.cluster));
        let blocks = program.blocks.iter().filter(of_method);
        blocks.map(|block| block.share).sum::<f64>()
    };
    let shares: Vec<f64> = method_names(program).iter().map(share).collect();
    let by_share = |a: &usize, b: &usize| shares[*a].total_cmp(&shares[*b]);
    let most = (0..shares.len()).max_by(by_share).unwrap_or(0);
    (most, (0..shares.len()).min_by(by_share).unwrap_or(0))
}

pub fn profiler(name: &str, samples_per_s: f64, fault: Fault) -> SimulatedProfiler {
    SimulatedProfiler {
        name: name.into(),
        samples_per_s,
        fault,
    }
}

pub fn trouble(process: &str, what: Happening) -> Trouble {
    Trouble {
        process: process.into(),
        what,
    }
}

pub fn about(labs: &SimulatedLabs) -> About {
    About {
        program: labs.program.name.into(),
        workload: labs.program.name.into(),
        environment: Environment {
            machine: "simulated".into(),
            jdk: "none".into(),
            graal: "none".into(),
            event: "cpu-clock".into(),
        },
        clock_ghz: labs.program.clock_ghz,
        filler: proofmark_experiment::lab::Filler::Mov,
        prior: Prior::default(),
        place: "the run".into(),
    }
}

/// Little searching: what is tested is the way, not how near it comes.
pub fn effort() -> Effort {
    Effort {
        rate_hz: 5000.0,
        watched_s: 4.0,
        unwatched_s: 2.0,
        evaluation_rounds: 3,
        ..Effort::default()
    }
}

pub fn subject(name: &str, samples_per_s: f64) -> Subject {
    Subject {
        name: name.into(),
        file: name.into(),
        samples_per_s,
        explained: None,
        options: Value::Null,
    }
}

pub fn request(subjects: &[Subject]) -> AssessRequest {
    AssessRequest {
        subjects: subjects.to_vec(),
        safepoint: subject("safepoint", 450.0),
        targets_pct: vec![100.0],
        singles: 0,
        margin_pt: 5.0,
        time_budget_s: None,
        runs: 1,
        cause: true,
        c2: false,
        to_assess: None,
        seed: 1,
        effort: effort(),
        plan: None,
        options: json!({"--target": [100.0]}),
    }
}

/// Goes on with a run.
pub fn assess(
    run: &mut Run,
    labs: &SimulatedLabs,
    request: &AssessRequest,
) -> Result<Assessed, ExperimentError> {
    let about = about(labs);
    let mut session = run.session(labs, &about);
    assess::run(&mut session, request)
}

pub fn judgement<'a>(assessed: &'a Assessed, name: &str) -> &'a Judgement {
    let mut all = assessed.assessment.profilers.iter();
    all.find(|judgement| judgement.name == name)
        .unwrap_or_else(|| panic!("no verdict on {name}"))
}

pub fn verdict(assessed: &Assessed, name: &str) -> Verdict {
    judgement(assessed, name).verdict
}

/// Why nothing could be decided about a profiler.
pub fn reason(assessed: &Assessed, name: &str) -> String {
    let undecided = judgement(assessed, name).undecided.as_ref();
    undecided.expect("undecided").reason.clone()
}
