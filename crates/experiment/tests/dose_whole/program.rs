//! The program that is tested, its profilers, and what is asked for.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::sites::{DoseError, DoseOrder, run};
use proofmark_experiment::dose::{
    Again, Attribution, AttributionRow, DoseKind, DoseResult, LineVerdict, MachineFacts, Size,
};
use proofmark_experiment::sim::{
    Happening, SimulatedSites, SiteFault, SiteProfiler, SitedMethod, Trouble,
};
use proofmark_experiment::{LabError, Silent};

pub const GET: &str = "com.acme.Table.get";
pub const PUT: &str = "com.acme.Table.put";
pub const RUN: &str = "com.acme.Main.run";
pub const TAIL: &str = "com.acme.Main.tail";

/// A program of a millisecond: two methods that are entered often, one of them with a loop, one that is entered once and
/// loops, and a small one. Profilers are called what is wrong with them; `right` is.
pub fn program(seed: u64) -> SimulatedSites {
    let method = |name, own_ns, entries, in_loop, pct| SitedMethod {
        in_loop,
        bytecode_pct: Some(pct),
        ..SitedMethod::new(name, own_ns, entries)
    };
    let methods = vec![
        method(GET, 300e3, 6000, 0, 30.0),
        method(PUT, 250e3, 8000, 3000, 25.0),
        method(RUN, 350e3, 1, 9000, 35.0),
        method(TAIL, 60e3, 4000, 0, 6.0),
    ];
    let mut labs = SimulatedSites::new(methods, seed);
    labs.outside_ns = 40e3;
    let moves = SiteFault::MovesAdded {
        from: GET.into(),
        to: PUT.into(),
    };
    let copies = SiteFault::MovesKind {
        kind: DoseKind::Copy,
        from: GET.into(),
        to: PUT.into(),
    };
    let drops = SiteFault::Drops {
        method: GET.into(),
        part: 0.4,
    };
    labs.profilers = [
        ("right", SiteFault::None),
        ("moves", moves),
        ("copies", copies),
        ("drops", drops),
        ("loses", SiteFault::Loses { part: 0.2 }),
        ("dead", SiteFault::Fails),
    ]
    .map(|(name, fault)| profiler(name, fault))
    .into();
    labs
}

/// A profiler of 4000 samples per second.
pub fn profiler(name: &str, fault: SiteFault) -> SiteProfiler {
    SiteProfiler {
        name: name.into(),
        samples_per_s: 4000.0,
        fault,
    }
}

/// What is asked for, of these profilers.
pub fn order(profilers: &[&str]) -> DoseOrder {
    DoseOrder {
        program: "Table".into(),
        size: Size {
            profilers: profilers.iter().map(|name| (*name).to_owned()).collect(),
            methods: 8,
            rounds: 3,
            budget_s: 20.0,
            runs: 1,
            window_s: 0.3,
            at_once: 1,
        },
        most_runs: 1,
        named: Vec::new(),
        most_s: None,
        kind: DoseKind::Arithmetic,
        margin_pt: 5.0,
        seed: 7,
        again: Again::default(),
        machine: machine(),
        busy: None,
        remarks: vec!["the machine is simulated".into()],
    }
}

/// The machine, as the order says it.
pub fn machine() -> MachineFacts {
    MachineFacts {
        model_name: "simulated".into(),
        vendor: "nobody".into(),
        family: Some(25),
        model: Some(17),
        logical_processors: 2,
        hardware_counters: false,
        kernel: "6.1.0".into(),
        virtual_machine: true,
    }
}

/// The result of a test.
pub fn tested(labs: &SimulatedSites, order: &DoseOrder) -> DoseResult {
    run(labs, order, &Silent).expect("a result")
}

/// Why there is no result.
pub fn refused(labs: &SimulatedSites, order: &DoseOrder) -> DoseError<LabError> {
    run(labs, order, &Silent).expect_err("no result")
}

/// The first row of a method.
pub fn row<'a>(of: &'a Attribution, method: &str) -> &'a AttributionRow {
    let mut all = of.rows.iter();
    all.find(|row| row.method == method)
        .unwrap_or_else(|| panic!("no row {method}: {of:#?}"))
}

/// What happens in a process.
pub fn trouble(process: &str, what: Happening) -> Trouble {
    Trouble {
        process: process.into(),
        what,
    }
}

/// Checks that a profiler is called right, at every site and every line.
pub fn right(of: &Attribution) {
    assert!(of.certified && of.verdict == Verdict::Right, "{of:#?}");
    for row in &of.rows {
        assert!((row.in_place_pct.value - 100.0).abs() < 5.0, "{row:#?}");
        assert_eq!(row.line_verdict, LineVerdict::Right, "{row:#?}");
    }
}
