//! The commands: a request in, results on standard output and in files, an exit code out.

mod count;
mod dose;
mod events;
mod measure;
mod native;
mod slots;
mod study;

use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::sync::atomic::Ordering;

use crate::exit::{CANNOT, INTERRUPTED};
use crate::request::Request;
use crate::surroundings::Surroundings;
use crate::{console, output, run};

/// Does what is asked for and returns the exit code that the result means.
///
/// # Errors
/// When it cannot be done; [`crate::exit::code_of`] knows the exit code.
pub fn run(request: &Request, around: &Surroundings) -> anyhow::Result<u8> {
    match request {
        Request::Doctor { anew } => doctor(*anew, around),
        Request::Divine(divine) => measure::divine(divine, around),
        Request::NativeDivine(divine) => measure::native_divine(divine, around),
        Request::Candidates(all) => measure::candidates(all, around),
        Request::Assess(assess) if assess.dry_run => measure::cost(assess, around),
        Request::Assess(assess) => measure::assess(assess, around),
        Request::Demo(assess) if assess.dry_run => measure::cost_of_demo(assess, around),
        Request::Demo(assess) => measure::demo(assess, around),
        Request::Evaluate(all) => measure::evaluate(all, around),
        Request::ShowEvaluation(show) => {
            let found = run::evaluate::show(show, around)?;
            output::evaluation_shown(&found, show.out.as_deref(), around.format).map(|()| 0)
        }
        Request::Dose(dose) => dose::run(dose, around),
        Request::EveryDose(dose) => dose::every(dose, around),
        Request::DoseCost(dose, kinds) => dose::cost(dose, *kinds, around),
        Request::NativeDose(dose) => dose::native(dose, around),
        Request::Speedup(speedup) => native::speedup(speedup, around),
        Request::Slots(slots) => slots::run(slots, around),
        Request::Race(race) => native::race(race, around),
        Request::NativeWindows(order) => Ok(proofmark_native::recorded(order).map(|()| 0)?),
        Request::Compile(compile) => {
            around.answer_interrupts_of_builds();
            let cache = around.toolchain.cache.as_deref();
            let status = proofmark_native::compile(compile.language, &compile.words, cache)?;
            Ok(code_of_compiler(status, around))
        }
        Request::CompileRust(compile) => {
            around.answer_interrupts_of_builds();
            let done = proofmark_native::compile_rust(&compile.rustc, &compile.words)?;
            for note in &done.notes {
                console::say(&format!("proofmark: {note}"));
            }
            Ok(code_of_compiler(done.status, around))
        }
        Request::LinkRust(link) => {
            let status = proofmark_native::link_rust(&link.place, &link.words)?;
            Ok(code_of_status(status))
        }
        Request::Import(import) => {
            let imported = run::import::run(import, around.format)?;
            imported.write(import, around).map(|()| 0)
        }
        Request::StudyRun(study) => study::run(study, around),
        Request::StudyAnalyze(analyze) => study::analyze(analyze, around),
        Request::Diff(diff) => study::diff(diff, around),
        Request::Events(count) => events::count(count, around),
        Request::EventsList(list) => events::list(list, around),
        Request::EventsDiff(diff) => events::diff(diff, around),
        Request::EventsCost(cost) => events::cost(cost, around),
        Request::Count(run) => count::run(run, around),
        Request::CountInstrument(instrument) => count::instrument(instrument, around),
        Request::CountCompare(compare) => count::compare(compare, around),
        Request::CountShow(show) => count::show(show, around),
        Request::CountOverhead(overhead) => count::overhead(overhead, around),
        Request::Completions(text) | Request::ManPage(text) => {
            console::data(text.as_bytes())?;
            Ok(0)
        }
    }
}

/// What a process ended with, as a shell tells it.
fn code_of_status(status: ExitStatus) -> u8 {
    let signal = status.signal().unwrap_or(1);
    status.code().unwrap_or(128 + signal) as u8
}

/// The same of a compiler, unless the user has interrupted it: then something may be missing whatever its status is.
fn code_of_compiler(status: ExitStatus, around: &Surroundings) -> u8 {
    match around.interrupted.load(Ordering::Relaxed) {
        true => INTERRUPTED,
        false => code_of_status(status),
    }
}

fn doctor(anew: bool, around: &Surroundings) -> anyhow::Result<u8> {
    let report = run::doctor::run(anew, around)?;
    around.progress.finish();
    output::doctor(&report, around.format)?;
    Ok(if report.all_work() { 0 } else { CANNOT })
}
