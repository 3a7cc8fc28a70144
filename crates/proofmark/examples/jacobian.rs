//! Single-block changes around a plan (throw-away).
use proofmark::run::cells::{Baseline, Cells, tables};
use proofmark_blocks::{BlockTimes, SelectionSettings};
use proofmark_jvm::toolchain::{Kit, Settings};
use proofmark_jvm::*;
use std::sync::Arc;

fn main() -> anyhow::Result<()> {
    let name = std::env::args().nth(1).unwrap();
    let placements: Vec<String> = std::env::args().nth(2).unwrap().split(',').map(str::to_owned).collect();
    let delta: f64 = std::env::args().nth(3).unwrap().parse()?;
    let reps: usize = std::env::args().nth(4).unwrap().parse()?;
    let t0 = std::time::Instant::now();
    let kit = Kit::assemble(&Settings::from_env())?;
    let workload = Workload::parse(&name, vec![])?;
    let settings = BenchSettings {
        launch: Launch::default(), profiles: None, wanted: vec![], log: format!("/tmp/pm-{}.log", std::process::id()).into(),
        iteration_limit: std::time::Duration::from_secs(30), warm_up_s: (2.0, 60.0),
        probe: proofmark_sampler::probe()?, skid: proofmark_blocks::Skid::NextInstruction,
        progress: Arc::new(move |s| eprintln!("{:6.1} {s}", t0.elapsed().as_secs_f64())), interrupted: Arc::default(),
    };
    let mut bench = Bench::prepare(&kit, &workload, settings)?;
    let spec = WindowSpec { label: "x", seconds: 0.15, iterations: 1, rate_hz: Some(8000.0) };
    let base = bench.baseline();
    let first = bench.window(&spec, &[base.clone()], &vec![0; 20], &mut ())?;
    let mut times = BlockTimes::default();
    first.groups.iter().for_each(|g| times.merge(&g.times));
    let its: usize = first.groups.iter().map(|g| g.iterations.len()).sum();
    let cpu: f64 = first.groups.iter().map(|g| g.cpu_ns()).sum();
    let executions = bench.executions().clone();
    let b = Baseline { map: bench.lab().map(), times: &times, executions: &executions, iteration_ns: cpu / its as f64, clock_ghz: 3.5 };
    let cells = Cells::choose(&b, &SelectionSettings { ratio: 2.0, standard_error: 0.10, shortest_block_cycles: 0.0, samples: Some(100_000.0), ..SelectionSettings::default() });
    let s = cells.selection();
    eprintln!("judged {:.3} covered {:.3} cells {}", s.judged.value, s.covered.value, cells.cells().len());
    let (y, _) = cells.samples(&times);
    let n = cells.cells().len();
    let tau: Vec<f64> = (0..n).map(|c| y[c] / times.total.sum * b.iteration_ns * 3.5 / cells.cells()[c].executions_per_iteration).collect();
    let plan: Vec<u32> = match std::env::args().nth(5) {
        Some(p) => { let mut v: Vec<u32> = p.split(',').map(|x| x.parse().unwrap()).collect(); v.resize(n, 0); v }
        None => (0..n).map(|c| if cells.judged_block(c).is_some() { (5.0 * tau[c]).round() as u32 } else { 0 }).collect(),
    };
    for c in 0..n {
        let map = bench.lab().map();
        if let Some(key) = cells.judged_block(c) {
            let block = map.units()[key.unit as usize].blocks.iter().find(|b| b.id == key.block).unwrap();
            eprintln!("{c} {} b{} c{} share {:.1} tau {:.2} k {} succ {:?} ops {}", cells.cells()[c].unit, key.block, cells.cells()[c].cluster, 100.0 * y[c] / times.total.sum, tau[c], plan[c], block.successors, block.operations.iter().map(|o| o.to_string()).collect::<Vec<_>>().join(" "));
        }
    }
    let judged: Vec<usize> = (0..n).filter(|&c| cells.judged_block(c).is_some() && y[c] / times.total.sum > 0.02).take(12).collect();
    for placement in &placements {
        let (p, filler) = match placement.as_str() { "start" => (Placement::Start, Filler::Mov), "end" => (Placement::End, Filler::Mov), "nop" => (Placement::Spread, Filler::Nop), _ => (Placement::Spread, Filler::Mov) };
        let mut plans: Vec<(String, Vec<u32>)> = vec![("plan".into(), plan.clone())];
        for &c in &judged {
            let mut q = plan.clone();
            let d = if delta < 0.0 { -delta } else { (delta * tau[c]).ceil().max(1.0) };
            q[c] += d as u32;
            plans.push((format!("b{} +{}", cells.cells()[c].block, q[c] - plan[c]), q));
        }
        for f in [0.5, 1.3] { plans.push((format!("x{f}"), plan.iter().map(|k| (f64::from(*k) * f).round() as u32).collect())); }
        let mut sides = vec![base.clone()];
        for (_, q) in &plans { sides.push(bench.side(&tables(&cells.instructions(q), filler, p))?); }
        let mut order = Vec::new();
        for r in 0..reps { if r % 2 == 0 { order.extend(0..sides.len()) } else { order.extend((0..sides.len()).rev()) } }
        let m = bench.window(&spec, &sides, &order, &mut ())?;
        // time per iteration per cell, ns, per side
        let of = |side: usize| -> (Vec<f64>, Vec<f64>, f64, f64) {
            let gs: Vec<_> = m.of_side(side).collect();
            let its: f64 = gs.iter().map(|g| g.iterations.len() as f64).sum();
            let cpu: f64 = gs.iter().map(|g| g.cpu_ns()).sum::<f64>() / its;
            let mut t = BlockTimes::default();
            gs.iter().for_each(|g| t.merge(&g.times));
            let (y, _) = cells.samples(&t);
            let v = y.iter().map(|y| y / t.total.sum * cpu).collect();
            let per: Vec<f64> = gs.iter().map(|g| g.cpu_ns() / g.iterations.len() as f64 / cpu).collect();
            let sd = (per.iter().map(|x| (x - 1.0).powi(2)).sum::<f64>() / per.len() as f64).sqrt();
            (v, y, cpu, sd)
        };
        let zero = of(0);
        let whole = zero.2;
        println!("== {placement}: base {:.3} ms sd {:.3}", whole / 1e6, zero.3);
        print!("{:>12}", "");
        for &c in &judged { print!("  b{:<5}", cells.cells()[c].block); }
        println!("  total");
        let pl = of(1);
        print!("{:>12}", "k"); for &c in &judged { print!(" {:6}", plan[c]); } println!();
        print!("{:>12}", "plan %");
        for &c in &judged { print!(" {:6.1}", 100.0 * (pl.0[c] / zero.0[c] - 1.0)); }
        println!(" {:6.1} (sd {:.3})", 100.0 * (pl.2 / whole - 1.0), pl.3);
        print!("{:>12}", "se");
        for &c in &judged { print!(" {:6.1}", 100.0 * pl.0[c] / zero.0[c] * (1.0 / pl.1[c] + 1.0 / zero.1[c]).sqrt()); }
        println!();
        for (i, (label, q)) in plans.iter().enumerate().skip(1) {
            let s = of(i + 1);
            if label.starts_with('x') {
                print!("{label:>12}");
                for &c in &judged { print!(" {:6.1}", 100.0 * (s.0[c] / zero.0[c] - 1.0)); }
                println!(" {:6.1} (sd {:.3})", 100.0 * (s.2 / whole - 1.0), s.3);
                continue;
            }
            // change in cycles per execution of the changed block, per mov
            let c0 = judged[i - 1];
            let d = f64::from(q[c0] - plan[c0]);
            let scale = 3.5 / cells.cells()[c0].executions_per_iteration / d;
            print!("{label:>12}");
            for &c in &judged { print!(" {:6.3}", (s.0[c] - pl.0[c]) * scale); }
            println!(" {:6.3}  sd {:.3}", (s.2 - pl.2) * scale, s.3);
        }
    }
    bench.stop();
    Ok(())
}
