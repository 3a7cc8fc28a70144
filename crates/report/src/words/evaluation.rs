//! Words for an evaluation: what it shows, and how the published figures stand beside ours.

use proofmark_assess::Role;
use proofmark_divine::SearchKind;
use proofmark_experiment::divine::{Agreement, Compared, CostMiss, CostModel};
use proofmark_experiment::evaluate::{
    Evaluation, MethodPair, PUBLISHED_SAMPLER_PCT, PlanResult, ProgramResult, Protocols, Sampler,
    ShareChanges, Slowing, StaticCosts, published_program,
};
use proofmark_stats::Estimate;

use crate::Names;
use crate::names::clean;
use crate::number::{count, duration, fixed, grouped, interval, signed_percent, value, with_n};

/// Targets that the published figures are of, %.
const PUBLISHED_TARGETS: [f64; 3] = [50.0, 100.0, 150.0];
/// Where the published search is told of, %.
const PUBLISHED_SEARCH: f64 = 100.0;

/// Where the published figures are from.
pub(crate) const PUBLISHED: &str = "Published: figures of \"Divining Profiler Accuracy\" (2025), 14 programs on another processor with six cores, with a JVM \
     per run. They stand beside ours to compare with; nothing is decided by them.";

/// What an evaluation shows, a sentence each: programs, totals, the share that moved most.
pub(crate) fn findings(evaluation: &Evaluation) -> Vec<String> {
    let all = evaluation.programs.len() as u64;
    let failed = evaluation.programs.iter().filter(|p| p.failed.is_some());
    let failed = failed.count() as u64;
    let mut out = vec![format!(
        "{} of {} {} measured.",
        all - failed,
        count(all, "program"),
        if all == 1 { "was" } else { "were" }
    )];
    out.extend(evaluation.slowing.iter().map(total));
    out.extend(evaluation.protocols.iter().map(protocols));
    out.extend(most_moved(evaluation));
    out
}

/// `Asked for +100 %, a program typically took 99.8 % longer (99.1 to 100.4; n = 14); 11 of 14 programs came within 2 points.`
fn total(slowing: &Slowing) -> String {
    let asked = format!("Asked for {}", target(slowing.target_pct));
    if slowing.programs == 0 {
        return format!("{asked}, no program has a plan.");
    }
    let within = format!(
        "{} of {} came within 2 points",
        slowing.within_2_pt,
        count(slowing.programs, "program")
    );
    match &slowing.overhead_pct {
        Some(typical) => format!(
            "{asked}, a program typically took {} % longer ({}; n = {}); {within}.",
            value(typical),
            interval(typical),
            typical.n
        ),
        None => format!("{asked}, {within}."),
    }
}

/// `suite:Queens: 73 of 88 pairs of windows ...; in those that its total leaves out it was slowed by +59.2 % ...`: of each program whose
/// total leaves some out.
pub(crate) fn left_out(programs: &[ProgramResult], of: &Slowing) -> Vec<String> {
    let one = |program: &ProgramResult| {
        let mut plans = program.plans.iter();
        let plan = plans.find(|plan| plan.target_pct == of.target_pct)?;
        let pairs = [plan.disturbed_pairs?, plan.window_pairs?];
        let there = plan.disturbed_overhead_pct?;
        let said = super::disturbed_of(pairs, Some(there));
        Some(format!("{}: {said}.", clean(&program.program)))
    };
    programs.iter().filter_map(one).collect()
}

/// `+99.8 % (99.1 to 100.4), n = 14`.
pub(crate) fn total_with_n(total: &Estimate) -> String {
    format!("{}, n = {}", signed_percent(total), total.n)
}

/// The share that moved most under any profiler that is under test.
fn most_moved(evaluation: &Evaluation) -> Option<String> {
    let tested = evaluation.share_changes.iter();
    let tested = tested.filter(|one| control(evaluation, &one.profiler).is_none());
    let size = |one: &&ShareChanges| one.worst.as_ref().map_or(-1.0, |worst| worst.2.abs());
    let most = tested.max_by(|a, b| size(a).total_cmp(&size(b)))?;
    let (program, method, _) = most.worst.as_ref()?;
    Some(format!(
        "When everything was slowed by the same factor, {} moved one share most: that of {} in {} by {} points at {}. Of {} {} it \
         moved {} by more than 5 points; {} once it is taken into account how far their blocks were really slowed.",
        clean(&most.profiler),
        Names::default().short(method),
        clean(program),
        moved(most),
        target(f64::from(most.target_pct)),
        most.methods,
        if most.methods == 1 {
            "method"
        } else {
            "methods"
        },
        most.off_by_5_pt,
        match most.off_by_5_pt_corrected {
            0 => "none remains".to_owned(),
            1 => "1 remains".to_owned(),
            more => format!("{more} remain"),
        }
    ))
}

/// By how many points the share moved that moved most, `+12.3`; `-` if none did.
pub(crate) fn moved(changes: &ShareChanges) -> String {
    changes.worst.as_ref().map_or("-".into(), |(_, _, points)| {
        let sign = if *points > 0.0 { "+" } else { "" };
        format!("{sign}{}", fixed(*points, 1))
    })
}

/// `+100 %`.
pub(crate) fn target(pct: f64) -> String {
    format!("+{} %", fixed(pct, usize::from(pct.fract() != 0.0)))
}

/// What kind of control this profiler is; none if it is under test.
pub(crate) fn control(evaluation: &Evaluation, profiler: &str) -> Option<Role> {
    let mut all = evaluation.programs.iter().flat_map(|p| &p.profilers);
    let role = all.find(|one| one.name == profiler)?.role;
    (role != Role::Subject).then_some(role)
}

/// All targets of an evaluation in a line: programs, typical total, farthest one, sets, effort.
pub(crate) fn slowing(of: &Slowing) -> String {
    let mut parts = vec![count(of.programs, "program")];
    parts.extend(
        of.overhead_pct
            .map(|typical| format!("typically {}", total_with_n(&typical))),
    );
    parts.push(format!("{} within 2 points", of.within_2_pt));
    parts.extend(
        of.worst.as_ref().map(|(program, total)| {
            format!("farthest {}: {}", clean(program), total_with_n(total))
        }),
    );
    parts.extend(
        of.set_error_pt
            .map(|typical| format!("sets typically off by {}", with_n(&typical, "pt"))),
    );
    parts.extend(
        of.worst_sets
            .as_ref()
            .map(|(program, error)| format!("most in {}: {}", clean(program), with_n(error, "pt"))),
    );
    parts.push(format!(
        "{} (at most {} for one program) in {}",
        count(of.plans, "plan"),
        of.most_plans,
        duration(of.wall_s)
    ));
    parts.join("; ")
}

/// What was published of the overhead of the study's sampler.
pub(crate) fn published_sampler() -> String {
    let [median, least, most] = PUBLISHED_SAMPLER_PCT.map(|pct| fixed(pct, 2));
    format!(
        "Published, of another sampler at another rate: {median} % (median over programs; {least} to {most})."
    )
}

/// What `by steps` means, if a plan was searched for so.
pub(crate) fn by_steps(evaluation: &Evaluation) -> Option<&'static str> {
    let mut plans = evaluation.programs.iter().flat_map(|p| &p.plans);
    let any = plans.any(|plan| plan.search.kind == SearchKind::Stepwise);
    any.then_some(
        "by steps: searched for as published, unit after unit, one instruction more in a block each time, then by halves.",
    )
}

/// Plans that a search tried: `6`, `303 by steps`.
pub(crate) fn tried(plan: &PlanResult) -> String {
    match plan.search.kind {
        SearchKind::Model => plan.plans_tried.to_string(),
        SearchKind::Stepwise => format!("{} by steps", plan.plans_tried),
    }
}

/// `6, 4.2 min`: plans and time of a search.
pub(crate) fn plans(plan: &PlanResult) -> String {
    format!("{}, {}", tried(plan), effort(plan.wall_s))
}

/// `+99.6 (98.1 to 101.2; 10)`.
pub(crate) fn short_total(of: &Estimate) -> String {
    let sign = if of.value >= 0.0 { "+" } else { "" };
    format!("{sign}{} ({}; {})", value(of), interval(of), of.n)
}

/// `21 of 23`; `-` where nothing was compared.
pub(crate) fn agreed(of: &Agreement) -> String {
    match of.compared {
        0 => "-".into(),
        compared => format!("{} of {compared}", of.agree),
    }
}

/// Whether two overheads agree.
pub(crate) fn agrees(of: &Compared) -> &'static str {
    match of.agrees {
        true => "yes",
        false => "no",
    }
}

/// How plans for one target did in processes of their own, in a sentence.
pub(crate) fn protocols(of: &Protocols) -> String {
    let mut parts = vec![format!(
        "Asked for {}, the totals of {} of {} agree between the laboratory and fresh JVMs",
        target(of.target_pct),
        of.agree,
        count(of.programs, "program")
    )];
    parts.extend(of.bias_pt.map(|typical| {
        let with_n = with_n(&typical, "pt");
        format!("typically fresh JVMs differ by {with_n}")
    }));
    parts.extend(
        of.worst
            .as_ref()
            .map(|(program, bias)| format!("most in {}: {}", clean(program), with_n(bias, "pt"))),
    );
    let [[sets, all_sets], [blocks, all_blocks]] = [of.sets, of.blocks];
    if all_blocks > 0 {
        parts.push(format!(
            "{sets} of {all_sets} sets of blocks agree, and {blocks} of {all_blocks} blocks"
        ));
    }
    format!("{}.", parts.join("; "))
}

/// What the sampler costs, in a sentence.
pub(crate) fn sampler(of: &Sampler) -> String {
    let named = |(program, pct): &(String, Estimate)| {
        let program = clean(program);
        format!("{} % ({program})", value(pct))
    };
    let typical = of.pct.map_or(String::new(), |pct| {
        format!("; typically by {}", with_n(&pct, "%"))
    });
    format!(
        "At {} samples per second iterations of {} took longer by {} to {}{typical}.",
        grouped(of.rate_hz.round().max(0.0) as u64),
        count(of.programs, "program"),
        named(&of.least),
        named(&of.most)
    )
}

/// A static cost model in a few words.
pub(crate) fn model(of: CostModel) -> &'static str {
    match of {
        CostModel::Cycles => "the compiler's cycles, counted executions",
        CostModel::Expected => "the compiler's cycles and frequencies",
        CostModel::Operations => "operations, counted executions",
    }
}

/// How much of the time a static cost model puts where it is, in a sentence.
pub(crate) fn static_costs(of: &StaticCosts) -> String {
    let mut parts = vec![match of.overlap_pct {
        Some(typical) => format!(
            "the shares of sets overlap with the measured ones by typically {}",
            with_n(&typical, "%")
        ),
        None => format!("{} with sets", count(of.with_sets, "program")),
    }];
    parts.extend(
        of.correlation
            .map(|typical| format!("correlation {}", correlation(&typical))),
    );
    parts.extend(of.off_by_5_pt_pct.map(|typical| {
        let typical = with_n(&typical, "%");
        format!("sets with {typical} of the time are off by more than 5 points")
    }));
    parts.extend(
        of.worst
            .as_ref()
            .map(|(program, miss)| format!("farthest in {}: {}", clean(program), believed(miss))),
    );
    format!("By {}: {}.", model(of.model), parts.join("; "))
}

/// `31.2 % of the time for block 12 of Json.read, which has 9.1 % (8.8 to 9.4)`.
pub(crate) fn believed(miss: &CostMiss) -> String {
    format!(
        "{} % of the time for block {} of {}, which has {} % ({})",
        fixed(miss.model_pct, 1),
        miss.block,
        Names::default().short(&miss.unit),
        value(&miss.measured_pct),
        interval(&miss.measured_pct)
    )
}

/// The published total of a program at this target, %.
pub(crate) fn published_total(program: &str, target_pct: f64) -> Option<f64> {
    let at = PUBLISHED_TARGETS.iter().position(|t| *t == target_pct)?;
    Some(published_program(program)?.overhead_pct[at])
}

/// Published runs of the search and its time, s; only of the target it was told of.
pub(crate) fn published_search(program: &str, target_pct: f64) -> Option<(u32, f64)> {
    let published = published_program(program).filter(|_| target_pct == PUBLISHED_SEARCH)?;
    Some((published.runs, 60.0 * f64::from(published.minutes)))
}

/// `10, 470`, `1, 59, 70.7 %`: published units, native blocks, and part with a source position where that was told.
pub(crate) fn published_code(program: &str) -> Option<String> {
    let known = published_program(program)?;
    let mut parts = vec![known.units.to_string(), known.blocks.to_string()];
    let part = known.positioned_pct;
    parts.extend(part.map(|part| format!("{} %", fixed(part, 1))));
    Some(parts.join(", "))
}

/// `4.2 min`, `12 min`, from 100 minutes on `11.2 h`.
pub(crate) fn effort(seconds: f64) -> String {
    match seconds / 60.0 {
        minutes if minutes < 9.95 => format!("{} min", fixed(minutes, 1)),
        minutes if minutes < 99.5 => format!("{} min", fixed(minutes, 0)),
        _ => hours(seconds),
    }
}

/// `0.9 h`.
pub(crate) fn hours(seconds: f64) -> String {
    format!("{} h", fixed(seconds / 3600.0, 1))
}

/// The only set of a plan is all that is judged, so its error is that of the total.
pub(crate) fn one_set(plan: &PlanResult) -> bool {
    plan.judged_sets == 1
}

/// By how many points a share moved.
pub(crate) fn change(pair: &MethodPair) -> f64 {
    pair.slowed_pct.value - pair.normal_pct.value
}

/// `0.983 (0.971 to 0.990)`: a correlation needs more digits than other numbers.
pub(crate) fn correlation(of: &Estimate) -> String {
    let [value, low, high] = [of.value, of.low, of.high].map(|one| fixed(one, 3));
    format!("{value} ({low} to {high})")
}

/// All profilers with a verdict: those under test first, in the order in which they are met, then controls.
pub(crate) fn judged(evaluation: &Evaluation) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for program in &evaluation.programs {
        let sites = program.attribution.keys();
        let laboratory = program.profilers.iter().map(|one| &one.name);
        for name in laboratory.chain(sites) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
    }
    names.sort_by_key(|name| control(evaluation, name).is_some());
    names
}
