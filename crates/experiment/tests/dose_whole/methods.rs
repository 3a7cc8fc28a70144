//! Which methods are tested, and which sites are left out.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::sites::run;
use proofmark_experiment::dose::{DoseResult, ProfileChange};
use proofmark_experiment::sim::{SiteFault, SitedMethod};
use proofmark_report::{Style, dose_table};

use super::program::{GET, PUT, RUN, TAIL, order, profiler, program, refused, right, row, tested};
use crate::common::Notes;

/// Neither counted (a method of the JDK) nor shown by one of the profilers.
const FIND: &str = "java.util.Map.find";

#[test]
fn a_method_is_tested_that_only_one_profiler_shows() {
    let mut labs = program(8);
    labs.methods.push(SitedMethod::new(FIND, 90e3, 5000));
    let hides = SiteFault::Hides {
        from: FIND.into(),
        to: TAIL.into(),
    };
    labs.profilers.push(profiler("hides", hides));
    let alone = tested(&labs, &order(&["hides"]));
    assert!(alone.methods.iter().all(|one| one.name != FIND));
    assert_eq!(alone.attribution["hides"].verdict, Verdict::Right);
    let both = tested(&labs, &order(&["hides", "right"]));
    let found = both.methods.iter().find(|one| one.name == FIND);
    let found = found.expect("the other one shows it");
    assert_eq!(found.bytecode_pct, None);
    let shown: Vec<&String> = found.reported_pct.keys().collect();
    assert_eq!(shown, ["right"]);
    // One that shows nothing of it says so.
    let [seen, hidden] = ["right", "hides"].map(|name| found.shares_pct[name]);
    assert!(hidden.value < seen.low, "{found:#?}");
    let of = &both.attribution["hides"];
    assert_eq!(of.verdict, Verdict::Wrong, "{of:#?}");
    assert_eq!(row(of, FIND).elsewhere[0].method, TAIL);
    right(&both.attribution["right"]);
}

#[test]
fn what_is_asked_for_comes_before_what_is_hot() {
    let mut asked = order(&["right"]);
    asked.size.methods = 2;
    asked.named = vec![TAIL.into()];
    let result = tested(&program(9), &asked);
    let names: Vec<&str> = result.methods.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, [TAIL, RUN]);
}

/// Who asks for short windows wants a short test: a look has thirty of them, of 0.2 s at most.
#[test]
fn a_look_is_as_short_as_the_windows_that_are_asked_for() {
    let mut labs = program(9);
    let lambda = "com.acme.Main$$Lambda.compare";
    labs.methods.push(SitedMethod::new(lambda, 300e3, 6000));
    let samples = |window_s| {
        let mut asked = order(&["right"]);
        asked.size.window_s = window_s;
        tested(&labs, &asked).untested[0].shares_pct["right"].n as f64
    };
    let usual = samples(0.3);
    let part = |window_s| samples(window_s) / usual;
    assert!((0.95..1.05).contains(&part(0.2)), "{}", part(0.2));
    assert!((0.45..0.55).contains(&part(0.1)), "{}", part(0.1));
}

/// Nothing was tested, although the method behind could be.
#[test]
fn those_behind_stand_in_for_hotter_ones_that_take_no_site() {
    let mut labs = program(9);
    labs.methods[0].refused = Some("the method is native".to_owned());
    // Its loop is run so seldom that no dose slows the program.
    (labs.methods[2].entries, labs.methods[2].in_loop) = (1, 0);
    let mut asked = order(&["right"]);
    asked.size.methods = 2;
    let result = tested(&labs, &asked);
    let names: Vec<&str> = result.methods.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, [PUT, TAIL]);
    let left_out: Vec<&str> = (result.left_out.iter())
        .map(|one| one.method.as_str())
        .collect();
    assert_eq!(left_out, [RUN, GET]);
    right(&result.attribution["right"]);
    assert!(!result.advice.contains("--methods"), "{}", result.advice);
    // One that is asked for is meant, and no other one.
    asked.named = vec![GET.into()];
    asked.size.methods = 1;
    let said = refused(&labs, &asked).to_string();
    let more = "native; 1 of 4 methods with 2 % or more were tried (to try all: `proofmark dose --methods 4`)";
    assert!(said.ends_with(more), "{said}");
}

/// A class that is hidden has the name of the one in the file. Profilers show that its method runs.
#[test]
fn a_hot_method_of_a_hidden_class_is_not_called_one_that_is_not_loaded() {
    let mut labs = program(9);
    let not_loaded = Some("its class is not loaded while the program runs".to_owned());
    let hidden = "com.acme.Hot.work";
    labs.methods.push(SitedMethod {
        refused: not_loaded.clone(),
        ..SitedMethod::new(hidden, 300e3, 6000)
    });
    // Its class was there while bytecodes were counted.
    labs.methods[3].refused = not_loaded.clone();
    let result = tested(&labs, &order(&["right"]));
    let why = |method: &str| {
        let mut all = result.left_out.iter();
        all.find(|one| one.method == method)
            .map(|one| one.reason.clone())
    };
    let made = "its class is made while the program runs";
    assert_eq!(why(hidden).as_deref(), Some(made));
    assert_eq!(why(TAIL), not_loaded);
}

/// A headline about small methods must not hide that the large ones were not tested.
#[test]
fn hot_methods_without_a_row_are_named_behind_the_headline() {
    let mut labs = program(9);
    let lambda = "com.acme.Main$$Lambda.compare";
    labs.methods.push(SitedMethod::new(lambda, 300e3, 6000));
    let result = tested(&labs, &order(&["right"]));
    assert_eq!(result.attribution["right"].verdict, Verdict::Right);
    let said = &result.advice;
    assert!(
        said.contains(&format!(" Not tested: {lambda} (2")),
        "{said}"
    );
    let why = " % of the Java time): its class is made while the program runs. Only one JVM";
    assert!(said.contains(why), "{said}");
    // What is not hot is not named, nor what has a row.
    assert_eq!(said.matches("of the Java time").count(), 1, "{said}");
    let mut asked = order(&["right"]);
    asked.size.methods = 2;
    let said = tested(&program(9), &asked).advice;
    assert!(said.contains(&format!(" Not tested: {PUT} (2")), "{said}");
    let more = "only 2 methods are tested (to test it too: `proofmark dose --methods 3`).";
    assert!(said.contains(more), "{said}");
    let all = tested(&program(9), &order(&["right"])).advice;
    assert!(!all.contains("Not tested"), "{all}");
}

#[test]
fn a_site_that_makes_another_program_is_left_out_unless_it_was_asked_for() {
    let mut labs = program(10);
    labs.methods[3].spoils = 0.6;
    let result = tested(&labs, &order(&["right"]));
    let left_out = &result.left_out[0];
    assert_eq!(left_out.method, TAIL);
    let said = "% slower before it adds any time: the JIT compiles the program differently";
    assert!(left_out.reason.contains(said), "{left_out:?}");
    assert!(result.methods.iter().all(|one| one.name != TAIL));
    assert!(result.rest_cost_pct < 5.0, "{}", result.rest_cost_pct);
    right(&result.attribution["right"]);
    let usual = tested(&program(10), &order(&["right"]));
    assert!(
        usual.sites.iter().all(|one| one.set == 0),
        "{:?}",
        usual.sites
    );
    let mut asked = order(&["right"]);
    asked.named = vec![TAIL.into()];
    let kept = tested(&labs, &asked);
    assert_eq!(
        (kept.methods[0].name.as_str(), kept.left_out.len()),
        (TAIL, 0)
    );
    assert!(kept.rest_cost_pct.abs() < 1.0, "its gate is closed");
    let with_it = |set| kept.sites.iter().filter(|one| one.set == set).count();
    assert!(kept.sites.iter().all(|one| with_it(one.set) == 1), "apart");
    let site = kept.sites.iter().find(|one| one.method == TAIL);
    let cost = site.and_then(|one| one.open_cost_pct).expect("a cost");
    assert!((cost.value - 60.0).abs() < 5.0, "{cost:?}");
    let remark = kept.remarks.last().expect("a remark");
    let said = "adding no time, a site slows the program: by 60 % at the entry of";
    assert!(remark.contains(said), "{remark}");
}

/// With the site there the program takes 2.6 times as long: what the profiler reports of it accuses nobody, and certifies nobody.
#[test]
fn a_row_of_a_program_that_is_mostly_the_site_decides_nothing() {
    let of_site = |spoils: f64| {
        let mut labs = program(10);
        labs.methods[0].spoils = spoils;
        let mut asked = order(&["moves"]);
        asked.named = vec![GET.into()];
        asked.size.methods = 1;
        let result = tested(&labs, &asked);
        let of = &result.attribution["moves"];
        let read = dose_table(&result, Style::default());
        (row(of, GET).is_void(), of.verdict, result.advice + &read)
    };
    let (void, verdict, _) = of_site(0.0);
    assert_eq!((void, verdict), (false, Verdict::Wrong));
    let (void, verdict, advice) = of_site(1.6);
    assert_eq!((void, verdict), (true, Verdict::Undecided), "{advice}");
    let slow =
        "with it there the program takes more than twice as long, before time is added, so that";
    assert!(advice.contains(slow), "{advice}");
    assert!(
        advice.contains("not counted: with the site there"),
        "{advice}"
    );
}

#[test]
fn what_is_no_longer_inlined_is_said() {
    let mut labs = program(14);
    labs.methods[0].uninlined = true;
    let result = tested(&labs, &order(&["right"]));
    let differently = result.methods.iter().filter(|one| one.inlined_differently);
    let differently: Vec<&str> = differently.map(|one| one.name.as_str()).collect();
    assert_eq!(differently, [GET]);
}

/// The site of a method that is entered all the time, every ten nanoseconds, moves to a branch that is run now and then.
#[test]
fn a_site_that_is_passed_all_the_time_moves_to_a_branch() {
    let mut labs = program(15);
    labs.methods[3].entries = 100_000;
    labs.methods[3].rest_ns = 1.0;
    let dear = tested(&labs, &order(&["right"]));
    let site = |result: &DoseResult| {
        let mut all = result.sites.iter().filter(|one| one.method == TAIL);
        let one = all.next().expect("a site");
        (one.place.clone(), one.executions)
    };
    let open_cost = |result: &DoseResult| {
        let mut all = result.sites.iter().filter(|one| one.method == TAIL);
        all.next()
            .and_then(|one| one.open_cost_pct)
            .expect("a cost")
    };
    assert_eq!(site(&dear), ("entry".into(), Some(100_000.0)));
    let cost = open_cost(&dear);
    assert!((cost.value - 10.0).abs() < 2.0, "{cost:?}");
    let remark = dear.remarks.last().expect("a remark");
    let named = format!(" % at the entry of {TAIL} (read the rows of such");
    assert!(remark.contains(&named), "{remark}");
    labs.methods[3].in_branch = 90_000;
    let spares_little = tested(&labs, &order(&["right"]));
    assert_eq!(site(&spares_little).0, "entry");
    labs.methods[3].in_branch = 6000;
    let moved = tested(&labs, &order(&["right"]));
    assert_eq!(site(&moved), ("branch 1".into(), Some(6000.0)));
    assert!(open_cost(&moved).value < 2.0, "{moved:#?}");
    let of = &moved.attribution["right"];
    right(of);
    assert_eq!(row(of, TAIL).place, "branch 1");
    assert_eq!(row(of, TAIL).reveals_itself, Some(false));
    assert_eq!(moved.remarks, ["the machine is simulated"]);
}

/// A site that is seldom passed changes the program all the same: from the second JVM on it is there alone, and the rows of the
/// others decide.
#[test]
fn a_set_whose_sites_change_the_profile_is_put_apart() {
    let mut labs = program(18);
    labs.methods[0].takes = Some((RUN.into(), 0.6));
    let mut asked = order(&["moves"]);
    let once = tested(&labs, &asked);
    assert!(once.sites.iter().all(|one| one.set == 0));
    let voids = |result: &DoseResult| {
        let rows = result.attribution["moves"].rows.iter();
        let void = |change: &ProfileChange| change.voids_rows;
        let voids = rows.filter(|row| row.change.as_ref().is_some_and(void));
        voids.map(|row| row.method.clone()).collect::<Vec<String>>()
    };
    assert_eq!(voids(&once).len(), 5, "one JVM: all are there");
    asked.size.runs = 3;
    let apart = tested(&labs, &asked);
    assert_eq!(voids(&apart), [GET]);
}

/// A site keeps its method from being inlined as before: time of another one is spent in it while the site is there.
#[test]
fn a_row_whose_site_changes_the_profile_does_not_decide() {
    let mut labs = program(16);
    // Passed so often that its site has a set of its own.
    labs.methods[0].entries = 40_000;
    let asked = order(&["moves", "right"]);
    let before = tested(&labs, &asked);
    assert_eq!(before.attribution["moves"].verdict, Verdict::Wrong);
    labs.methods[0].takes = Some((RUN.into(), 0.6));
    let result = tested(&labs, &asked);
    let of = &result.attribution["moves"];
    let changed = row(of, GET).change.as_ref().expect("a change");
    assert!(changed.voids_rows && changed.beyond_pt > 10.0, "{of:#?}");
    assert_eq!(row(of, GET).verdict, Verdict::Wrong);
    assert_eq!(of.verdict, Verdict::Undecided, "{of:#?}");
    let others = of.rows.iter().filter(|row| row.method != GET);
    assert!(others.clone().count() == 4 && others.clone().all(|row| row.change.is_none()));
    let own = row(of, GET).own_share.as_ref().expect("a change");
    assert!(own.with_pct.value > own.without_pct.value + 10.0, "{own:?}");
    assert!(others.clone().all(|row| row.own_share.is_none()));
    assert!(of.change.is_none(), "its gate is closed");
    right(&result.attribution["right"]);
}

/// A site moves so little that its row is counted, and yet doubles what is shown of its small method.
#[test]
fn what_a_site_changes_of_its_own_methods_share_is_known() {
    let mut labs = program(16);
    labs.methods[3].own_ns = 20e3;
    labs.methods[3].takes = Some((RUN.into(), 0.1));
    for one in &mut labs.profilers {
        one.samples_per_s = 40_000.0;
    }
    let result = tested(&labs, &order(&["right"]));
    let tail = row(&result.attribution["right"], TAIL);
    let own = tail.own_share.as_ref().expect("a change");
    assert!(own.is_large() && !tail.is_void(), "{tail:#?}");
    // 20 of 920 microseconds, and 57 of 935.
    let off = [own.without_pct.value - 2.2, own.with_pct.value - 6.1];
    assert!(off.iter().all(|one| one.abs() < 1.0), "{own:?}");
}

/// About a method that gets no site.
const MISSING: &str = "the test goes on without it";

/// Its user would learn of it minutes later. Of a method that nobody named the result is enough.
#[test]
fn a_named_method_that_does_not_exist_is_noted_while_the_test_goes_on() {
    let mut labs = program(9);
    let native = Some("the method is native".to_owned());
    labs.methods[3].refused = native.clone();
    let mut asked = order(&["right"]);
    asked.named = vec!["com.acme.Main.rnu".into(), RUN.into()];
    let notes = Notes::default();
    let result = run(&labs, &asked, &notes).expect("a result");
    let said = "note: com.acme.Main.rnu: the class has no such method; the test goes on without it";
    assert_eq!(notes.ending(MISSING), [said]);
    let left_out = |name: &str| result.left_out.iter().any(|one| one.method == name);
    assert!(left_out("com.acme.Main.rnu") && left_out(TAIL));
    // It does not go on where nothing is left.
    for method in &mut labs.methods {
        method.refused = native.clone();
    }
    let notes = Notes::default();
    run(&labs, &asked, &notes).expect_err("no result");
    assert!(notes.ending(MISSING).is_empty());
}
