//! What a command is asked to do, as plain data: the command line is understood once, in [`crate::cli`], and nothing
//! behind it knows of it.

mod count;
mod demo;
mod dose;
mod evaluate;
mod events;
mod import;
mod measure;
mod native;
pub mod programs;
mod selection;
mod study;
mod way;

pub use count::{
    CompareRequest, CountRequest, Counted, Counting, Form, InstrumentRequest, OverheadRequest,
    ShowRequest,
};
pub use dose::{AT_ONCE, DoseRequest, MOST_S, RUNS};
pub use evaluate::{EvaluateRequest, On, ShowEvaluationRequest, SlurmRequest};
pub use events::{EventsCostRequest, EventsDiffRequest, EventsRequest};
pub use import::ImportRequest;
pub use measure::{
    AssessRequest, CandidatesRequest, DivineRequest, InLaboratory, ProgramRequest, SearchRequest,
};
pub use native::{
    CompileRequest, NativeDivineRequest, NativeRequest, RaceRequest, RustLinkRequest, RustRequest,
    SlotsRequest, SpeedupRequest,
};
pub use selection::Selection;
pub use study::{AgentRequest, AnalyzeRequest, DiffRequest, Recordings, StudyRequest};
pub use way::{Mode, modes};

/// One command with all that it needs to know.
#[derive(Debug, Clone)]
pub enum Request {
    /// What this machine can measure.
    Doctor {
        /// Whether the calibration is measured anew although one is kept.
        anew: bool,
    },
    /// A plan that slows every block.
    Divine(DivineRequest),
    /// The same of a native program.
    NativeDivine(NativeDivineRequest),
    /// Slowdown instructions beside each other.
    Candidates(CandidatesRequest),
    /// `evaluate`.
    Evaluate(Box<EvaluateRequest>),
    /// Evaluations from files.
    ShowEvaluation(ShowEvaluationRequest),
    /// Verdicts on profilers.
    Assess(Box<AssessRequest>),
    /// Verdicts on a bundled program, to show how it goes.
    Demo(Box<AssessRequest>),
    /// Where profilers report time that is put into known methods.
    Dose(DoseRequest),
    /// The same with every kind of dose in turn, whatever the request's own is.
    EveryDose(DoseRequest),
    /// How long that would take, with so many kinds of dose.
    DoseCost(DoseRequest, usize),
    /// The same of a native program.
    NativeDose(NativeRequest),
    /// What a native program would gain if functions were faster.
    Speedup(SpeedupRequest),
    /// Whether slots of a native program change nothing but what goes into them.
    Slots(SlotsRequest),
    /// How often a native program fails without and with doses.
    Race(RaceRequest),
    /// Windows of a native program, for the profiler that started us.
    NativeWindows(std::path::PathBuf),
    /// A compilation with sites.
    Compile(CompileRequest),
    /// The same of a crate.
    CompileRust(RustRequest),
    /// A link in rustc's stead.
    LinkRust(RustLinkRequest),
    /// A profile as a table or in another format.
    Import(ImportRequest),
    /// Many runs under several profilers.
    StudyRun(Box<StudyRequest>),
    /// How reproducible profilers are.
    StudyAnalyze(AnalyzeRequest),
    /// What changed between recordings.
    Diff(DiffRequest),
    /// Events of optimised code, counted.
    Events(EventsRequest),
    /// The types of events that there are.
    EventsList(EventsRequest),
    /// Two configurations of the compiler.
    EventsDiff(EventsDiffRequest),
    /// What counting events costs.
    EventsCost(EventsCostRequest),
    /// Bytecodes of a run, counted.
    Count(CountRequest),
    /// Jars rewritten to count.
    CountInstrument(InstrumentRequest),
    /// Two profiles of counted bytecodes.
    CountCompare(CompareRequest),
    /// A profile of counted bytecodes.
    CountShow(ShowRequest),
    /// What counting bytecodes costs.
    CountOverhead(OverheadRequest),
    /// A script that completes command lines, as it is printed.
    Completions(String),
    /// The manual page, as it is printed.
    ManPage(String),
}

impl Request {
    /// Whether an interrupt is answered in order, because there are processes to end and files to close.
    #[must_use]
    pub fn has_processes(&self) -> bool {
        !matches!(
            self,
            Self::Diff(_)
                | Self::ShowEvaluation(_)
                | Self::Import(_)
                | Self::StudyAnalyze(_)
                | Self::Completions(_)
                | Self::ManPage(_)
                | Self::Compile(_)
                | Self::CompileRust(_)
                | Self::LinkRust(_)
                | Self::NativeWindows(_)
        )
    }
}

/// Forms of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Tables for people.
    Text,
    /// One JSON document.
    Json,
    /// Comma-separated values, one figure a line.
    Csv,
    /// Collapsed stacks, one a line with its weight.
    Collapsed,
    /// pprof's protocol buffer.
    Pprof,
}

impl Format {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Collapsed => "collapsed",
            Self::Pprof => "pprof",
        }
    }
}
