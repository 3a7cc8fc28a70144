//! The search against programs whose true answer is known.
mod common;

use common::{mean, searched};
use proofmark_divine::simulate::Program;

#[test]
fn probe() {
    for program in [
        Program::mix(),
        Program::json(),
        Program::mem(),
        Program::tiny(),
    ] {
        let sqrt: f64 = program.blocks.iter().map(|b| b.share.sqrt()).sum();
        let sub: f64 = program
            .blocks
            .iter()
            .filter(|b| b.tau < 1.0)
            .map(|b| b.share)
            .sum();
        for target in [0.5, 1.0, 1.5] {
            let started = std::time::Instant::now();
            let s: Vec<_> = (0..20)
                .map(|seed| searched(&program, seed, target))
                .collect();
            println!(
                "{} {target} sqrt {sqrt:.1} sub {sub:.3}: total {:.2} |{:.2}| max {:.2} exp {:.2}, block {:.1} (exp {:.1}) cluster {:.1} within {:.0} plans {:.1} max {} rounds {:.1} {:?}",
                program.name,
                mean(&s, |s| s.total_pt),
                mean(&s, |s| s.total_pt.abs()),
                s.iter().map(|s| s.total_pt.abs()).fold(0.0, f64::max),
                mean(&s, |s| s.expected_total_pt),
                mean(&s, |s| s.block_pt),
                mean(&s, |s| s.expected_block_pt),
                mean(&s, |s| s.cluster_pt),
                mean(&s, |s| s.within_10),
                mean(&s, |s| s.plans),
                s.iter().map(|s| s.plans).fold(0.0, f64::max),
                mean(&s, |s| s.rounds),
                started.elapsed()
            );
        }
    }
}
