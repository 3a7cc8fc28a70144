//! Events of one JVM: all executed units compiled to count, run, decoded.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use proofmark_events::{Counters, Coverage, Uncounted};
use proofmark_events::{Profile, Snapshots, Table, read_counters, read_table};
use proofmark_experiment::lab::WindowSpec;
use proofmark_jvm::{EventFiles, EventPlan, EventTypeInfo, WarmJvm};
use proofmark_rewrite::of_the_harness;
use proofmark_stats::Estimate;

use crate::context::Refusal;
use crate::request::{Mode, Selection};

/// Iterations after the installation that are not counted: code around the new one settles.
const DISCARDED: u32 = 2;
/// Length of the look at where the time goes, s.
const LOOK_S: f64 = 1.5;
/// Sampling rate of that look, 1/s.
const LOOK_HZ: f64 = 2000.0;

/// Code that counts, ready to be installed.
#[derive(Debug, Clone, Default)]
pub struct Compiled {
    /// Codes.
    pub codes: Vec<u32>,
    /// Units that they belong to.
    pub units: Vec<u32>,
    /// Bytes of machine code.
    pub bytes: u64,
    /// Compile time, ns.
    pub compile_ns: u64,
    /// Units that were not compiled, each with its reason.
    pub failures: Vec<String>,
    /// The table that says what their counters mean; none for code that does not count.
    pub table: Table,
}

/// What a run counted.
#[derive(Debug)]
pub struct Counted {
    /// Events.
    pub profile: Profile,
    /// Counters.
    pub run: Snapshots,
    /// Units whose code was replaced meanwhile.
    pub replaced: Vec<String>,
    /// CPU time of the counted iterations, ns.
    pub cpu_ns: Vec<u64>,
}

/// Units that were executed when blocks were counted, with their block executions per iteration.
#[must_use]
pub fn executed(jvm: &WarmJvm) -> Vec<(u32, f64)> {
    let mut sums = BTreeMap::new();
    for (key, count) in jvm.executions() {
        *sums.entry(key.unit).or_insert(0.0) += count;
    }
    let under_control: BTreeSet<u32> = jvm.units().map(|(unit, _)| unit).collect();
    sums.into_iter()
        .filter(|(unit, count)| *count > 0.0 && under_control.contains(unit))
        .collect()
}

/// Those that the command line chooses.
///
/// # Errors
/// When none is left, or none could be taken under control: of that the reason is said.
pub fn chosen(jvm: &WarmJvm, selection: &Selection) -> Result<Vec<u32>, Refusal> {
    let takes = |(unit, _): &(u32, f64)| selection.takes(jvm.unit_name(*unit));
    let executed = executed(jvm);
    if executed.is_empty() {
        let why = jvm.warm().refused.first();
        let why = why.map_or(String::new(), |why| format!(": {why}"));
        let text = format!("none of the program's compiled code could be taken to count in{why}");
        return Err(Refusal::Cannot(text));
    }
    let units: Vec<u32> = executed
        .into_iter()
        .filter(takes)
        .map(|(unit, _)| unit)
        .collect();
    if units.is_empty() {
        return Err(Refusal::Usage(
            "none of the units that the program executes is chosen: look at --units and --no-jdk"
                .into(),
        ));
    }
    Ok(units)
}

/// Compiles units to count; nothing is installed. `strategy` none: code that does not count, as the base of comparisons.
///
/// # Errors
/// When the JVM fails, or writes a table that cannot be read.
pub fn compile(
    jvm: &mut WarmJvm,
    mode: Option<&Mode>,
    units: &[u32],
    table: &Path,
) -> anyhow::Result<Compiled> {
    let plan = EventPlan {
        strategy: mode.map_or("none", |mode| mode.strategy.name()).into(),
        types: mode.map_or(Vec::new(), |mode| mode.types.clone()),
        per_thread: mode.is_some_and(|mode| mode.per_thread),
        check: mode.is_some_and(|mode| mode.check),
        markers: false,
    };
    let answer = jvm.client_mut().compile_events(&plan, units, table)?;
    let mut compiled = Compiled {
        failures: answer.failures,
        ..Compiled::default()
    };
    for code in &answer.compiled {
        compiled.codes.push(code.code);
        compiled.units.push(code.unit);
        compiled.bytes += code.size;
        compiled.compile_ns += code.compile_ns;
    }
    if mode.is_some() {
        compiled.table = read(table)?;
    }
    Ok(compiled)
}

fn read(path: &Path) -> anyhow::Result<Table> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    read_table(&text).with_context(|| path.display().to_string())
}

/// Installs the codes and counts so many iterations; files go beside `table`.
///
/// # Errors
/// When the workload or the JVM fails, or what was counted cannot be read.
pub fn run(
    jvm: &mut WarmJvm,
    compiled: &Compiled,
    iterations: u32,
    files: &Path,
) -> anyhow::Result<Counted> {
    let files = beside(files);
    let client = jvm.client_mut();
    let answer = client.run_events(iterations, DISCARDED, &compiled.codes, &files)?;
    let (profile, run) = decoded(compiled.table.clone(), &files)?;
    let cpu_ns = answer.iterations.iter().map(|(_, _, cpu)| *cpu).collect();
    let mut replaced = answer.invalid;
    replaced.extend(answer.failures);
    Ok(Counted {
        profile,
        run,
        replaced,
        cpu_ns,
    })
}

/// What a run counted whose table and files are there.
///
/// # Errors
/// When they cannot be read.
pub fn kept(table: &Path) -> anyhow::Result<Profile> {
    let (profile, _) = decoded(read(table)?, &beside(table))?;
    Ok(profile)
}

/// Events, and the counters that they were computed from; code of the JVM's own compilers has a table of its own.
fn decoded(mut table: Table, files: &EventFiles) -> anyhow::Result<(Profile, Snapshots)> {
    table.codes.extend(read(&files.late)?.codes);
    let counters = &files.counters;
    let text = std::fs::read_to_string(counters)
        .with_context(|| format!("cannot read {}", counters.display()))?;
    let run = read_counters(&text).with_context(|| counters.display().to_string())?;
    let profile = Profile::of(&table, &run, &|_| 0)?;
    Ok((profile, run))
}

/// The files that a run writes beside its table.
fn beside(table: &Path) -> EventFiles {
    EventFiles {
        counters: with_ending(table, "counters"),
        late: with_ending(table, "late.table"),
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(".");
    name.push(ending);
    path.with_file_name(name)
}

/// Units that could not be taken to count in, or not be compiled, each with its reason: `UNIT: REASON`.
#[must_use]
pub fn refused(jvm: &WarmJvm, compiled: &Compiled) -> Vec<String> {
    let mut refused = jvm.warm().refused.clone();
    refused.extend(compiled.failures.iter().cloned());
    refused
}

/// What counting took.
#[must_use]
pub fn taken(compiled: &Compiled, run: &Snapshots) -> Counters {
    Counters {
        used: run.used,
        bytes: run.bytes + run.page_bytes * run.threads,
        threads: run.threads,
        code_bytes: compiled.bytes,
        compile_s: compiled.compile_ns as f64 / 1e9,
    }
}

/// What part of the program the compiled units are: of the block executions in all units of Graal's code, those in
/// the compiled ones; code of Graal that could not be taken under control counts as not counted, by its time. What was
/// not counted is named. Where nothing can be sampled none of this is known.
///
/// # Errors
/// When the workload or the JVM fails.
pub fn coverage(jvm: &mut WarmJvm, compiled: &Compiled) -> anyhow::Result<Coverage> {
    let mut coverage = Coverage {
        units: compiled.units.len() as u64,
        ..Coverage::default()
    };
    if jvm.settings().probe.is_none() {
        return Ok(coverage);
    }
    let executed = executed(jvm);
    let all: f64 = executed.iter().map(|(_, count)| count).sum();
    let (outside, foreign) = times(jvm)?;
    let foreign_pct: f64 = foreign.iter().map(|(_, pct)| pct).sum();
    let graal = (1.0 - outside.value).max(f64::MIN_POSITIVE);
    let within_control = (1.0 - foreign_pct / 100.0 / graal).clamp(0.0, 1.0);
    let pct = |count: f64| 100.0 * count / all * within_control;
    let is_counted = |(unit, _): &&(u32, f64)| compiled.units.contains(unit);
    let counted = executed.iter().filter(is_counted).map(|(_, count)| count);
    let counted: f64 = counted.sum();
    let left_out: Vec<(u32, f64)> = executed
        .iter()
        .filter(|one| !is_counted(one))
        .map(|(unit, count)| (*unit, pct(*count)))
        .collect();
    coverage.graal_blocks_pct = (all > 0.0).then(|| pct(counted));
    coverage.outside_time_pct = Some(outside.scaled(100.0));
    coverage.uncounted = uncounted(jvm, &left_out, &foreign);
    Ok(coverage)
}

/// Units that are not counted, the largest first; `left_out` are those under control with their part of the executed
/// blocks, `foreign` others with their part of the time, both in %.
fn uncounted(jvm: &WarmJvm, left_out: &[(u32, f64)], foreign: &[(u32, f64)]) -> Vec<Uncounted> {
    let mut by_name: BTreeMap<&str, Uncounted> = BTreeMap::new();
    for (unit, pct) in left_out {
        let one = by_name.entry(jvm.unit_name(*unit)).or_default();
        one.blocks_pct = Some(one.blocks_pct.unwrap_or(0.0) + pct);
    }
    for (unit, pct) in foreign {
        let one = by_name.entry(jvm.unit_name(*unit)).or_default();
        one.time_pct = Some(one.time_pct.unwrap_or(0.0) + pct);
    }
    ranked(by_name)
}

/// Units under their names, the largest first.
#[must_use]
pub fn ranked(by_name: BTreeMap<&str, Uncounted>) -> Vec<Uncounted> {
    let named = by_name.into_iter().map(|(name, one)| Uncounted {
        unit: name.to_owned(),
        ..one
    });
    let mut all: Vec<Uncounted> = named.collect();
    all.sort_by(|a, b| b.largest_pct().total_cmp(&a.largest_pct()));
    all
}

/// Says of every unit that is not counted why, where that is known: `refused` are units with reasons, `UNIT: REASON`.
pub fn explain(coverage: &mut Coverage, refused: &[String], selection: &Selection) {
    for one in &mut coverage.uncounted {
        // Code for on-stack replacement is refused as its method.
        let (method, _) = one.unit.split_once('@').unwrap_or((one.unit.as_str(), ""));
        let of_method = |text: &String| {
            let reason = text.strip_prefix(method)?.strip_prefix(": ")?;
            Some(reason.to_owned())
        };
        let reason = refused.iter().find_map(of_method);
        one.reason = if of_the_harness(method) {
            Some("Proofmark's own".to_owned())
        } else if !selection.takes(method) {
            Some("left out, as asked for".to_owned())
        } else {
            reason
        };
    }
}

/// Share of the time outside of Graal's code, and the units of Graal's code that are not under control with their parts
/// of the time, %.
fn times(jvm: &mut WarmJvm) -> anyhow::Result<(Estimate, Vec<(u32, f64)>)> {
    let variants = [jvm.baseline()];
    let spec = WindowSpec {
        label: "look",
        seconds: LOOK_S,
        iterations: 2,
        rate_hz: Some(LOOK_HZ),
    };
    let measured = jvm.window(&spec, &variants, &[0], &mut ())?;
    let times = &measured.groups[0].times;
    let controlled: BTreeSet<u32> = jvm.units().map(|(unit, _)| unit).collect();
    let foreign = times
        .units
        .iter()
        .filter(|(unit, _)| !controlled.contains(unit))
        .map(|(unit, weight)| (*unit, 100.0 * weight.sum / times.total.sum.max(1.0)))
        .collect();
    Ok((times.outside.share_of(&times.total), foreign))
}

/// Types of the catalogue that cannot occur, with their reasons.
pub fn cannot_occur(catalogue: &[EventTypeInfo]) -> impl Iterator<Item = (&EventTypeInfo, &str)> {
    catalogue
        .iter()
        .filter_map(|kind| Some((kind, kind.cannot.as_deref()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_found_by_the_name_of_the_method() {
        let units = [
            "p.C.m()V@12",
            "p.C.n()V",
            "proofmark.harness.Runner.repeat()V",
            "java.util.List.size()I",
        ];
        let uncounted = units.map(|unit| Uncounted {
            unit: unit.into(),
            ..Uncounted::default()
        });
        let mut coverage = Coverage {
            uncounted: uncounted.into(),
            ..Coverage::default()
        };
        let selection = Selection {
            no_jdk: true,
            ..Selection::default()
        };
        let refused = ["p.C.m()V: its shape keeps changing".to_owned()];
        explain(&mut coverage, &refused, &selection);
        let reasons = coverage.uncounted.iter().map(|one| one.reason.as_deref());
        let expected = [
            Some("its shape keeps changing"),
            None,
            Some("Proofmark's own"),
            Some("left out, as asked for"),
        ];
        assert!(reasons.eq(expected), "{coverage:?}");
    }
}
