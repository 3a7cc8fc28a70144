//! `proofmark events diff`: two configurations of the compiler, several JVMs each, in turn.

mod compare;

use proofmark_events::{EventsDiff, Profile, Uncounted};
use proofmark_experiment::assess::difference;
use proofmark_experiment::lab::WindowSpec;
use proofmark_jvm::WarmJvm;
use proofmark_sampler::Probe;
use proofmark_stats::{mean, median};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Counting, count, mode, settings};
use crate::context::Refusal;
use crate::request::EventsDiffRequest;
use crate::session::{Session, resumable};

/// Placements whose times are taken before anything is counted.
const PLACEMENTS: usize = 8;
/// Least time at one placement, s.
const PLACEMENT_S: f64 = 0.2;
/// The step that says what is compared.
const ASKED: &str = "events diff";
/// Names of the configurations, in files and steps.
const SIDES: [&str; 2] = ["a", "b"];

/// What one JVM showed.
struct Seen {
    profile: Profile,
    figures: Figures,
}

/// What its files do not hold.
#[derive(Serialize, Deserialize)]
struct Figures {
    /// CPU time of an iteration of code that does not count.
    iteration_ns: f64,
    outside_pct: Option<f64>,
    blocks_pct: Option<f64>,
    /// Runs of the program in an iteration.
    together: u32,
    /// Units that were executed and not counted; none in directories of earlier builds.
    #[serde(default)]
    uncounted: Vec<Uncounted>,
}

impl Seen {
    /// CPU time of a run of the program, ns.
    fn run_ns(&self) -> f64 {
        self.figures.iteration_ns / f64::from(self.figures.together.max(1))
    }

    /// Runs of the program that were counted.
    fn runs(&self) -> f64 {
        let iterations = self.profile.over_time.len().max(1) as f64;
        iterations * f64::from(self.figures.together.max(1))
    }
}

/// Compares two configurations. JVMs that an interrupted run in the same directory has finished are taken from there.
///
/// # Errors
/// When no JVM starts with the options, or one fails; when the directory holds another comparison.
pub fn run(session: &mut Session, request: &EventsDiffRequest) -> anyhow::Result<EventsDiff> {
    let place = session.run.directory().to_owned();
    let probe = Counting::new(session, &request.program).probe;
    let probe = probe.as_ref();
    let seen = all(session, request, probe).map_err(|error| resumable(error, &place))?;
    let counting = counting(session, request, probe);
    Ok(compare::compared(&counting, request, &seen))
}

fn counting<'a>(
    session: &'a Session,
    request: &EventsDiffRequest,
    probe: Option<&Probe>,
) -> Counting<'a> {
    Counting {
        session,
        program: request.program.clone(),
        probe: probe.cloned(),
    }
}

/// All JVMs of both configurations.
fn all(
    session: &mut Session,
    request: &EventsDiffRequest,
    probe: Option<&Probe>,
) -> anyhow::Result<[Vec<Seen>; 2]> {
    let asked = asked(session, request);
    let before = session.run.result_of::<Value>(ASKED)?;
    if let Some(before) = &before {
        as_before(session, before, &asked)?;
    }
    all_start(&counting(session, request, probe), request)?;
    if before.is_none() {
        session.run.finish_step(ASKED, &asked)?;
    }
    let mut seen: [Vec<Seen>; 2] = [Vec::new(), Vec::new()];
    // Side A's first JVM finds how many runs of a short program are measured as one; for the others that is given, so
    // that iterations are alike.
    let names = (0..request.jvms).flat_map(|at| SIDES.map(|side| format!("{side}-{}", at + 1)));
    let mut together = None;
    for name in names {
        let figures = session.run.result_of::<Figures>(&step(&name))?;
        together = together.or(figures.map(|figures| figures.together));
    }
    for at in 0..request.jvms {
        // A B, B A: slow changes of the machine hit both alike.
        let order = if at % 2 == 0 { [0, 1] } else { [1, 0] };
        for side in order {
            let name = format!("{}-{}", SIDES[side], at + 1);
            let one = match kept(session, &name)? {
                Some(one) => one,
                None => {
                    let stage = format!("JVM {} of {}", name, 2 * request.jvms);
                    session.progress.stage(&stage);
                    let seen = {
                        let counting = counting(session, request, probe);
                        one(&counting, request, (name.as_str(), side), together)?
                    };
                    session.run.finish_step(&step(&name), &seen.figures)?;
                    seen
                }
            };
            together = together.or(Some(one.figures.together));
            seen[side].push(one);
        }
    }
    Ok(seen)
}

/// What decides the counts of a JVM; JVMs may be added.
fn asked(session: &Session, request: &EventsDiffRequest) -> Value {
    let selection = &request.selection;
    let about = session.environment(None);
    let path = selection.class_path.iter().map(|path| path.display());
    let path: Vec<String> = path.map(|path| path.to_string()).collect();
    json!({
        "JDK": about.jdk,
        "Graal": about.graal,
        "--a": request.options[0],
        "--b": request.options[1],
        "--category": selection.categories,
        "--event": selection.events,
        "--strategy": selection.strategy.name(),
        "--threads": selection.threads,
        "--units": selection.units,
        "--no-jdk": selection.no_jdk,
        "--event-class-path": path,
        "--iterations": request.iterations,
    })
}

/// Refuses a directory that holds the JVMs of another comparison.
fn as_before(session: &Session, before: &Value, asked: &Value) -> Result<(), Refusal> {
    let Some(option) = difference(before, asked) else {
        return Ok(());
    };
    Err(Refusal::Usage(format!(
        "{} holds a comparison with another {option}: repeat it with the same one, or give another --out; nothing was changed there",
        session.run.directory().display()
    )))
}

/// Refuses options with which no JVM starts.
fn all_start(counting: &Counting<'_>, request: &EventsDiffRequest) -> anyhow::Result<()> {
    for (side, options) in SIDES.into_iter().zip(&request.options) {
        let settings = settings(counting, side, &request.selection, options)?;
        if let Err(said) = settings.launch.check_options(&counting.session.kit) {
            return Err(Refusal::Usage(format!(
                "no JVM starts with the options of --{side} ({}): {said}",
                options.join(" ")
            ))
            .into());
        }
    }
    Ok(())
}

fn step(name: &str) -> String {
    format!("{ASKED} {name}")
}

/// A JVM that has finished in this directory; none if it has not, or its files are gone.
fn kept(session: &Session, name: &str) -> anyhow::Result<Option<Seen>> {
    let Some(figures) = session.run.result_of::<Figures>(&step(name))? else {
        return Ok(None);
    };
    match count::kept(&session.file(&format!("{name}.table"))) {
        Ok(profile) => {
            let progress = &session.progress;
            progress.note(&format!("JVM {name}: taken from the run before"));
            Ok(Some(Seen { profile, figures }))
        }
        Err(error) => {
            let progress = &session.progress;
            progress.note(&format!("JVM {name} is run again: {error:#}"));
            Ok(None)
        }
    }
}

/// Runs one JVM of a configuration.
fn one(
    counting: &Counting<'_>,
    request: &EventsDiffRequest,
    (name, side): (&str, usize),
    together: Option<u32>,
) -> anyhow::Result<Seen> {
    let selection = &request.selection;
    let mut settings = settings(counting, name, selection, &request.options[side])?;
    settings.together = together;
    let mut jvm = counting.warm_jvm(settings)?;
    let catalogue = jvm.client_mut().event_types()?;
    let mode = mode(&catalogue, selection)?;
    let units = count::chosen(&jvm, selection)?;
    let iteration_ns = time(&mut jvm)?;
    let table = counting.session.file(&format!("{name}.table"));
    let compiled = count::compile(&mut jvm, Some(&mode), &units, &table)?;
    let mut coverage = count::coverage(&mut jvm, &compiled)?;
    count::explain(&mut coverage, &count::refused(&jvm, &compiled), selection);
    let counted = count::run(&mut jvm, &compiled, request.iterations, &table)?;
    let together = jvm.warm().together;
    jvm.stop();
    Ok(Seen {
        profile: counted.profile,
        figures: Figures {
            iteration_ns,
            outside_pct: coverage.outside_time_pct.map(|share| share.value),
            blocks_pct: coverage.graal_blocks_pct,
            together,
            uncounted: coverage.uncounted,
        },
    })
}

/// Median CPU time of an iteration of code that does not count, over several placements, ns.
fn time(jvm: &mut WarmJvm) -> anyhow::Result<f64> {
    let variants = [jvm.baseline()];
    let spec = WindowSpec {
        label: "time",
        seconds: PLACEMENT_S,
        iterations: 2,
        rate_hz: None,
    };
    let measured = jvm.window(&spec, &variants, &[0; PLACEMENTS], &mut ())?;
    let medians = measured.groups.iter().filter_map(|group| {
        let cpu: Vec<f64> = group
            .iterations
            .iter()
            .map(|(_, _, cpu)| *cpu as f64)
            .collect();
        median(&cpu)
    });
    Ok(mean(&medians.collect::<Vec<f64>>()))
}
