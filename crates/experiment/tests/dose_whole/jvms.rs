//! Several JVMs: what a profiler reports may depend on what the JVM compiled.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::sites::DoseOrder;
use proofmark_experiment::dose::{DoseResult, JvmWords};
use proofmark_experiment::sim::{Happening, SimulatedSites, SiteFault};

use super::program::{GET, PUT, order, profiler, program, right, row, tested, trouble};

/// So many JVMs for each of these profilers.
pub fn in_jvms(profilers: &[&str], jvms: usize) -> DoseOrder {
    let mut asked = order(profilers);
    asked.size.runs = jvms;
    asked
}

/// A profiler that is wrong about one method in JVMs of these names.
pub fn depends(seed: u64, processes: &[&str]) -> SimulatedSites {
    let mut labs = program(seed);
    let moves = SiteFault::MovesAdded {
        from: GET.into(),
        to: PUT.into(),
    };
    let fault = SiteFault::in_each(processes, &moves);
    labs.profilers.push(profiler("depends", fault));
    labs
}

fn words(right: usize, wrong: usize) -> JvmWords {
    JvmWords {
        right,
        wrong,
        undecided: 0,
    }
}

#[test]
fn a_row_that_is_wrong_in_one_jvm_is_wrong_and_says_in_how_many() {
    let labs = depends(41, &["depends-run-2"]);
    let result = tested(&labs, &in_jvms(&["depends", "right"], 3));
    let of = &result.attribution["depends"];
    assert_eq!(
        (of.verdict, of.certified),
        (Verdict::Wrong, false),
        "{of:#?}"
    );
    assert_eq!(of.jvms, words(2, 1));
    let moved = row(of, GET);
    assert_eq!((moved.verdict, moved.jvms), (Verdict::Wrong, words(2, 1)));
    assert!(moved.jvms.differ() && moved.in_place_pct.n == 3);
    // A third of the JVMs: in the mean a third of the time is moved, and its interval says that nothing is known of other JVMs.
    assert!((moved.in_place_pct.value - 66.7).abs() < 3.0, "{moved:#?}");
    assert!(moved.in_place_pct.low < 10.0 && moved.in_place_pct.high < 120.0);
    assert_eq!(moved.elsewhere[0].method, PUT);
    // The mean is the figure of no JVM: one reports all of it there.
    let there = moved.elsewhere[0].per_run_pct.iter();
    let there = there.filter(|part| part.value > 50.0);
    let there: Vec<f64> = there.map(|part| part.value).collect();
    assert!(there.len() == 1 && there[0] > 90.0, "{moved:#?}");
    for other in of.rows.iter().filter(|row| row.method != GET) {
        assert_eq!((other.verdict, other.jvms), (Verdict::Right, words(3, 0)));
    }
    // A third of the program's time, in the JVM that moves it.
    let [least, most] = of.misplaced_pt;
    assert!(least > 20.0 && most < 45.0, "{of:#?}");
    let said = format!(
        "depends is wrong in 1 of 3 JVMs: what it reports of {GET} differs from JVM to JVM."
    );
    assert!(result.advice.contains(&said), "{}", result.advice);
    assert!(result.advice.contains("right is right in all 3 JVMs."));
    right(&result.attribution["right"]);
}

#[test]
fn jvms_that_agree_have_the_same_word() {
    let labs = depends(42, &["depends", "depends-run-2", "depends-run-3"]);
    let result = tested(&labs, &in_jvms(&["depends", "right"], 3));
    let of = &result.attribution["depends"];
    assert_eq!((of.jvms, row(of, GET).jvms), (words(0, 3), words(0, 3)));
    let said = "depends is wrong in all 3 JVMs.";
    assert!(result.advice.contains(said), "{}", result.advice);
    let of = &result.attribution["right"];
    right(of);
    assert_eq!(of.jvms, words(3, 0));
    assert!(of.rows.iter().all(|row| row.jvms == words(3, 0)));
    assert!(of.false_alarm < 0.1, "{of:#?}");
    let says = &result.replication.says;
    assert!(says.starts_with("3 JVMs per profiler"), "{says}");
    let others = "3 JVMs cannot rule out that others differ (up to 71 % of all JVMs, by an exact 95 % interval); --runs 10 asks more";
    assert!(says.ends_with(others), "{says}");
}

#[test]
fn one_jvm_is_told_as_one() {
    let result = tested(&depends(43, &[]), &in_jvms(&["depends"], 1));
    let of = &result.attribution["depends"];
    right(of);
    assert_eq!((of.jvms, row(of, GET).jvms), (words(1, 0), words(1, 0)));
    assert!(
        result
            .advice
            .contains("Only one JVM per profiler was asked")
    );
    assert_eq!(result.replication.runs, 1);
}

/// The seconds that all JVMs together may look longer at open rows are shared, and so are the rounds.
#[test]
fn jvms_share_windows() {
    let windows = |jvms: usize| {
        let labs = depends(44, &[]);
        let mut asked = in_jvms(&["depends"], jvms);
        (asked.size.rounds, asked.size.budget_s) = (12, 0.0);
        tested(&labs, &asked);
        labs.kept("depends").len()
    };
    // Windows with all gates closed first and last, as many as rounds and for 1.6 s at least; of each of five sites two pairs in a
    // round, and one at rest of all of them, which are there together, and one more.
    let all = |rounds: usize| 2 * rounds.max(6) + 1 + rounds * (5 * 4 + 1);
    assert_eq!((windows(1), windows(3)), (all(12), all(4)));
}

fn without(processes: &[&str]) -> DoseResult {
    let mut labs = program(45);
    let all = processes.iter();
    let all = all.map(|name| trouble(name, Happening::ReplacesCode(1)));
    labs.troubles = all.collect();
    tested(&labs, &in_jvms(&["right"], 3))
}

#[test]
fn a_jvm_without_a_row_is_told_and_the_others_are_judged_if_they_are_the_most() {
    let result = without(&["right-run-2"]);
    let of = &result.attribution["right"];
    right(of);
    for row in &of.rows {
        assert_eq!((row.unknown_runs, row.in_place_per_run_pct.len()), (1, 2));
        assert_eq!((row.in_place_pct.n, row.jvms), (2, words(2, 0)));
    }
    let result = without(&["right-run-2", "right-run-3"]);
    let of = &result.attribution["right"];
    assert_eq!((of.rows.len(), of.verdict), (0, Verdict::Undecided));
    assert!(!result.left_out.is_empty());
}

/// Three samples in a window leave every row open.
#[test]
fn an_open_verdict_names_what_would_decide_it_or_says_that_nothing_would() {
    let mut labs = program(46);
    let mut slow = profiler("slow", SiteFault::None);
    slow.samples_per_s = 10.0;
    labs.profilers.push(slow);
    let mut asked = in_jvms(&["slow"], 1);
    (asked.size.rounds, asked.size.budget_s) = (4, 0.0);
    let result = tested(&labs, &asked);
    let of = &result.attribution["slow"];
    assert_eq!(of.verdict, Verdict::Undecided, "{of:#?}");
    let said = &result.advice;
    assert!(said.contains(" decide slow"), "{said}");
    let named = said.contains("This would ") && said.contains("--rounds ");
    assert!(
        named || said.contains("cannot decide slow in reasonable time"),
        "{said}"
    );
}

/// Processes that ran, without those before windows.
pub fn watched(labs: &SimulatedSites) -> Vec<String> {
    let all = labs.started().into_iter();
    all.filter(|name| name.starts_with("right") || name.starts_with("moves"))
        .collect()
}

#[test]
fn several_are_measured_at_a_time_where_there_is_room_and_say_the_same() {
    let verdicts = |processors, at_once| {
        let mut labs = program(61);
        labs.processors = processors;
        let mut asked = in_jvms(&["right", "moves"], 3);
        asked.size.at_once = at_once;
        let result = tested(&labs, &asked);
        let of = |name: &str| {
            let one = &result.attribution[name];
            assert!(
                one.rows.iter().all(|row| row.in_place_pct.n == 3),
                "{one:#?}"
            );
            one.verdict
        };
        // What is compared meets the same machine: profilers take turns.
        let alternating = [
            "right",
            "moves",
            "right-run-2",
            "moves-run-2",
            "right-run-3",
            "moves-run-3",
        ];
        assert_eq!(watched(&labs), alternating);
        let most = labs.most_at_once();
        assert_eq!(result.replication.at_once, most);
        let said = format!("; {most} JVMs were measured at the same time");
        assert_eq!(result.replication.says.contains(&said), most > 1);
        (most, [of("right"), of("moves")])
    };
    let expected = [Verdict::Right, Verdict::Wrong];
    assert_eq!(verdicts(1, 4), (1, expected));
    assert_eq!(verdicts(8, 1), (1, expected));
    assert_eq!(verdicts(2, 4), (2, expected));
    assert_eq!(verdicts(8, 4), (4, expected));
}
