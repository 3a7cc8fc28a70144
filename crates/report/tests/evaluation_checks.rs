//! Checks around the slowdown in an evaluation: both protocols, the published search, what the sampler costs, static cost
//! models.

use crate::common::evaluation::{HOSTILE, large};
use crate::common::study::page;
use crate::page::spaced;
use proofmark_divine::SearchKind;
use proofmark_experiment::divine::{
    Agreement, Compared, ComparedRow, CostFigures, CostMiss, CostModel, FreshResult, StaticCost,
};
use proofmark_experiment::evaluate::{Evaluation, ProgramResult, SamplerCost, SearchDone};
use proofmark_report::{Style, evaluation_html, evaluation_text};
use proofmark_stats::Estimate;
use proofmark_test_support::fit_schema;

fn plain(width: usize) -> Style {
    Style {
        color: false,
        width,
    }
}

/// So many agree of so many.
fn agreement(agree: u64, compared: u64) -> Agreement {
    let overhead = Compared::of(
        Estimate::around(100.0, 2.0, 30),
        Estimate::around(103.0, 4.0, 10),
    );
    let row = |block: u64| ComparedRow {
        unit: "a.B.c()V".into(),
        block: block as u32,
        share_pct: 4.0,
        overhead,
    };
    Agreement {
        compared,
        agree,
        bias_pt: Some(3.0),
        off_pt: Some(3.4),
        rows: (0..compared).map(row).collect(),
    }
}

/// Fresh JVMs are off by `bias` points.
fn fresh(bias: f64) -> FreshResult {
    let quick = Estimate::around(100.0, 0.6, 30);
    FreshResult {
        pairs: 10,
        whole: 9,
        fitted_pct: Some(97.3),
        failures: Vec::new(),
        total: Some(Compared::of(quick, Estimate::around(100.0 + bias, 0.8, 10))),
        spread_pt: Some(1.9),
        baseline_spread_pct: Some(1.4),
        sets: agreement(5, 6),
        blocks: agreement(21, 23),
    }
}

/// A model whose shares overlap so far with the measured ones.
fn cost(model: CostModel, overlap: f64, sets: u64) -> StaticCost {
    let figures = |compared: u64| CostFigures {
        compared,
        correlation: Some(Estimate::around(0.8, 0.1, compared)),
        overlap_pct: Estimate::around(overlap, 1.5, 20),
        again_pct: 98.4,
        off_by_5_pt_pct: Estimate::around(31.0, 2.0, 20),
        worst: CostMiss {
            unit: format!("a.B.{HOSTILE}()V"),
            block: 12,
            model_pct: 9.0 + overlap / 10.0,
            measured_pct: Estimate::around(4.0, 0.4, 20),
        },
    };
    StaticCost {
        model,
        sets: (sets > 1).then(|| figures(sets)),
        blocks: Some(figures(40)),
    }
}

/// All programs were searched for step by step, and looked at in fresh JVMs at +100 %: every third one is off there.
fn checked() -> Evaluation {
    let Evaluation {
        targets_pct,
        mut programs,
        ..
    } = large();
    for (at, program) in programs.iter_mut().enumerate() {
        for plan in &mut program.plans {
            plan.search = SearchDone {
                kind: SearchKind::Stepwise,
                rounds: Some(150),
                seconds: Some(3000.0),
            };
            plan.sampler = Some(SamplerCost {
                rate_hz: 8000.0,
                pct: Estimate::around(15.0 + 0.5 * at as f64, 0.4, 5),
            });
            let overlap = 60.0 + at as f64;
            plan.static_cost = vec![
                cost(CostModel::Cycles, overlap, plan.judged_sets),
                cost(CostModel::Operations, overlap - 20.0, plan.judged_sets),
            ];
            if plan.target_pct == 100.0 {
                plan.fresh = Some(fresh(if at % 3 == 0 { 2.5 } else { 0.3 }));
            }
        }
    }
    let one = programs[2].plans[1].fresh.as_mut().expect("at +100 %");
    one.failures.push(format!("the JVM ended {HOSTILE}"));
    programs[3].plans[1].fresh.as_mut().expect("one").total = None;
    Evaluation::of(&targets_pct, programs)
}

#[test]
fn figures_over_programs_are_added_up() {
    let found = checked();
    fit_schema("evaluation.schema.json", std::slice::from_ref(&found));
    assert_eq!(found.protocols.len(), 1, "only +100 % was asked for");
    let all = &found.protocols[0];
    // Of 14 programs one has no total, and 0, 6, 9 and 12 are off.
    assert_eq!((all.programs, all.agree), (13, 9));
    assert_eq!((all.sets, all.blocks), ([70, 84], [294, 322]));
    assert_eq!(all.worst.as_ref().map(|(_, bias)| bias.value), Some(2.5));
    let sampler = found.sampler.as_ref().expect("it is known");
    assert_eq!(
        (
            sampler.programs,
            sampler.least.1.value,
            sampler.most.1.value
        ),
        (14, 15.0, 21.5)
    );
}

#[test]
fn static_cost_models_are_added_up_and_shown() {
    let found = checked();
    let [cycles, operations] = &found.static_costs[..] else {
        panic!("two models: {:?}", found.static_costs);
    };
    assert_eq!((cycles.programs, operations.programs), (14, 14));
    let with_sets = |program: &&ProgramResult| {
        let mut plans = program.plans.iter();
        plans.any(|plan| plan.judged_sets > 1)
    };
    let with_sets = found.programs.iter().filter(with_sets).count() as u64;
    assert_eq!(cycles.with_sets, with_sets);
    let typical = cycles.overlap_pct.expect("more than six programs");
    let less = operations.overlap_pct.expect("more than six programs");
    assert!(
        (typical.value - less.value - 20.0).abs() < 1e-9,
        "{typical:?}"
    );
    let (_, worst) = cycles.worst.as_ref().expect("a set");
    assert!((worst.off_pt() - 12.3).abs() < 1e-9, "{worst:?}");
    let text = evaluation_text(&found, plain(160));
    assert!(!text.contains('\u{1b}'), "no escape sequence of others");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let html = spaced(&evaluation_html(&found, &page()));
    assert!(!html.contains(HOSTILE) && html.contains("<section id=\"static-cost\">"));
    for said in [
        "own estimates do instead of measuring?",
        "counted executions: the shares of sets overlap with the measured ones by typically",
        "are off by more than 5 points",
    ] {
        assert!(text.contains(said), "{said}: {text}");
        assert!(html.contains(said), "{said}");
    }
    assert!(!evaluation_html(&large(), &page()).contains("static-cost"));
}

#[test]
fn the_terminal_has_both_protocols_and_the_samplers_cost() {
    let text = evaluation_text(&checked(), plain(160));
    assert!(!text.contains('\u{1b}'), "no escape sequence of others");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [
        "by steps,",
        "by steps: searched for as published",
        "Does a plan do the same in JVMs of their own?",
        "+100.3 (99.5 to 101.1; 10)",
        "5 of 6",
        "21 of 23",
        "97 %",
        "suite:Mandelbrot: a fresh JVM failed: the JVM ended",
        "What does our own sampler cost?",
        "2.35 % (median over programs; 0.29 to 5.88)",
        "the totals of 9 of 13 programs agree",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

#[test]
fn its_tables_keep_to_the_width_of_the_terminal() {
    for width in [80, 100, 160] {
        let text = evaluation_text(&checked(), plain(width));
        let long: Vec<&str> = text.lines().filter(|l| l.chars().count() > width).collect();
        assert!(long.is_empty(), "{width}: {long:#?}");
    }
}

#[test]
fn the_page_has_both_protocols_and_the_samplers_cost() {
    let html = evaluation_html(&checked(), &page());
    for id in ["protocols", "sampler"] {
        assert!(html.contains(&format!("<section id=\"{id}\">")), "{id}");
    }
    assert!(html.contains("10 by steps") && html.contains("by steps: searched for as published"));
    assert!(!html.contains(HOSTILE) && !html.contains("NaN"));
    let without = evaluation_html(&large(), &page());
    for id in ["protocols", "sampler"] {
        assert!(!without.contains(&format!("<section id=\"{id}\">")), "{id}");
    }
}
