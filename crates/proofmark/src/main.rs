//! The `proofmark` command: how wrong is a profiler on your own program?
//!
//! Arguments -> [`Context`] (toolchain, machine, calibration, directory) -> [`run`] -> [`output`].

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::{CommandFactory, Parser};
use proofmark::args::{Arguments, AssessArguments, Command, Format};
use proofmark::context::{Context, Refusal, toolchain};
use proofmark::progress::Progress;
use proofmark::run::count::args::{CountArguments, CountCommand};
use proofmark::run::divine::Effort;
use proofmark::run::events::args::{EventsArguments, EventsCommand};
use proofmark::run::study::args::StudyCommand;
use proofmark::{output, run};
use proofmark_jvm::{LabError, toolchain::ToolchainError};
use proofmark_sampler::SamplerError;

const USAGE: u8 = 2;
const CANNOT: u8 = 3;
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let progress = Progress::new(arguments.quiet);
    let interrupted = Arc::new(AtomicBool::new(false));
    let signals = [
        signal_hook::consts::SIGINT,
        signal_hook::consts::SIGTERM,
        signal_hook::consts::SIGHUP,
    ];
    let answered = arguments.command.has_processes();
    for signal in signals.into_iter().filter(|_| answered) {
        // The second one does not wait for anything.
        let _ = signal_hook::flag::register_conditional_shutdown(
            signal,
            INTERRUPTED.into(),
            interrupted.clone(),
        );
        let _ = signal_hook::flag::register(signal, interrupted.clone());
    }
    let result = dispatch(&arguments, &progress, &interrupted);
    progress.finish();
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            anstream::eprintln!("proofmark: {}", chain(&error));
            ExitCode::from(code_of(&error))
        }
    }
}

fn dispatch(
    arguments: &Arguments,
    progress: &Progress,
    interrupted: &Arc<AtomicBool>,
) -> anyhow::Result<u8> {
    let formats = arguments.command.formats();
    if !formats.contains(&arguments.format) {
        let name = arguments.format.name();
        let known: Vec<String> = formats.iter().map(|format| format.name()).collect();
        let known = known.join(", ");
        let text = format!("this command cannot write --format {name}; it writes: {known}");
        return Err(Refusal::Usage(text).into());
    }
    let jdk = arguments.jdk.as_deref();
    let context = |workload| Context::new(workload, jdk, progress, interrupted.clone());
    match &arguments.command {
        Command::Doctor => {
            let (rows, works) = run::doctor::run(jdk, progress);
            progress.finish();
            output::doctor(&rows, arguments.format)?;
            Ok(if works { 0 } else { CANNOT })
        }
        Command::Divine(divine) => {
            let mut context = context(&divine.workload)?;
            let plan = run::divine_command::run(&mut context, divine)
                .map_err(|error| resumable(error, &context, !divine.fresh))?;
            progress.finish();
            output::divined(&mut context, &plan.report, arguments.format)?;
            Ok(0)
        }
        Command::Assess(assess) if assess.dry_run => {
            output::cost(
                &run::assess::cost(assess, Effort::default())?,
                arguments.format,
            )?;
            Ok(0)
        }
        Command::Assess(assess) => {
            // What is wrong with the command line shows before minutes are spent.
            run::assess::cost(assess, Effort::default())?;
            judged(arguments, assess, Effort::default(), context)
        }
        Command::Demo(demo) => {
            let assess = run::demo::arguments(demo);
            // A wrong profiler is what the demo is there to show.
            judged(arguments, &assess, run::demo::effort(), context)
                .map(|code| if code <= 1 { 0 } else { code })
        }
        Command::Import(import) => {
            let imported = run::import::run(import, arguments.format)?;
            imported.write(import, arguments.format)?;
            Ok(0)
        }
        Command::Study(StudyCommand::Run(study)) => {
            let ran = run::study::live::run(study, jdk, progress, interrupted.clone())?;
            progress.finish();
            run::study::live::print(&ran, arguments.format)?;
            Ok(0)
        }
        Command::Study(StudyCommand::Analyze(analyze)) => {
            let analysis = run::study::analysis::analyze_inputs(analyze, progress)?;
            progress.finish();
            output::analyzed(&analysis, analyze, arguments.format)?;
            Ok(0)
        }
        Command::Diff(diff) => {
            let found = run::study::analysis::compare(diff, progress)?;
            progress.finish();
            output::compared(&found, arguments.format)
        }
        Command::Events(events) => {
            run::events::check(events)?;
            let mut context = Context::new(&events.workload(), jdk, progress, interrupted.clone())?;
            counted(events, &mut context, arguments.format)
        }
        Command::Count(count) => bytecodes_counted(arguments, count, progress),
        Command::Completions { shell } => {
            clap_complete::generate(
                *shell,
                &mut Arguments::command(),
                "proofmark",
                &mut std::io::stdout(),
            );
            Ok(0)
        }
    }
}

fn counted(events: &EventsArguments, context: &mut Context, format: Format) -> anyhow::Result<u8> {
    let progress = context.progress.clone();
    match &events.command {
        Some(EventsCommand::Diff(diff)) => {
            let found = run::events::diff::run(context, diff)?;
            progress.finish();
            output::events_compared(&found, format)
        }
        Some(EventsCommand::Cost(cost)) => {
            let cost = run::events::cost::run(context, cost)?;
            progress.finish();
            output::events_cost(&cost, format)?;
            Ok(0)
        }
        None if events.count.list => {
            let types = run::events::list(context, &events.count)?;
            progress.finish();
            output::event_types(&types, format)?;
            Ok(0)
        }
        None => {
            let report = run::events::run(context, &events.count)?;
            progress.finish();
            output::events(context, &report, format)?;
            Ok(0)
        }
    }
}

fn bytecodes_counted(
    arguments: &Arguments,
    count: &CountArguments,
    progress: &Progress,
) -> anyhow::Result<u8> {
    let (format, settings) = (arguments.format, toolchain(arguments.jdk.as_deref()));
    match &count.command {
        None => {
            let ran =
                run::count::live::run(&count.run, &settings, format == Format::Json, progress)?;
            output::counted(&ran.counted, format, arguments.quiet)?;
            return Ok(ran.code);
        }
        Some(CountCommand::Instrument(instrument)) => {
            let coverage = run::count::instrument::run(instrument, &settings)?;
            output::instrumented(&coverage, format, arguments.quiet)?;
        }
        Some(CountCommand::Compare(compare)) => {
            output::counts_compared(&run::count::compare::run(compare)?, format)?;
        }
        Some(CountCommand::Show(show)) => {
            output::shown(&run::count::show::run(show)?, format)?;
        }
        Some(CountCommand::Overhead(overhead)) => {
            let cost = run::count::overhead::run(overhead, &settings, progress)?;
            progress.finish();
            output::overhead(&cost, format)?;
        }
    }
    Ok(0)
}

fn judged<'a>(
    arguments: &Arguments,
    assess: &'a AssessArguments,
    effort: Effort,
    context: impl FnOnce(&'a proofmark::args::WorkloadArguments) -> anyhow::Result<Context>,
) -> anyhow::Result<u8> {
    let mut context = context(&assess.workload)?;
    let assessed = run::assess::run(&mut context, assess, effort)
        .map_err(|error| resumable(error, &context, true))?;
    context.progress.finish();
    output::assessed(&mut context, &assessed, arguments.format)
}

/// Says how an interrupted run goes on.
fn resumable(error: anyhow::Error, context: &Context, resumes: bool) -> anyhow::Error {
    if !resumes || code_of(&error) != INTERRUPTED {
        return error;
    }
    let place = context.run.directory().display().to_string();
    error.context(format!(
        "interrupted; the same command with --out {place} goes on from here"
    ))
}

/// The error and its causes; a cause that the text in front of it already names is left out.
fn chain(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// What kind of problem it was.
fn code_of(error: &anyhow::Error) -> u8 {
    match error.downcast_ref::<Refusal>() {
        Some(Refusal::Usage(_)) => return USAGE,
        Some(Refusal::Cannot(_)) => return CANNOT,
        None => {}
    }
    let lab = error.downcast_ref::<LabError>();
    if matches!(lab, Some(LabError::Interrupted)) {
        return INTERRUPTED;
    }
    if matches!(lab, Some(LabError::NoWorkload(_))) {
        return USAGE;
    }
    let cannot = lab.is_some()
        || error.is::<ToolchainError>()
        || error.is::<SamplerError>()
        || error.is::<proofmark_store::StoreError>();
    if cannot { CANNOT } else { USAGE }
}
