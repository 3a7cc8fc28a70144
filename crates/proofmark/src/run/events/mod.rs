//! `proofmark events`: what optimised code does, counted.

pub mod args;
pub mod cost;
pub mod count;
pub mod diff;
pub mod selection;

use proofmark_jvm::{
    Bench, BenchSettings, EventLaunch, EventTypeInfo, LabError, Laboratory, Scope, split_class_path,
};
use proofmark_report::{EVENTS_SCHEMA, EventFigures, EventsReport};

use crate::context::Context;
use args::{CountArguments, EventsArguments, EventsCommand, SelectionArguments};
use count::Mode;

/// Counters per thread, where every thread has its own: 1 MB each. The largest program seen (Xalan) uses a tenth.
const PAGE: u32 = 131_072;
/// The same where only code that compiler threads also run has them: 0.5 MB each.
const PAGE_OF_PLATFORM: u32 = 65_536;

/// Refuses names that no JVM could know.
///
/// # Errors
/// When a category, a type or a way of counting does not exist.
pub fn check(arguments: &EventsArguments) -> anyhow::Result<()> {
    match &arguments.command {
        None => selection::check(&arguments.count.selection)?,
        Some(EventsCommand::Diff(diff)) => selection::check(&diff.selection)?,
        Some(EventsCommand::Cost(cost)) => cost::modes(cost).map(drop)?,
    }
    Ok(())
}

/// Counts the events of a program.
///
/// # Errors
/// When the laboratory fails or nothing is chosen.
pub fn run(context: &mut Context, arguments: &CountArguments) -> anyhow::Result<EventsReport> {
    let selection = &arguments.selection;
    let mut settings = settings(context, "events", selection, &[])?;
    settings.several_threads = selection.threads;
    let prepared = Bench::prepare(&context.kit, &context.workload, settings);
    let mut bench = prepared.map_err(|error| advised(error, selection))?;
    let catalogue = bench.lab_mut().event_types()?;
    let mode = mode(&catalogue, selection)?;
    let units = count::chosen(&bench, selection)?;
    context
        .progress
        .step(&format!("compiling {} units to count", units.len()));
    let table = context.file("events.table");
    let compiled = count::compile(&mut bench, Some(&mode), &units, &table)?;
    let mut coverage = count::coverage(&mut bench, &compiled)?;
    context
        .progress
        .step(&format!("counting {} iterations", arguments.iterations));
    let counted = count::run(&mut bench, &compiled, arguments.iterations, &table)?;
    coverage.replaced.clone_from(&counted.replaced);
    coverage.restricted = selection::restriction(selection);
    let mut refused = bench.warm().refused.clone();
    refused.extend(compiled.failures.iter().cloned());
    let mut report = EventsReport {
        schema: EVENTS_SCHEMA.into(),
        workload: context.workload.to_string(),
        environment: context.environment(),
        strategy: mode.strategy.name().into(),
        per_thread: mode.per_thread,
        iterations: 0,
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
    bench.stop();
    Ok(report)
}

/// A program that is refused for its threads can be counted all the same.
fn advised(error: LabError, selection: &SelectionArguments) -> anyhow::Error {
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
pub fn list(context: &Context, arguments: &CountArguments) -> anyhow::Result<Vec<EventTypeInfo>> {
    let settings = settings(context, "list", &arguments.selection, &[])?;
    let mut lab = Laboratory::start(
        &context.kit,
        &context.workload,
        &settings.launch,
        &settings.log,
        settings.iteration_limit,
        settings.interrupted.clone(),
    )?;
    let types = lab.event_types()?;
    lab.stop();
    Ok(types)
}

/// The way of counting that the command line asks for.
fn mode(catalogue: &[EventTypeInfo], selection: &SelectionArguments) -> anyhow::Result<Mode> {
    let strategy: proofmark_events::Strategy = selection.strategy.into();
    Ok(Mode {
        name: strategy.name().into(),
        strategy,
        types: selection::types(catalogue, selection)?,
        per_thread: selection.threads,
        check: true,
    })
}

/// A laboratory in which all units are under control.
fn settings(
    context: &Context,
    name: &str,
    selection: &SelectionArguments,
    options: &[String],
) -> anyhow::Result<BenchSettings> {
    let profiles = context.file(&format!("profiles-{name}"));
    let mut settings = context.bench(name, profiles, Vec::new())?;
    settings.scope = Scope::All;
    let class_path = selection.event_class_path.as_ref();
    settings.launch.events = Some(EventLaunch {
        counters_per_thread: if selection.threads {
            PAGE
        } else {
            PAGE_OF_PLATFORM
        },
        class_path: class_path.map_or(Vec::new(), |path| split_class_path(path)),
        compiler_counts: false,
    });
    settings.launch.options = options.to_vec();
    Ok(settings)
}
