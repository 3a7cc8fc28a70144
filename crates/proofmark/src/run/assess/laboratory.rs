//! The JVM without a profiler: plan, single-block experiments, controls.

use anyhow::Context as _;
use proofmark_assess::{ExcludedBlock, Role};
use proofmark_blocks::BlockTimes;
use proofmark_jvm::{Bench, Filler, Placement, ProfilerSpec, Running, WindowSpec};
use proofmark_report::DivineReport;
use serde::{Deserialize, Serialize};

use super::super::divine::Effort;
use super::super::divine_command::{self, Plan};
use super::super::profilers::{CONTROL_HZ, Pace};
use super::super::singles::{self, Chosen, Single};
use super::super::tables::{NamedTable, of_plan};
use super::super::windows::JvmWindows;
use super::super::{estimate, journal};
use super::expect;
use super::judge::again;
use super::schedule::{Who, windows};
use crate::args::AssessArguments;
use crate::context::Context;

/// What is done to the program, by name, so that every JVM can do it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Experiments {
    /// Percent and tables of each uniform slowdown.
    pub uniform: Vec<(u32, Vec<NamedTable>)>,
    /// Single-block experiments.
    pub singles: Vec<Single>,
    /// Blocks that were looked at for them and do not serve.
    #[serde(default)]
    pub excluded: Vec<ExcludedBlock>,
    /// CPU time of an iteration.
    pub iteration_ms: f64,
}

/// How plans go into the code.
pub const HOW: (Filler, Placement) = (Filler::Mov, Placement::Spread);

/// The JVM without a profiler: plan, single blocks, controls.
///
/// # Errors
/// When something cannot be measured.
pub fn laboratory(
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
            .note("plan and controls: taken from the run before");
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
        .map(|path| divine_command::read_for(path, &context.workload.to_string()))
        .transpose()?;
    wanted.extend(
        given
            .iter()
            .flat_map(|plan| &plan.file.units)
            .map(|unit| unit.name.clone()),
    );
    let profiles = context.file("profiles");
    if let Some(plan) = &given {
        let (there, here) = (&plan.file.environment, context.environment());
        if *there != here {
            context.progress.note(&format!(
                "the plan was made elsewhere ({}; {}, Graal {}): how well it does is measured here, its own figures hold there",
                there.machine, there.jdk, there.graal
            ));
        }
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
    let Chosen { singles, excluded } = match arguments.singles {
        0 => Chosen::default(),
        most => {
            let times = look(&mut bench)?;
            let slope = context.prior().slope_cycles;
            singles::choose(
                &mut bench,
                &times,
                context.clock_ghz(),
                slope,
                most as usize,
            )?
        }
    };
    if singles.is_empty() && arguments.singles > 0 {
        context.progress.note(
            "no single-block experiment: no block of at least 2 % of the time belongs to one method and keeps what is added to it",
        );
    }
    let experiments = Experiments {
        uniform,
        singles,
        excluded,
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
    let pace = Pace::oracle(experiments.iteration_ms);
    let who = Who {
        name: "oracle",
        role: Role::OracleControl,
        pace: &pace,
        before: None,
    };
    let what = (plan, experiments);
    let mut oracle = windows(context, arguments, bench, what, &who, None)?;
    if again(context, arguments, plan, &oracle)? {
        let who = Who {
            before: Some(&oracle),
            ..who
        };
        let more = windows(context, arguments, bench, what, &who, None)?;
        oracle.append(more);
    }
    context.progress.stage("safepoint control");
    let spec = ProfilerSpec::parse("safepoint", &Default::default())?;
    let directory = context.file("safepoint");
    let running = Running::start(&spec, bench.lab_mut(), directory)?;
    let pace = Pace::of(&spec, None, experiments.iteration_ms);
    let who = Who {
        name: "safepoint",
        role: Role::SafepointControl,
        pace: &pace,
        before: None,
    };
    let safepoint = windows(context, arguments, bench, what, &who, Some(running))?;
    Ok(vec![oracle, safepoint])
}
