//! `proofmark events`: what optimised code does, counted.

pub mod cost;
pub mod count;
pub mod diff;

use proofmark_divine::Environment;
use proofmark_events::{EVENTS_SCHEMA, EventFigures, EventsReport};
use proofmark_jvm::{
    EventLaunch, EventTypeInfo, HarnessClient, LabError, LabSettings, Scope, Start, WarmJvm,
};
use proofmark_sampler::{Probe, probe};

use crate::request::{EventsRequest, Mode, ProgramRequest, Selection};
use crate::session::Session;

/// Counters per thread, where every thread has its own: 1 MB each. The largest program seen (Xalan) uses a tenth.
const PAGE: u32 = 131_072;
/// The same where only code that compiler threads also run has them: 0.5 MB each.
const PAGE_OF_PLATFORM: u32 = 65_536;

/// Where events are counted. Nothing here needs to know what a sampled address means: shares of whole units of code
/// are all that is taken from samples.
pub struct Counting<'a> {
    /// JDK, directory and progress.
    pub session: &'a Session,
    /// The program that runs now.
    pub program: ProgramRequest,
    /// What the processor can sample; none where it cannot.
    probe: Option<Probe>,
}

impl<'a> Counting<'a> {
    /// Looks what can be sampled, and says if nothing can.
    pub fn new(session: &'a Session, program: &ProgramRequest) -> Self {
        let probe = probe();
        if let Err(error) = &probe {
            session.progress.note(&format!(
                "time outside of what is counted: not measured ({error})"
            ));
        }
        Counting {
            session,
            program: program.clone(),
            probe: probe.ok(),
        }
    }

    fn warm_jvm(&self, settings: LabSettings) -> Result<WarmJvm, LabError> {
        WarmJvm::prepare(&self.session.kit, &self.program.workload, settings)
    }

    fn environment(&self) -> Environment {
        self.session.environment(self.probe.as_ref())
    }

    /// Units that only sampling would find.
    fn not_looked_for(&self) -> Option<String> {
        let text = "units of the JDK: not looked for, because nothing can be sampled here";
        self.probe.is_none().then(|| text.to_owned())
    }
}

/// Counts the events of a program.
///
/// # Errors
/// When the laboratory fails or nothing is chosen.
pub fn run(counting: &Counting<'_>, request: &EventsRequest) -> anyhow::Result<EventsReport> {
    let session = counting.session;
    let selection = &request.selection;
    let mut settings = settings(counting, "events", selection, &[])?;
    settings.several_threads = selection.threads;
    let prepared = counting.warm_jvm(settings);
    let mut jvm = prepared.map_err(|error| advised(error, selection))?;
    let catalogue = jvm.client_mut().event_types()?;
    let mode = mode(&catalogue, selection)?;
    let units = count::chosen(&jvm, selection)?;
    session
        .progress
        .step(&format!("compiling {} units to count", units.len()));
    let table = session.file("events.table");
    let compiled = count::compile(&mut jvm, Some(&mode), &units, &table)?;
    let mut coverage = count::coverage(&mut jvm, &compiled)?;
    session
        .progress
        .step(&format!("counting {} iterations", request.iterations));
    let counted = count::run(&mut jvm, &compiled, request.iterations, &table)?;
    coverage.replaced.clone_from(&counted.replaced);
    coverage.restricted = selection.restriction();
    let mut refused = count::refused(&jvm, &compiled);
    count::explain(&mut coverage, &refused, selection);
    refused.extend(counting.not_looked_for());
    let mut report = EventsReport {
        schema: EVENTS_SCHEMA.into(),
        workload: counting.program.workload.to_string(),
        environment: counting.environment(),
        strategy: mode.strategy.name().into(),
        per_thread: mode.per_thread,
        iterations: 0,
        runs_per_iteration: u64::from(jvm.warm().together),
        events: Default::default(),
        coverage,
        lost: Default::default(),
        positions: Vec::new(),
        counters: count::taken(&compiled, &counted.run),
        refused,
    };
    report.fill(&counted.profile);
    // What was not asked for was not counted: 0 would be wrong.
    let asked = |kind: &String| mode.types.is_empty() || mode.types.contains(kind);
    report.events.retain(|kind, _| asked(kind));
    for (kind, reason) in count::cannot_occur(&catalogue) {
        if asked(&kind.name) {
            let figures: &mut EventFigures = report.events.entry(kind.name.clone()).or_default();
            figures.category.clone_from(&kind.category);
            figures.cannot_occur = Some(reason.to_owned());
        }
    }
    jvm.stop();
    Ok(report)
}

/// A program that is refused for its threads can be counted all the same.
fn advised(error: LabError, selection: &Selection) -> anyhow::Error {
    let threads = matches!(&error, LabError::Unmeasurable(message) if message.contains("threads"));
    if threads && !selection.threads {
        return anyhow::Error::new(error)
            .context("with --threads the events of all threads are counted; without");
    }
    error.into()
}

/// The types of events that there are.
///
/// # Errors
/// When the JVM does not start.
pub fn list(
    counting: &Counting<'_>,
    request: &EventsRequest,
) -> anyhow::Result<Vec<EventTypeInfo>> {
    let settings = settings(counting, "list", &request.selection, &[])?;
    let start = Start {
        workload: &counting.program.workload,
        launch: &settings.launch,
        laboratory: true,
        log: &settings.log,
        iteration_limit: settings.iteration_limit,
        interrupted: settings.interrupted.clone(),
    };
    let mut client = HarnessClient::start(&counting.session.kit, start)?;
    let types = client.event_types()?;
    client.stop();
    Ok(types)
}

/// The way of counting that the command line asks for.
fn mode(catalogue: &[EventTypeInfo], selection: &Selection) -> anyhow::Result<Mode> {
    let strategy = selection.strategy;
    Ok(Mode {
        name: strategy.name().into(),
        strategy,
        types: selection.types(catalogue)?,
        per_thread: selection.threads,
        check: true,
    })
}

/// A laboratory in which all units are under control.
fn settings(
    counting: &Counting<'_>,
    name: &str,
    selection: &Selection,
    options: &[String],
) -> anyhow::Result<LabSettings> {
    let profiles = counting.session.file(&format!("profiles-{name}"));
    let mut settings = counting
        .session
        .named_lab_settings(name, &counting.program, profiles)?;
    settings.probe.clone_from(&counting.probe);
    settings.scope = Scope::All;
    settings.launch.events = Some(EventLaunch {
        counters_per_thread: if selection.threads {
            PAGE
        } else {
            PAGE_OF_PLATFORM
        },
        class_path: selection.class_path.clone(),
        compiler_counts: false,
    });
    settings.launch.options = options.to_vec();
    Ok(settings)
}
