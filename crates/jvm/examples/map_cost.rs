//! What the map of blocks costs: the laboratory's code against what the unmodified compiler makes, in JVMs by turns.
//!
//! `cargo run --release -p proofmark-jvm --example map_cost -- [PAIRS [PROGRAM...]]`
//!
//! # Accuracy
//! A pair is two fresh JVMs, warmed up, whose CPU time per iteration is the median of [`WINDOWS`] windows of
//! [`WINDOW_S`] s. The laboratory's code is measured at the offset in the cache line at which HotSpot puts every
//! method, as the unmodified compiler's is. The interval is Student's over the pairs' log ratios; what differs
//! between JVMs (profiles, inlining, data placement) is in it. The last line is over the pairs of all programs.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use proofmark_experiment::lab::WindowSpec;
use proofmark_jvm::toolchain::{Kit, Settings};
use proofmark_jvm::{Compiler, LabError, LabSettings, Launch, WarmJvm, Workload};
use proofmark_stats::mean_t;

/// Windows of a JVM, at least one per placement and offset.
const WINDOWS: usize = 16;
/// Length of one, s.
const WINDOW_S: f64 = 0.25;
/// Programs without an argument.
const PROGRAMS: [&str; 6] = ["Towers", "Queens", "Permute", "Sieve", "Bounce", "List"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let pairs: usize = words.next().map_or(Ok(5), |word| word.parse())?;
    let mut programs: Vec<String> = words.collect();
    if programs.is_empty() {
        programs = PROGRAMS.map(str::to_owned).to_vec();
    }
    let kit = Kit::assemble(&Settings::from_env())?;
    let place = tempfile::tempdir()?;
    println!("program pairs ratio low high unmodified_ms");
    let mut all = Vec::new();
    for program in programs {
        let workload = Workload::parse(&format!("suite:{program}"), Vec::new())?;
        let mut logs = Vec::new();
        let mut base = Vec::new();
        for pair in 0..pairs {
            let time = |launch| iteration_ms(&kit, &workload, launch, place.path());
            // The order alternates, so that a drift of the machine cancels.
            let (ours, theirs) = if pair.is_multiple_of(2) {
                let ours = time(Launch::default())?;
                (ours, time(unmodified(&kit))?)
            } else {
                let theirs = time(unmodified(&kit))?;
                (time(Launch::default())?, theirs)
            };
            logs.push((ours / theirs).ln());
            base.push(theirs);
        }
        all.extend_from_slice(&logs);
        say(&program, &logs, base.iter().sum::<f64>() / pairs as f64)?;
    }
    say("all", &all, f64::NAN)
}

/// One line: the geometric mean of the ratios with its 95 % interval.
fn say(program: &str, logs: &[f64], unmodified_ms: f64) -> Result<(), Box<dyn std::error::Error>> {
    let mean = mean_t(logs).ok_or("too few pairs")?;
    println!(
        "{program} {} {:.3} {:.3} {:.3} {unmodified_ms:.2}",
        logs.len(),
        mean.value.exp(),
        mean.low.exp(),
        mean.high.exp(),
    );
    Ok(())
}

/// The same Graal without the plug-in.
fn unmodified(kit: &Kit) -> Launch {
    let options = [
        "-XX:+EnableJVMCI",
        "-XX:+UseJVMCICompiler",
        "-XX:+EagerJVMCI",
        "-XX:-UseJVMCINativeLibrary",
        "--upgrade-module-path",
    ];
    let mut options: Vec<String> = options.map(str::to_owned).to_vec();
    options.push(kit.graal_dir.display().to_string());
    Launch {
        compiler: Compiler::C2,
        options,
        ..Launch::default()
    }
}

/// Median over windows of the CPU time per iteration, ms.
fn iteration_ms(
    kit: &Kit,
    workload: &Workload,
    launch: Launch,
    place: &Path,
) -> Result<f64, LabError> {
    let settings = LabSettings {
        launch,
        profiles: None,
        wanted: Vec::new(),
        scope: proofmark_jvm::Scope::default(),
        several_threads: false,
        log: place.join("log"),
        iteration_limit: Duration::from_secs(60),
        warm_up_s: (5.0, 60.0),
        together: None,
        probe: Some(proofmark_sampler::probe()?),
        resolution: proofmark_blocks::Resolution {
            skid: proofmark_blocks::Skid::NextInstruction,
            border_cycles: proofmark_stats::Estimate::around(1.0, 0.0, 1),
        },
        filler: proofmark_experiment::lab::Filler::Mov,
        progress: Arc::new(|_| ()),
        interrupted: Arc::default(),
    };
    let mut jvm = WarmJvm::prepare(kit, workload, settings)?;
    let spec = WindowSpec {
        label: "map cost",
        seconds: WINDOW_S,
        iterations: 3,
        rate_hz: None,
    };
    let (alignments, baseline) = (jvm.alignments(), jvm.baseline());
    let measured = jvm.window(&spec, &[baseline], &vec![0; WINDOWS * alignments], &mut ())?;
    jvm.stop();
    let mut times: Vec<f64> = measured
        .of_variant(0)
        .step_by(alignments)
        .map(|group| group.cpu_ns() / group.iterations.len() as f64 / 1e6)
        .collect();
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}
