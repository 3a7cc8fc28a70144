//! What is asked of the harness. `Request.java` has the same messages with the same names.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::answers;
use crate::events::{EventCodes, EventPlan, EventRun, EventTypes};
use crate::table::WireTable;
use proofmark_experiment::lab::UnitTable;

/// One kind of request with the answer that belongs to it.
pub(crate) trait Request: Serialize {
    /// Its name on the line and in messages.
    const NAME: &'static str;
    /// What a harness says that has done it.
    type Answer: DeserializeOwned;
}

/// The line that is sent: an object with one field, named after the request.
pub(super) fn line<R: Request>(request: &R) -> Vec<u8> {
    let named = std::collections::BTreeMap::from([(R::NAME, request)]);
    let mut line = serde_json::to_vec(&named).expect("requests are made of numbers and text");
    line.push(b'\n');
    line
}

/// Gives requests their names and answers.
macro_rules! requests {
    ($($request:ident $(<$life:lifetime>)? $name:literal -> $answer:ty;)*) => {
        $(impl Request for $request $(<$life>)? {
            const NAME: &'static str = $name;
            type Answer = $answer;
        })*
    };
}

requests! {
    Hello "hello" -> answers::Hello;
    DoseHello "dose-hello" -> answers::Hello;
    DoseExercise "dose-exercise" -> answers::Done;
    DoseWarmUp "dose-warmup" -> answers::WarmUp;
    DoseGates<'_> "dose-gates" -> answers::Done;
    DoseWindow<'_> "dose-window" -> answers::DoseWindow;
    DoseCount "dose-count" -> answers::DoseCount;
    DoseTurns "dose-turns" -> answers::DoseTurns;
    WarmUp "warmup" -> answers::WarmUp;
    Control<'_> "control" -> answers::Control;
    SlowTiers "slow-tiers" -> answers::SlowTiers;
    Compile<'_> "compile" -> answers::Compiled;
    Forget<'_> "forget" -> answers::Done;
    Window<'_> "window" -> answers::Window;
    Count "count" -> answers::Counted;
    EventsTypes "events-types" -> EventTypes;
    EventsCompile<'_> "events-compile" -> EventCodes;
    EventsRun<'_> "events-run" -> EventRun;
    ProfilerStart "profiler-start" -> answers::Done;
    ProfilerDump "profiler-dump" -> answers::Done;
    ProfilerStop "profiler-stop" -> answers::Done;
    Stop "stop" -> answers::Done;
}

/// Comes first.
#[derive(Debug, Serialize)]
pub(crate) struct Hello {
    /// Whether machine code is to be described and commanded, which needs Graal.
    pub laboratory: bool,
    /// How long an iteration may take.
    pub iteration_limit_s: f64,
}

/// Comes first to a JVM with sites.
#[derive(Debug, Serialize)]
pub(crate) struct DoseHello {
    /// How long an iteration may take.
    pub iteration_limit_s: f64,
}

/// Run with random turns in all sites.
#[derive(Debug, Serialize)]
pub(crate) struct DoseExercise {
    pub seconds: f64,
    /// Most turns.
    pub most: u16,
}

/// Run a JVM with sites until compilers and iteration times rest.
#[derive(Debug, Serialize)]
pub(crate) struct DoseWarmUp {
    pub least_s: f64,
    pub most_s: f64,
}

/// Have the code of these gated sites there and that of no other one, and run until compilers rest.
#[derive(Debug, Serialize)]
pub(crate) struct DoseGates<'a> {
    /// Numbers of the sites.
    pub open: &'a [u16],
    /// Time with random turns in them.
    pub exercise_s: f64,
    /// Most turns then.
    pub most_turns: u16,
    pub least_s: f64,
    pub most_s: f64,
}

/// Run with one site at work, or none.
#[derive(Debug, Serialize)]
pub(crate) struct DoseWindow<'a> {
    /// Under which a profiler files it; empty: none watches.
    pub label: &'a str,
    pub seconds: f64,
    /// Least number of iterations.
    pub least: u32,
    /// Iterations before that are not reported.
    pub discard: u32,
    pub site: Option<u16>,
    pub turns: u16,
    /// Read before the iterations and behind them, under the same eyes.
    pub clock: Option<DoseClock>,
}

/// Passes of the loop of the harness that are timed with few turns of its site and with many.
#[derive(Debug, Serialize)]
pub(crate) struct DoseClock {
    /// The number of its site.
    pub site: u16,
    /// Of both the turns and the passes.
    pub loops: [(u16, u32); 2],
}

/// How often sites that count are reached in every one of so many iterations.
#[derive(Debug, Serialize)]
pub(crate) struct DoseCount {
    pub iterations: u32,
}

/// Pass the loop of the harness so often, with its site making so many turns.
#[derive(Debug, Serialize)]
pub(crate) struct DoseTurns {
    /// The number of its site.
    pub site: u16,
    pub turns: u16,
    pub passes: u32,
}

/// Run until compilers and iteration times rest.
#[derive(Debug, Serialize)]
pub(crate) struct WarmUp {
    pub least_s: f64,
    pub most_s: f64,
    /// Runs of the workload to be measured as one; none: as many as their length asks for.
    pub together: Option<u32>,
}

/// Take methods under control.
#[derive(Debug, Serialize)]
pub(crate) struct Control<'a> {
    pub methods: &'a [String],
    /// Directory of profiles; none for those of this JVM only.
    pub profiles: Option<String>,
}

/// Which methods run outside of Graal's normal code?
#[derive(Debug, Serialize)]
pub(crate) struct SlowTiers {}

/// Compile units with insertions.
#[derive(Debug, Serialize)]
pub(crate) struct Compile<'a> {
    pub units: Vec<WireTable<'a>>,
}

impl<'a> Compile<'a> {
    pub fn of(tables: &'a [UnitTable]) -> Self {
        Compile {
            units: tables.iter().map(WireTable::from).collect(),
        }
    }
}

/// Let codes go.
#[derive(Debug, Serialize)]
pub(crate) struct Forget<'a> {
    pub codes: &'a [u32],
}

/// Install each group of codes and run so long under it.
#[derive(Debug, Serialize)]
pub(crate) struct Window<'a> {
    pub label: &'a str,
    pub seconds: f64,
    pub least: u32,
    pub discard: u32,
    pub groups: &'a [Vec<u32>],
}

/// Count executions of blocks.
#[derive(Debug, Serialize)]
pub(crate) struct Count {
    pub iterations: u32,
}

/// Which events are there?
#[derive(Debug, Serialize)]
pub(crate) struct EventsTypes {}

/// Compile units so that they count events.
#[derive(Debug, Serialize)]
pub(crate) struct EventsCompile<'a> {
    pub plan: &'a EventPlan,
    pub units: &'a [u32],
    pub table: String,
}

/// Run code that counts.
#[derive(Debug, Serialize)]
pub(crate) struct EventsRun<'a> {
    pub iterations: u32,
    pub discard: u32,
    pub codes: &'a [u32],
    pub counters: String,
    pub table: String,
}

/// Start a profiler inside the JVM.
#[derive(Debug, Serialize)]
pub(crate) struct ProfilerStart {
    pub profiler: InsideProfiler,
}

/// A profiler that runs inside the JVM.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum InsideProfiler {
    /// async-profiler; `start` are the words of its command.
    Async {
        jar: String,
        library: String,
        start: String,
        directory: String,
    },
    Jfr {
        settings: Vec<Setting>,
    },
    /// The control that must look bad.
    Safepoint {
        interval_ns: u64,
        directory: String,
    },
}

/// Setting of a JFR event.
#[derive(Debug, Serialize)]
pub(crate) struct Setting {
    pub event: &'static str,
    pub name: &'static str,
    pub value: String,
}

/// Write what the profiler has so far; it goes on.
#[derive(Debug, Serialize)]
pub(crate) struct ProfilerDump {
    pub file: String,
}

/// Stop the profiler; what it holds goes to a file.
#[derive(Debug, Serialize)]
pub(crate) struct ProfilerStop {
    pub file: String,
}

/// End; there is no answer.
#[derive(Debug, Serialize)]
pub(crate) struct Stop {}

/// How a file is named in a request.
pub(crate) fn path_word(path: &Path) -> String {
    path.display().to_string()
}
