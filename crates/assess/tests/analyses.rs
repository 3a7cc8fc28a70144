//! A profiler that is undecided gets its windows once more; one that fails is part of the result.

use crate::common::{program, seeded};
use proofmark_assess::{
    Assessment, Evidence, ProfilerEvidence, Role, Settings, Verdict, assess, overall,
};
use proofmark_experiment::sim::{Fault, Simulation};

/// All windows of the first analysis, then those of a second one in the same JVM.
fn once_more(s: &Simulation, seed: u64) -> Evidence {
    let mut first = seeded(s, seed).profiler("x", Role::Subject);
    let second = seeded(s, seed + 1000).profiler("x", Role::Subject);
    let windows = first.truth.iter().map(|w| w.at.window + 1).max().unwrap();
    let blocks = first.truth.iter().map(|w| w.at.block + 1).max().unwrap();
    let later = |at: &mut proofmark_assess::WindowAt| {
        at.window += windows;
        at.block += blocks;
    };
    let ProfilerEvidence {
        windows: mut seen,
        mut truth,
        mut totals,
        ..
    } = second;
    seen.iter_mut().for_each(|w| later(&mut w.at));
    truth.iter_mut().for_each(|w| later(&mut w.at));
    totals.iter_mut().for_each(|w| later(&mut w.at));
    first.windows.extend(seen);
    first.truth.extend(truth);
    first.totals.extend(totals);
    first.analyses = 2;
    s.evidence_of(vec![first])
}

fn verdict(evidence: &Evidence) -> Verdict {
    assess(evidence, &Settings::default()).unwrap().profilers[0].verdict
}

/// Verdicts (right, wrong, undecided) over seeds, after one analysis and after a second one where the first left it open.
fn tallies(s: &Simulation, tries: u64) -> [[u32; 3]; 2] {
    let mut tallies = [[0; 3]; 2];
    for seed in 0..tries {
        let one = verdict(&seeded(s, seed).evidence("x"));
        let two = match one {
            Verdict::Undecided => verdict(&once_more(s, seed)),
            decided => decided,
        };
        for (tally, verdict) in tallies.iter_mut().zip([one, two]) {
            tally[verdict as usize] += 1;
        }
    }
    tallies
}

/// Half of the samples that a clear answer needs.
fn scarce(fault: Fault) -> Simulation {
    let mut s = program(60.0, fault);
    s.request.budget_s = 80.0;
    s
}

#[test]
fn a_second_look_decides_more_and_is_wrong_no_more_often() {
    let [one, two] = tallies(&scarce(Fault::None), 60);
    assert!(two[0] > one[0] + 10, "{one:?} {two:?}");
    assert!(two[1] <= 1, "{one:?} {two:?}");
}

#[test]
fn a_profiler_that_failed_is_undecided_with_its_reason_and_the_others_are_judged() {
    let s = program(100.0, Fault::None);
    let mut failed = s.profiler("broken", Role::Subject);
    failed.windows.clear();
    failed.truth.clear();
    failed.totals.clear();
    failed.failure = Some("the JVM ended\nduring 'window'".into());
    let both = s.evidence_of(vec![failed, s.profiler("good", Role::Subject)]);
    let assessment: Assessment = assess(&both, &Settings::default()).unwrap();
    let [broken, good] = &assessment.profilers[..] else {
        panic!("two profilers");
    };
    assert_eq!(
        (broken.verdict, good.verdict),
        (Verdict::Undecided, Verdict::Right)
    );
    let undecided = broken.undecided.as_ref().unwrap();
    assert_eq!(
        undecided.reason,
        "it failed: the JVM ended; during 'window'"
    );
    assert_eq!(undecided.more_s, None);
    assert_eq!(overall(&assessment), Verdict::Undecided);
}

/// Of 200 tries one was called right and one wrong (none after one look); 60 keep the test short.
#[test]
fn two_looks_at_an_error_of_the_size_of_the_margin_mostly_leave_it_open() {
    let points = Settings::default().margin_pt;
    let fault = Fault::Moves {
        from: 0,
        to: 1,
        points,
    };
    let [_, [right, wrong, _]] = tallies(&scarce(fault), 60);
    assert!(right <= 2 && wrong <= 2, "{right} right, {wrong} wrong");
}
