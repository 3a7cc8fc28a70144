//! What counting says in the JVMs of profilers too: how well it is then known, and which of them do not count.

use proofmark_experiment::dose::{DoseResult, SiteFacts};
use proofmark_experiment::sim::{SimulatedSites, SiteFault};
use proofmark_stats::Estimate;

use super::jvms::in_jvms;
use super::program::{profiler, program, right, tested};
use super::threads::parallel;

/// Right about all arithmetic, both of them.
const BOTH: [&str; 2] = ["right", "copies"];

/// Sites that counting knows, with what it says.
fn counted(result: &DoseResult) -> Vec<(&SiteFacts, Estimate)> {
    let all = result.sites.iter();
    let all = all.filter_map(|site| Some((site, site.by_count_pct?)));
    let all: Vec<(&SiteFacts, Estimate)> = all.collect();
    assert!(all.len() >= 3, "{:#?}", result.sites);
    all
}

/// The mean over sites of how wide their intervals are to either side, points.
fn width(result: &DoseResult) -> f64 {
    let all = counted(result);
    let widths = all.iter().map(|(_, part)| part.half_width());
    widths.sum::<f64>() / all.len() as f64
}

/// From one window to the next the machine is faster or slower by two per cent.
fn drifting() -> SimulatedSites {
    let mut labs = program(51);
    labs.speed_sd = 0.02;
    labs
}

#[test]
fn the_windows_of_profilers_say_what_a_machine_that_drifts_hides_from_one_jvm() {
    let one = tested(&drifting(), &in_jvms(&["right"], 1));
    for (site, _) in counted(&one) {
        assert_eq!(site.by_count_jvms, 1, "{site:#?}");
    }
    let all = tested(&drifting(), &in_jvms(&BOTH, 6));
    for (site, part) in counted(&all) {
        assert_eq!(site.by_count_jvms, 13, "{site:#?}");
        // Two of five may miss it by chance.
        let off = (part.value - 100.0).abs();
        assert!(off < 2.0 * part.half_width() && off < 1.5, "{site:#?}");
    }
    let widths = [width(&one), width(&all)];
    assert!(widths[1] < 0.8 * widths[0], "{widths:?}");
    assert!(all.remarks.iter().all(|one| !one.starts_with("counting")));
}

/// Beside long turns everything else takes half as long again, so that some five of a hundred parts of the added time are not the loop's.
#[test]
fn what_a_program_slows_by_while_time_is_added_is_known_over_jvms() {
    let mut labs = program(52);
    for method in &mut labs.methods {
        method.overlaps = -0.5;
    }
    let result = tested(&labs, &in_jvms(&BOTH, 4));
    let of = &result.attribution["right"];
    for (site, part) in counted(&result) {
        let mut rows = of.rows.iter();
        let row = rows.find(|row| (&row.method, &row.place) == (&site.method, &site.place));
        let row = row.expect("it is tested");
        let reached = site.executions.expect("it is counted");
        // As the simulated program has it: 10 ns of each pass are hidden, and the others take 1 ms.
        let takes = |turns: u16| {
            let shown = f64::from(turns) * f64::from(site.steps) - 10.0;
            let others = 1e6 * (1.0 + 0.5 * (1.0 - (-shown / 350.0).exp()));
            (reached * shown, reached * shown + others)
        };
        let [(low, at_low), (high, at_high)] = row.turns.map(takes);
        let expected = 100.0 * (high - low) / (at_high - at_low);
        assert!(expected < 98.0, "{expected} {site:#?}");
        assert_eq!(site.by_count_jvms, 9, "{site:#?}");
        assert!((part.value - expected).abs() < 1.0, "{expected} {site:#?}");
        // What is right for one comes from the other one and the process without a profiler.
        let least = row.truth_pct[0];
        assert!(least < expected + 0.5 && least > expected - 4.0, "{row:#?}");
    }
}

/// It would excuse itself, and with it everybody else.
#[test]
fn a_profiler_that_takes_time_where_time_is_added_does_not_say_what_is_right() {
    let mut labs = program(53);
    let slows = profiler("slows", SiteFault::Slows { part: 0.08 });
    labs.profilers.push(slows);
    let result = tested(&labs, &in_jvms(&["slows", "right"], 4));
    for (site, part) in counted(&result) {
        assert_eq!(site.by_count_jvms, 5, "{site:#?}");
        assert!((part.value - 100.0).abs() < 1.5, "{site:#?}");
    }
    let mut remarks = result.remarks.iter();
    let remark = remarks.find(|one| one.starts_with("counting"));
    let remark = remark.expect("it is said");
    assert!(remark.contains("under slows (7."), "{remark}");
    assert!(!remark.contains("under right"), "{remark}");
    // By the clock of its own JVMs it reports everything in place.
    for name in ["slows", "right"] {
        let of = &result.attribution[name];
        right(of);
        for row in &of.rows {
            assert!(row.truth_pct[0] > 98.0, "{row:#?}");
        }
    }
}

/// Of its rows, the mean of the least that is right there.
fn least_right(result: &DoseResult, profiler: &str) -> f64 {
    let rows = &result.attribution[profiler].rows;
    let all = rows.iter().map(|row| row.truth_pct[0]);
    all.sum::<f64>() / rows.len() as f64
}

/// Two per cent are too few to contradict anybody.
#[test]
fn a_profiler_does_not_move_what_it_is_judged_by() {
    let with = |fault: SiteFault| {
        let mut labs = program(54);
        labs.profilers.push(profiler("slows", fault));
        tested(&labs, &in_jvms(&["slows", "right"], 6))
    };
    let slows = with(SiteFault::Slows { part: 0.02 });
    let none = with(SiteFault::Slows { part: 0.0 });
    let remarks = &slows.remarks;
    assert!(remarks.iter().all(|one| !one.starts_with("counting")));
    let moved = |name: &str| least_right(&none, name) - least_right(&slows, name);
    assert!(moved("slows").abs() < 0.3, "{}", moved("slows"));
    assert!(moved("right") > 1.0, "{}", moved("right"));
}

/// Nobody would be left to judge it.
#[test]
fn one_profiler_alone_is_not_asked_to_count() {
    let result = tested(&drifting(), &in_jvms(&["right"], 9));
    for (site, _) in counted(&result) {
        assert_eq!(site.by_count_jvms, 1, "{site:#?}");
    }
}

/// What other threads do while the time of a step is read would be in the profile, and not in the program's time.
#[test]
fn a_program_of_several_threads_is_counted_without_a_profiler_only() {
    let result = tested(&parallel(55, false), &in_jvms(&BOTH, 6));
    for (site, _) in counted(&result) {
        assert_eq!(site.by_count_jvms, 1, "{site:#?}");
    }
}
