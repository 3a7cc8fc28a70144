//! `proofmark assess`: plan, controls, one JVM per profiler, verdicts.

use std::collections::VecDeque;

use anyhow::Context as _;
use proofmark_assess::{
    Assessment, Condition, Evidence, Judgement, ProfilerEvidence, Role, Schedule, Verdict, assess,
};
use proofmark_blocks::BlockTimes;
use proofmark_jvm::{Bench, Filler, Placement, ProfilerSpec, Running, WindowSpec};
use proofmark_report::{CostPlan, DivineReport};
use serde::{Deserialize, Serialize};

use super::divine::Effort;
use super::divine_command::{self, Plan};
use super::estimate;
use super::journal;
use super::production;
use super::profilers::{CONTROL_HZ, OBSERVE_HZ, Pace, specs};
use super::singles::{self, Single};
use super::tables::{NamedTable, of_plan, resolve};
use super::windows::{JvmWindows, Methods, Order, run as run_windows};
use crate::args::AssessArguments;
use crate::context::{Context, Refusal, file_name};

/// What was found.
pub struct Assessed {
    /// Verdicts.
    pub assessment: Assessment,
    /// The plan that was used.
    pub plan: Plan,
}

/// What is done to the program, by name, so that every JVM can do it.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Experiments {
    /// Percent and tables of each uniform slowdown.
    uniform: Vec<(u32, Vec<NamedTable>)>,
    singles: Vec<Single>,
    iteration_ms: f64,
}

/// How plans go into the code.
const HOW: (Filler, Placement) = (Filler::Mov, Placement::Spread);

/// What a run would cost; nothing is started. A plan or an interrupted run tells how long an iteration takes.
///
/// # Errors
/// When the command line asks for something that does not exist.
pub fn cost(arguments: &AssessArguments, effort: Effort) -> anyhow::Result<CostPlan> {
    let workload = crate::context::workload(&arguments.workload)?;
    let told = arguments
        .plan
        .as_deref()
        .map(divine_command::read)
        .transpose()?
        .and_then(|plan| plan.report.warm_up)
        .map(|warm| warm.iteration_ms);
    let stored = || {
        let run = proofmark_store::Run::open(arguments.workload.out.as_deref()?).ok()?;
        Some(
            run.result_of::<(Experiments, serde_json::Value)>("laboratory")
                .ok()??
                .0
                .iteration_ms,
        )
    };
    let iteration_ms = told.or_else(stored);
    let program = format!(
        "{} (iterations of {})",
        workload.name(),
        iteration_ms.map_or(
            format!("unknown length, {} ms assumed", estimate::ASSUMED_MS),
            |ms| format!("{ms:.3} ms")
        )
    );
    estimate::assessment(
        &program,
        arguments,
        &effort,
        iteration_ms.unwrap_or(estimate::ASSUMED_MS),
    )
}

/// Runs everything that is not stored yet, and judges.
///
/// # Errors
/// When something cannot be measured.
pub fn run(
    context: &mut Context,
    arguments: &AssessArguments,
    effort: Effort,
) -> anyhow::Result<Assessed> {
    let specs = specs(context, arguments)?;
    context.progress.stage("laboratory");
    expect(
        context,
        arguments,
        &effort,
        estimate::ASSUMED_MS,
        estimate::PREPARE,
    );
    let (plan, experiments, controls) = laboratory(context, arguments, effort)?;
    let mut queue: VecDeque<ProfilerSpec> = specs.clone().into();
    let mut seen: Vec<JvmWindows> = Vec::new();
    while let Some(spec) = queue.pop_front() {
        context.progress.stage(&spec.name);
        expect(
            context,
            arguments,
            &effort,
            experiments.iteration_ms,
            &spec.name,
        );
        let windows = profiler(context, arguments, &spec, &plan, &experiments)?;
        seen.push(windows);
        let wrong = || {
            Ok::<_, anyhow::Error>(judge(context, arguments, &plan, &seen, &controls)?.profilers)
        };
        if let Some(explained) = spec.with_debug_info().filter(|_| !arguments.no_cause)
            && !queue.iter().any(|other| other.name == explained.name)
            && is_wrong(&wrong()?, &spec.name)
        {
            context.progress.note(&format!(
                "{} is wrong: running it again with DebugNonSafepoints to test the cause",
                spec.name
            ));
            queue.push_front(explained);
        }
    }
    let mut assessment = judge(context, arguments, &plan, &seen, &controls)?;
    if arguments.c2 {
        production::cross_check(context, &specs, &mut assessment)?;
    }
    Ok(Assessed { assessment, plan })
}

/// Says how long everything from a step on will take.
fn expect(
    context: &Context,
    arguments: &AssessArguments,
    effort: &Effort,
    iteration_ms: f64,
    step: &str,
) {
    if let Ok(cost) = estimate::assessment("", arguments, effort, iteration_ms) {
        context.progress.expect(estimate::from(&cost, step));
    }
}

fn is_wrong(judgements: &[Judgement], name: &str) -> bool {
    judgements.iter().any(|judgement| {
        judgement.name == name
            && judgement
                .tests
                .absolute
                .as_ref()
                .is_some_and(|t| t.result.verdict == Verdict::Wrong)
    })
}

/// The JVM without a profiler: plan, single blocks, controls.
fn laboratory(
    context: &mut Context,
    arguments: &AssessArguments,
    effort: Effort,
) -> anyhow::Result<(Plan, Experiments, Vec<JvmWindows>)> {
    let plan_path = context.file("plan.json");
    let stored = context
        .run
        .result_of::<(Experiments, Vec<JvmWindows>)>("laboratory")?;
    if let (Some((experiments, controls)), true) = (stored, plan_path.exists()) {
        context
            .progress
            .note("plan and controls: taken from the interrupted run");
        let mut plan = divine_command::read(&plan_path)?;
        if let Some(report) = context.run.result_of::<DivineReport>("divine")? {
            plan.report = report;
        }
        return Ok((plan, experiments, controls));
    }
    let mut wanted = journal::wanted(&context.run);
    let given = arguments
        .plan
        .as_deref()
        .map(divine_command::read)
        .transpose()?;
    wanted.extend(
        given
            .iter()
            .flat_map(|plan| &plan.file.units)
            .map(|unit| unit.name.clone()),
    );
    let profiles = context.file("profiles");
    if let Some(plan) = &given {
        copy_profiles(plan, &profiles)?;
    }
    let mut bench = Bench::prepare(
        &context.kit,
        &context.workload,
        context.bench("laboratory", profiles, wanted)?,
    )?;
    let iteration_ms = bench.warm().iteration_ns / 1e6;
    let mut uniform = Vec::new();
    let mut first: Option<Plan> = given;
    if let Some(plan) = &first {
        uniform.push((percent(plan.file.target_pct), of_plan(&plan.file)));
    } else {
        for target in &arguments.target {
            context.progress.stage(&estimate::divining(*target));
            let cost = estimate::assessment("", arguments, &effort, iteration_ms)?;
            let after_s = estimate::from(&cost, &estimate::divining(*target))
                - estimate::divine_s(&effort, iteration_ms);
            let (plan, same) =
                divine_command::in_bench(context, bench, target / 100.0, HOW, effort, after_s)?;
            bench = same;
            uniform.push((percent(*target), of_plan(&plan.file)));
            first.get_or_insert(plan);
        }
    }
    let mut plan = first.context("no target")?;
    divine_command::write(&mut plan, &plan_path)?;
    context.run.finish_step("divine", &plan.report)?;
    context.progress.stage(estimate::SINGLES);
    expect(context, arguments, &effort, iteration_ms, estimate::SINGLES);
    let times = look(&mut bench)?;
    let slope = context.prior().slope_cycles;
    let singles = singles::choose(
        &mut bench,
        &times,
        context.clock_ghz(),
        slope,
        arguments.singles as usize,
    )?;
    if singles.is_empty() && arguments.singles > 0 {
        context.progress.note(
            "no single-block experiment: no block of at least 2 % of the time lies in a loop that one method owns alone",
        );
    }
    let experiments = Experiments {
        uniform,
        singles,
        iteration_ms,
    };
    expect(context, arguments, &effort, iteration_ms, estimate::ORACLE);
    let controls = controls(context, arguments, &mut bench, &plan, &experiments)?;
    bench.stop();
    context
        .run
        .finish_step("laboratory", &(&experiments, &controls))?;
    Ok((plan, experiments, controls))
}

fn percent(target: f64) -> u32 {
    target.round().clamp(1.0, 10_000.0) as u32
}

fn copy_profiles(plan: &Plan, to: &std::path::Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(to)?;
    let Ok(entries) = std::fs::read_dir(&plan.profiles) else {
        return Ok(());
    };
    for entry in entries {
        let entry = entry?;
        std::fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}

/// Where the time goes when nothing is slowed.
fn look(bench: &mut Bench) -> anyhow::Result<BlockTimes> {
    (bench.settings().progress)("sampling the baseline for single-block experiments");
    let spec = WindowSpec {
        label: "look",
        seconds: 0.3,
        iterations: 2,
        rate_hz: Some(CONTROL_HZ),
    };
    let measured = bench.window(&spec, &[bench.baseline()], &[0; 8], &mut ())?;
    let mut times = BlockTimes::default();
    measured
        .groups
        .iter()
        .for_each(|group| times.merge(&group.times));
    Ok(times)
}

/// Oracle and safepoint sampler, in the laboratory JVM itself: neither changes how code is compiled.
fn controls(
    context: &Context,
    arguments: &AssessArguments,
    bench: &mut Bench,
    plan: &Plan,
    experiments: &Experiments,
) -> anyhow::Result<Vec<JvmWindows>> {
    context.progress.stage("oracle control");
    let oracle = Pace::oracle(experiments.iteration_ms);
    let mut seen = vec![windows(
        context,
        arguments,
        bench,
        plan,
        experiments,
        ("oracle", Role::OracleControl),
        &oracle,
        None,
    )?];
    context.progress.stage("safepoint control");
    let spec = ProfilerSpec::parse("safepoint", &Default::default())?;
    let directory = context.file("safepoint");
    let running = Running::start(&spec, bench.lab_mut(), directory)?;
    let pace = Pace::of(&spec, None, experiments.iteration_ms);
    seen.push(windows(
        context,
        arguments,
        bench,
        plan,
        experiments,
        ("safepoint", Role::SafepointControl),
        &pace,
        Some(running),
    )?);
    Ok(seen)
}

/// One profiler in a JVM of its own.
fn profiler(
    context: &mut Context,
    arguments: &AssessArguments,
    spec: &ProfilerSpec,
    plan: &Plan,
    experiments: &Experiments,
) -> anyhow::Result<JvmWindows> {
    let step = format!("profiler {}", spec.name);
    if let Some(stored) = context.run.result_of::<JvmWindows>(&step)? {
        context
            .progress
            .note(&format!("{}: taken from the interrupted run", spec.name));
        return Ok(stored);
    }
    let wanted = experiments
        .uniform
        .iter()
        .flat_map(|(_, tables)| tables)
        .map(|table| table.unit.clone())
        .collect();
    let name = file_name(&spec.name);
    let mut settings = context.bench(&name, context.file("profiles"), wanted)?;
    spec.prepare(&mut settings.launch);
    let mut bench = Bench::prepare(&context.kit, &context.workload, settings)?;
    let running = Running::start(
        spec,
        bench.lab_mut(),
        context.file(&format!("{name}.files")),
    )?;
    let pace = Pace::of(spec, arguments.time_budget, experiments.iteration_ms);
    let seen = windows(
        context,
        arguments,
        &mut bench,
        plan,
        experiments,
        (&spec.name, Role::Subject),
        &pace,
        Some(running),
    )?;
    bench.stop();
    context.run.finish_step(&step, &seen)?;
    Ok(seen)
}

/// Puts the experiments into a JVM's code and runs the schedule.
#[allow(clippy::too_many_arguments)]
fn windows(
    context: &Context,
    arguments: &AssessArguments,
    bench: &mut Bench,
    plan: &Plan,
    experiments: &Experiments,
    who: (&str, Role),
    pace: &Pace,
    running: Option<Running>,
) -> anyhow::Result<JvmWindows> {
    let mut sides = vec![(Condition::Baseline, bench.baseline())];
    for (percent, tables) in &experiments.uniform {
        let resolved = resolve(bench, tables, HOW, &plan.units);
        for refused in &resolved.refused {
            context
                .progress
                .note(&format!("{}: not slowed: {refused}", who.0));
        }
        if resolved.tables.is_empty() {
            let text = format!(
                "{}: no unit of the plan was compiled as in the plan; the profiles beside the plan are missing or of another program",
                who.0
            );
            return Err(Refusal::Cannot(text).into());
        }
        sides.push((Condition::Uniform(*percent), bench.side(&resolved.tables)?));
    }
    let mut targets = Vec::new();
    for single in &experiments.singles {
        let resolved = resolve(
            bench,
            std::slice::from_ref(&single.table),
            singles::HOW,
            &plan.units,
        );
        if resolved.tables.is_empty() {
            context.progress.note(&format!(
                "{}: no single-block experiment: {}",
                who.0,
                resolved.refused.join("; ")
            ));
            continue;
        }
        let condition = Condition::Single(targets.len() as u32);
        sides.push((condition, bench.side(&resolved.tables)?));
        targets.push((single.owner.clone(), single.label.clone()));
    }
    let uniform: Vec<u32> = experiments
        .uniform
        .iter()
        .map(|(percent, _)| *percent)
        .collect();
    let schedule: Schedule =
        pace.schedule(&uniform, targets.len() as u32, arguments.workload.seed)?;
    let order = Order {
        name: who.0,
        role: who.1,
        schedule: &schedule,
        sides: &sides,
        targets: &targets,
        rate_hz: if running.is_none() {
            CONTROL_HZ
        } else {
            OBSERVE_HZ
        },
        placements: pace.placements(schedule.window_s, bench.shifts()),
    };
    run_windows(bench, &order, running)
}

fn judge(
    context: &Context,
    arguments: &AssessArguments,
    plan: &Plan,
    seen: &[JvmWindows],
    controls: &[JvmWindows],
) -> anyhow::Result<Assessment> {
    let mut methods = Methods::default();
    // Numbers all names first: every list must cover all of them.
    seen.iter()
        .chain(controls)
        .for_each(|windows| drop(windows.evidence(&mut methods)));
    let profilers = seen
        .iter()
        .chain(controls)
        .map(|windows| evidence(windows, &mut methods))
        .collect();
    let environment = &plan.file.environment;
    let evidence = Evidence {
        program: context.workload.name().to_owned(),
        machine: format!(
            "{}; {}, Graal {}",
            environment.machine, environment.jdk, environment.graal
        ),
        method: method(context, plan),
        methods: methods.names().to_vec(),
        inlined_into: Vec::new(),
        profilers,
    };
    let settings = proofmark_assess::Settings {
        margin_pt: arguments.margin,
        seed: arguments.workload.seed,
        ..Default::default()
    };
    Ok(assess(&evidence, &settings)?)
}

fn evidence(windows: &JvmWindows, methods: &mut Methods) -> ProfilerEvidence {
    let own = windows.evidence(methods);
    if windows.role == Role::OracleControl {
        ProfilerEvidence::oracle(&own.truth, own.totals, own.targets)
    } else {
        own
    }
}

fn method(context: &Context, plan: &Plan) -> String {
    format!(
        "One JVM per profiler, compiled by Graal with the same profiles; everything slowed by {:.0} % with {} (found in {} plans) and single blocks slowed alone, \
         at several code placements per window; truth: our own sampler ({}) on the workload's thread by the plug-in's address map. \
         CPU time of one thread only. Production mostly compiles with C2: what is blamed here should be checked there.",
        plan.file.target_pct, "mov r,r", plan.file.plans_tried, context.probe.event
    )
}
