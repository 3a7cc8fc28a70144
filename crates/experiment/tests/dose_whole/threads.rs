//! Programs that work in several threads: a site is in a method, whichever thread comes by.

use proofmark_assess::Verdict;
use proofmark_experiment::sim::{SimulatedSites, SiteFault};

use super::program::{GET, PUT, RUN, TAIL, order, profiler, program, right, row, tested};

/// The program with a pool: the table is used by four workers only, `run` by the thread that calls the program, and `tail`
/// by all of them if `shared`.
pub fn parallel(seed: u64, shared: bool) -> SimulatedSites {
    let mut labs = program(seed);
    for method in &mut labs.methods {
        method.in_workers = match method.name.as_str() {
            GET | PUT => 1.0,
            TAIL if shared => 0.75,
            _ => 0.0,
        };
    }
    labs.methods[3].own_ns = 120e3;
    labs.profilers
        .push(profiler("one-thread", SiteFault::OneThread));
    labs
}

#[test]
fn all_threads_of_a_program_are_judged_and_their_number_is_said() {
    let result = tested(&parallel(21, true), &order(&["right"]));
    right(&result.attribution["right"]);
    let threads = result.threads.expect("windows");
    // 425 us of 1,075 us are the calling thread's.
    assert_eq!(threads.busy, 5);
    assert!((threads.busiest_pct - 39.5).abs() < 3.0, "{threads:?}");
    assert_eq!(threads.others_pct["right"], 0.0);
    let said = &result.remarks;
    let begin = "5 threads of the program have CPU time, the busiest ";
    assert!(said.iter().any(|one| one.starts_with(begin)), "{said:?}");
}

#[test]
fn a_profiler_that_looks_at_one_thread_is_wrong_about_what_the_others_do() {
    let labs = parallel(22, true);
    let result = tested(&labs, &order(&["one-thread", "right"]));
    right(&result.attribution["right"]);
    let of = &result.attribution["one-thread"];
    assert_eq!(
        (of.verdict, of.certified),
        (Verdict::Wrong, false),
        "{of:#?}"
    );
    for method in [GET, PUT] {
        let row = row(of, method);
        assert_eq!(row.verdict, Verdict::Wrong);
        assert!(row.in_place_pct.value.abs() < 5.0, "{row:#?}");
        assert!(row.missing_pct.expect("CPU times").low > 80.0, "{row:#?}");
    }
    // A quarter of the time is seen, and in the right place; that the rest is not there is seen too.
    let shared = row(of, TAIL);
    assert!((shared.in_place_pct.value - 100.0).abs() < 10.0);
    assert!(shared.missing_pct.expect("CPU times").low > 10.0);
    assert_eq!(shared.verdict, Verdict::Wrong, "{shared:#?}");
    assert_eq!(row(of, RUN).verdict, Verdict::Right);
}

/// It shows no time in the methods that it misplaces, and nobody else says how much they have.
#[test]
fn alone_such_a_profiler_is_undecided_and_never_certified() {
    let result = tested(&parallel(23, false), &order(&["one-thread"]));
    let of = &result.attribution["one-thread"];
    assert_eq!(of.verdict, Verdict::Undecided, "{of:#?}");
    assert!(!of.certified && of.misplaced_pt[0] < 5.0, "{of:#?}");
    assert_eq!(row(of, GET).verdict, Verdict::Wrong);
    assert_eq!(row(of, TAIL).verdict, Verdict::Right);
}

/// JFR was called wrong because, at rest, it took half as many samples again in a second of the program: more of its native code, not
/// fewer of what was added.
#[test]
fn nobody_is_wrong_for_native_code_that_is_sampled_more_often() {
    let mut labs = program(24);
    labs.outside_ns = 600e3;
    let oftener = SiteFault::NativeOftener { times: 2.0 };
    for name in ["jfr", "other"] {
        labs.profilers.push(profiler(name, oftener.clone()));
    }
    let result = tested(&labs, &order(&["jfr", "other"]));
    let missing = |name: &str| row(&result.attribution[name], GET).missing_pct;
    let [jfr, other] = ["jfr", "other"].map(|name| missing(name).expect("samples"));
    assert!(other.low > 10.0, "{other:?}");
    assert!(jfr.low < 0.0 && jfr.high > 10.0, "{jfr:?}");
    let of = &result.attribution["jfr"];
    assert_ne!(of.verdict, Verdict::Wrong, "{of:#?}");
    let said = "jfr samples native code also while its thread has no processor";
    let mut remarks = result.remarks.iter();
    assert!(
        remarks.any(|one| one.starts_with(said)),
        "{:?}",
        result.remarks
    );
}
