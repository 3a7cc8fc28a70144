//! Tuning experiments with the search on a real laboratory (to be deleted).


use proofmark_jvm::toolchain::{Kit, Settings};
use proofmark_jvm::*;
use std::sync::Arc;

fn main() -> anyhow::Result<()> {
    let name = std::env::args().nth(1).unwrap();
    let target: f64 = std::env::args().nth(2).map_or(1.0, |t| t.parse::<f64>().unwrap() / 100.0);
    let t0 = std::time::Instant::now();
    let kit = Kit::assemble(&Settings::from_env())?;
    eprintln!("kit {:?}", t0.elapsed());
    let workload = Workload::parse(&name, vec![])?;
    let settings = BenchSettings {
        launch: Launch::default(),
        profiles: None,
        wanted: vec![],
        log: "/tmp/pm.log".into(),
        iteration_limit: std::time::Duration::from_secs(30),
        warm_up_s: (2.0, 60.0),
        probe: proofmark_sampler::probe()?,
        skid: proofmark_blocks::Skid::NextInstruction,
        progress: Arc::new(move |s| eprintln!("{:6.1} {s}", t0.elapsed().as_secs_f64())),
        interrupted: Arc::default(),
    };
    let mut bench = Bench::prepare(&kit, &workload, settings)?;
    eprintln!("{:?}", bench.warm());
    let request = proofmark::run::divine::Request {
        target,
        clock_ghz: 3.5,
        prior: Default::default(),
        filler: (Filler::Mov, Placement::Spread),
        effort: Default::default(),
        seed: 1,
    };
    let d = proofmark::run::divine::divine(&mut bench, &request)?;
    let s = d.cells.selection();
    eprintln!("selected judged {:?} covered {:?} cells {} excluded {:?}", s.judged, s.covered, s.cells.len(), s.excluded.iter().map(|e| (e.reason.to_string(), e.share.value)).collect::<Vec<_>>());
    let o = &d.outcome;
    for (i, c) in o.cells.iter().enumerate() {
        let cell = &d.cells.cells()[i];
        let e = &d.evaluation.cells[i];
        let a = e.achieved_overhead_pct;
        eprintln!("{:>40} b{:<4} c{:<3} share {:5.1} tau {:6.2} k {:4} slope {:.3} hinge {:5.1} search {:6.1} eval {:6.1} ({:.1}..{:.1}) {:?} {:?}", &cell.unit[cell.unit.len().saturating_sub(40)..], cell.block, cell.cluster, c.share_pct, c.cycles, c.count, c.slope_cycles.value, c.hinge.value, c.overhead_pct.value, a.map_or(f64::NAN, |a| a.value), a.map_or(f64::NAN, |a| a.low), a.map_or(f64::NAN, |a| a.high), c.reason, cell.kind);
    }
    let e = &d.evaluation;
    let f = |e: &proofmark_stats::Estimate| format!("{:.2} ({:.2} to {:.2}, n {})", e.value, e.low, e.high, e.n);
    eprintln!("plans {} rounds {} stop {:?} wall {:.1}", o.plans_tried, o.rounds, o.stop, t0.elapsed().as_secs_f64());
    eprintln!("overhead {} block {} raw {} noise {} cluster {} within10 {} coverage {:.1} outside {:.1} aim {:.1}", f(&e.overhead_pct), f(&e.block_error_pt), f(&e.block_error_raw_pt), f(&e.block_error_noise_pt), f(&e.cluster_error_pt), f(&e.within_10_pt_pct), e.coverage_pct, o.outside_pct, o.aim_pct);
    eprintln!("lost {} repeats {}", d.lost, d.repeats);
    bench.stop();
    Ok(())
}
