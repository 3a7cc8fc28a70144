//! Verdicts and the result.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_experiment::dose::{
    Attribution, DOSE_SCHEMA, DoseKind, DoseResult, EarlierLook, JavaShares, JvmFacts, LeftOut,
    MethodFacts, NativeFacts, Placed, Replication, ReplicationLevel, Row, Shown, Subject,
    UntestedMethod, attributions, each_once, methods_for, shown_by_each, told_of_native,
    untested_said,
};
use proofmark_jvm::toolchain::Machine;
use proofmark_rules::DOSE_METHOD_PCT;

use super::choose::Chosen;
use super::measure::Profiled;
use super::tune::{STEPS, Tuned};
use super::{CALLGRIND, Session};

/// The result of a test.
pub(super) fn result(
    session: &Session<'_>,
    chosen: Chosen,
    tuned: &[Tuned],
    profiled: &[Profiled],
) -> DoseResult {
    let request = session.request;
    let mut left_out = chosen.left_out;
    left_out.extend(profiled.iter().flat_map(|one| one.left_out.iter().cloned()));
    let attribution = judged(profiled, tuned, request.margin_pt);
    let wanted = chosen.candidates.len();
    let [telling, others] = looks(profiled);
    let without = (left_out.as_slice(), chosen.beyond.as_slice(), wanted);
    let mut untested = untested(session, without, profiled, &telling);
    let to_ask = methods_for(&untested, wanted, &chosen.beyond);
    let to_ask = to_ask.map(|(methods, them)| {
        let command = request.again.with(&format!("--methods {methods}"));
        format!(" (to test {them} too: {command})")
    });
    let (said, about) = told_of_native(
        &attribution,
        request.margin_pt,
        (&request.again, request.rounds),
    );
    let unseen = profiled.iter().filter(|one| one.unseen).map(unseen_said);
    let said = said.into_iter().chain(unseen);
    let said = said.chain(untested_said(&untested, &to_ask.unwrap_or_default()));
    let all = match telling.contains_key(CALLGRIND) {
        true => "the program's instructions",
        false => "the program's time",
    };
    let said: Vec<String> = said.map(|said| in_our_words(&said, all)).collect();
    untested.iter_mut().for_each(|one| one.also(&others));
    let of_each: BTreeMap<String, JavaShares> = telling.into_iter().chain(others).collect();
    let of_instructions = profiled.iter().filter(|one| one.name == CALLGRIND);
    DoseResult {
        schema: DOSE_SCHEMA.into(),
        program: request.program.display().to_string(),
        jvm: JvmFacts {
            version: String::new(),
            vendor: String::new(),
            options: Vec::new(),
        },
        machine: Some(Machine::this().facts()),
        native: Some(NativeFacts {
            arguments: request.arguments.clone(),
            functions: session.program.sites.len(),
            marked: session.runner.launch.marked,
            of_instructions: of_instructions.map(|one| one.name.clone()).collect(),
        }),
        threads: None,
        margin_pt: request.margin_pt,
        methods: tuned.iter().map(|one| facts(one, &of_each)).collect(),
        sites: Vec::new(),
        rest_cost_pct: 0.0,
        rest_cost: None,
        replication: replication(profiled, session.runner.launch.marked),
        remarks: (request.remarks.iter().cloned())
            .chain(session.program.remark())
            .collect(),
        left_out: each_once(left_out),
        untested,
        advice: said.join(" "),
        advice_parts: said,
        advice_about: Some(about),
        attribution,
        failed: chosen.failed,
        seconds: session.around.progress.elapsed().as_secs_f64(),
    }
}

/// What each profiler shows with all sites at rest: those that tell which functions are hot, and the others. Shares of callgrind are of
/// instructions, which tell it where nobody was asked about time.
fn looks(profiled: &[Profiled]) -> [BTreeMap<String, JavaShares>; 2] {
    let looks = profiled.iter();
    let looks = looks.map(|one| (one.name.clone(), one.known_shares.clone()));
    let (counting, timing): (BTreeMap<_, _>, BTreeMap<_, _>) =
        looks.partition(|(name, _)| name == CALLGRIND);
    match timing.is_empty() {
        true => [counting, timing],
        false => [timing, counting],
    }
}

/// Hot functions that no profiler has a row of, by what is shown with all sites at rest. `wanted`: how many were to be tested, and
/// `beyond`: those that come behind.
fn untested(
    session: &Session<'_>,
    (left_out, beyond, wanted): (&[LeftOut], &[String], usize),
    profiled: &[Profiled],
    looks: &BTreeMap<String, JavaShares>,
) -> Vec<UntestedMethod> {
    let rows = profiled.iter().flat_map(|one| &one.rows);
    let tested: BTreeSet<&str> = rows.map(|(_, _, row)| row.method.as_str()).collect();
    let program = &session.program;
    let why = |name: &str| {
        if program.site(name).is_none() {
            return program.why_no_site(name).to_owned();
        }
        if let Some(one) = left_out.iter().find(|one| one.method == name) {
            return one.reason.clone();
        }
        match (beyond.iter().any(|one| one == name), wanted) {
            (true, 1) => "only one function is tested".to_owned(),
            (true, wanted) => format!("only {wanted} functions are tested"),
            (false, _) => {
                format!("less than {DOSE_METHOD_PCT:.0} % of all time when functions were chosen")
            }
        }
    };
    UntestedMethod::hot(looks, |name| !tested.contains(name), why)
}

/// `all`: what shares are parts of.
fn in_our_words(advice: &str, all: &str) -> String {
    let advice = advice.replace("no Java method", "no known function");
    let advice = advice.replace("the Java time", "the program's time");
    advice.replace("the program's time", all)
}

fn replication(profiled: &[Profiled], marked: bool) -> Replication {
    let mut says = match marked {
        true => "windows are marked iterations inside of processes, of which start-up and end are left out; intervals are \
                 over windows of one build"
            .to_owned(),
        false => "every window is made of processes of their own; intervals are over windows of one build".to_owned(),
    };
    if profiled.iter().any(|one| one.name == CALLGRIND) {
        says.push_str("; callgrind is judged by the instructions that were added, not by time");
    }
    Replication {
        runs: 1,
        added: BTreeMap::new(),
        at_once: 1,
        level: ReplicationLevel::Windows,
        says,
        unfinished: None,
    }
}

/// `looks`: what each profiler shows with all sites at rest.
fn facts(tuned: &Tuned, looks: &BTreeMap<String, JavaShares>) -> MethodFacts {
    MethodFacts {
        name: tuned.candidate.name.clone(),
        bytecode_pct: None,
        reported_pct: tuned.candidate.reported_pct.clone(),
        shares_pct: shown_by_each(looks, &tuned.candidate.name),
        at_entry: true,
        steps: u16::try_from(tuned.unit.saturating_mul(STEPS)).unwrap_or(u16::MAX),
        inlined_differently: false,
    }
}

/// Profilers of time are witnesses for each other; one that counts instructions shows another thing.
fn judged(profiled: &[Profiled], tuned: &[Tuned], margin_pt: f64) -> BTreeMap<String, Attribution> {
    let (counting, timing): (Vec<&Profiled>, Vec<&Profiled>) =
        profiled.iter().partition(|one| one.name == CALLGRIND);
    let tested: Vec<&str> = (tuned.iter())
        .map(|one| one.candidate.name.as_str())
        .collect();
    let of_group = |group: Vec<&Profiled>| {
        let all = group.iter().map(|one| (subject(one), shown(one, tuned)));
        attributions(all.collect(), &tested, margin_pt)
    };
    let groups = [timing, counting].into_iter();
    groups.flat_map(of_group).collect()
}

/// Why a profiler whose rows are right is not certified, and what to do.
fn unseen_said(one: &Profiled) -> String {
    format!(
        "{} took no sample, or too few, at a site, which leaves it undecided: see what was left out; more rounds (--rounds) give it more.",
        one.name
    )
}

fn subject(one: &Profiled) -> Subject {
    Subject {
        changes: Vec::new(),
        name: one.name.clone(),
        rows: one.rows.iter().map(|(_, _, row)| row.clone()).collect(),
        in_jvms: Vec::new(),
        shares_pct: one.shares_pct.clone(),
        looks: vec![one.known_shares.clone()],
        as_it_is: Vec::new(),
        unseen: one.unseen,
        rest_cost: None,
        earlier: EarlierLook::default(),
        counted_pct: BTreeMap::new(),
    }
}

fn shown(one: &Profiled, tuned: &[Tuned]) -> Shown {
    let placed = |(site, turns, row): &(usize, [u16; 2], Row)| {
        let line = u16::try_from(tuned[*site].site.line).ok();
        Placed {
            row: row.clone(),
            runs: vec![row.clone()],
            unknown_runs: 0,
            line: line.filter(|line| *line > 0),
            place: "entry".into(),
            kind: DoseKind::Arithmetic,
            turns: *turns,
            reveals_itself: None,
            change: None,
            own_share: None,
        }
    };
    Shown {
        rows: one.rows.iter().map(placed).collect(),
        shares_pct: one.shares_pct.clone(),
        samples_per_s: one.samples_per_s,
        lost_samples: 0.0,
        failed_runs: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use proofmark_assess::Verdict;
    use proofmark_experiment::dose::{Level, RowVerdict, Window, judge, rows};
    use proofmark_stats::Estimate;

    use super::*;

    fn shows(name: &str, pct: f64) -> Profiled {
        let share = Estimate::around(pct, 1.0, 900);
        Profiled {
            name: name.to_owned(),
            rows: Vec::new(),
            shares_pct: BTreeMap::new(),
            known_shares: [("sort".to_owned(), share)].into(),
            samples_per_s: 1000.0,
            left_out: Vec::new(),
            unseen: false,
        }
    }

    /// All of the time that is added to `sort` in place; of another function's site there is no row.
    fn right() -> Profiled {
        let window = |level, iteration_ns| {
            let methods = [("sort".to_owned(), 900.0)].into();
            let window = Window {
                iteration_ns,
                methods,
                ..Window::default()
            };
            (level, window)
        };
        let windows = [(Level::Low, 1e9), (Level::High, 4e9)].repeat(6);
        let windows: Vec<(Level, Window)> = windows
            .into_iter()
            .map(|(level, ns)| window(level, ns))
            .collect();
        let row = rows("sort", &windows, &[8e8; 6]).expect("a row");
        let shares = [("sort".to_owned(), Estimate::around(30.0, 1.0, 900))];
        Profiled {
            rows: vec![(0, [2, 40], row)],
            shares_pct: shares.into(),
            ..shows("perf", 30.0)
        }
    }

    /// So it is on a JVM: what it does not see at all is in none of its rows.
    #[test]
    fn one_that_took_no_sample_at_a_site_is_not_certified() {
        let of = |unseen| {
            let one = subject(&Profiled { unseen, ..right() });
            let [verdict] = <[RowVerdict; 1]>::try_from(judge(&[one], 5.0)).expect("one verdict");
            (verdict.certified, verdict.verdict)
        };
        assert_eq!(of(false), (true, Verdict::Right));
        assert_eq!(of(true), (false, Verdict::Undecided));
        assert!(unseen_said(&right()).starts_with("perf took no sample"));
    }

    /// A function may have many instructions and little time.
    #[test]
    fn instructions_tell_what_is_hot_where_nobody_was_asked_about_time() {
        let names = |profiled: &[Profiled]| {
            let looks = looks(profiled);
            looks.map(|looks| looks.into_keys().collect::<Vec<String>>().join(","))
        };
        let counting = || shows(CALLGRIND, 30.0);
        assert_eq!(names(&[counting()]), ["callgrind", ""]);
        let both = [counting(), shows("perf", 4.0), shows("samply", 5.0)];
        assert_eq!(names(&both), ["perf,samply", "callgrind"]);
        assert_eq!(names(&both[1..]), ["perf,samply", ""]);
    }

    #[test]
    fn native_programs_have_words_of_their_own() {
        let said = "perf shows sort at 3 % of the Java time, 2 points of the program's time are in no Java method";
        assert_eq!(
            in_our_words(said, "the program's time"),
            "perf shows sort at 3 % of the program's time, 2 points of the program's time are in no known function"
        );
        let counted = in_our_words(said, "the program's instructions");
        assert_eq!(counted.matches("the program's instructions").count(), 2);
    }
}
