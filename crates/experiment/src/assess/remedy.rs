//! What would decide a verdict that was left open: the option, and what it costs.
//!
//! An interval of windows shrinks with the root of their number. What differs between runs stays however many windows
//! there are, and shrinks with the number of runs.

use proofmark_assess::{Assessment, Condition, Judgement, MOST_RUNS, TestResult, Verdict};

use super::request::{AssessRequest, Subject};
use super::{Pace, estimate};

/// What takes longer is not proposed, s.
const MOST_S: f64 = 8.0 * 3600.0;

/// Says of every profiler under test that was left open what would probably decide it. Of one that failed, and where a
/// control withholds all verdicts, there is nothing to say.
pub(super) fn tell(assessment: &mut Assessment, request: &AssessRequest, iteration_ms: f64) {
    if assessment.controls.broken() {
        return;
    }
    for judgement in &mut assessment.profilers {
        let subject = subject(&request.subjects, &judgement.name);
        let pace = subject.map(|one| one.pace(request.time_budget_s, iteration_ms));
        let remedy = pace.and_then(|pace| remedy(judgement, request, &pace));
        if let Some(undecided) = &mut judgement.undecided {
            undecided.remedy = remedy;
        }
    }
}

/// The profiler of this name, or what explains one.
fn subject<'a>(subjects: &'a [Subject], name: &str) -> Option<&'a Subject> {
    let explaining = subjects.iter().filter_map(|one| one.explained.as_deref());
    let mut all = subjects.iter().chain(explaining);
    all.find(|one| one.name == name)
}

/// A test that is open.
struct Open<'a> {
    result: &'a TestResult,
    /// Time of its windows, s.
    seconds: f64,
    /// Its windows are those of doses, which no budget makes longer.
    dosed: bool,
}

fn open(judgement: &Judgement) -> Vec<Open<'_>> {
    let seconds = |wanted: &[Condition]| -> f64 {
        let sizes = judgement.sizes.iter();
        let sizes = sizes.filter(|size| wanted.contains(&size.condition));
        sizes.map(|size| size.seconds).sum()
    };
    let tests = &judgement.tests;
    let absolute = tests.absolute.iter().filter(|test| test.counts);
    let absolute = absolute.map(|test| Open {
        result: &test.result,
        seconds: seconds(&[Condition::Baseline]),
        dosed: false,
    });
    let uniform = tests.uniform.iter().filter(|test| test.counts);
    let uniform = uniform.map(|test| Open {
        result: &test.result,
        seconds: seconds(&[Condition::Baseline, Condition::Uniform(test.target_pct)]),
        dosed: false,
    });
    let single = tests.single.iter().filter(|test| test.counts);
    let single = single.map(|test| Open {
        result: &test.result,
        seconds: 0.0,
        dosed: true,
    });
    let all = absolute.chain(uniform).chain(single);
    all.filter(|test| test.result.verdict == Verdict::Undecided)
        .collect()
}

/// None if nothing is open, or what is open is so for other reasons than time.
fn remedy(judgement: &Judgement, request: &AssessRequest, pace: &Pace) -> Option<String> {
    let open = match judgement.undecided {
        Some(_) => open(judgement),
        None => Vec::new(),
    };
    let is_in_doubt = |test: &Open<'_>| {
        let result = test.result;
        let time_helps = result.more_s.is_some() || result.runs_needed.is_some();
        !time_helps && result.ambiguous_pt > result.error_pt.half_width() / 2.0
    };
    if open.is_empty() || open.iter().any(is_in_doubt) {
        return None;
    }
    let run_s = estimate::run_s(request, pace, pace.iteration_ms).ok()?;
    let ways = [
        longer(&open, judgement.analyses, request, pace),
        more_runs(&open, request, run_s),
    ];
    let shortest = ways
        .into_iter()
        .flatten()
        .min_by(|a, b| a.1.total_cmp(&b.1));
    Some(match shortest {
        Some((option, seconds)) if seconds <= MOST_S => {
            let time = words(seconds);
            let option = command(request, &option);
            format!("{option} would probably decide it, in about {time} in the laboratory")
        }
        _ => {
            let time = words(MOST_S.min(f64::from(MOST_RUNS) * run_s));
            format!("more than {time} would be needed: not decidable in this way")
        }
    })
}

/// The option, or the command that takes it where the one at hand does not, with what was asked for here.
fn command(request: &AssessRequest, option: &str) -> String {
    let Some(program) = &request.to_assess else {
        return option.to_owned();
    };
    let names = request.subjects.iter().map(|one| one.name.as_str());
    let names: Vec<&str> = names.collect();
    format!(
        "proofmark assess {program} --profiler {} --singles {} --no-sites {option}",
        names.join(","),
        request.singles
    )
}

/// More windows in as many runs, and the time for all of them, s: with another budget everything under this profiler is
/// measured again.
fn longer(
    open: &[Open<'_>],
    analyses: u32,
    request: &AssessRequest,
    pace: &Pace,
) -> Option<(String, f64)> {
    if open.iter().any(|test| test.dosed || test.seconds <= 0.0) {
        return None;
    }
    let times = |test: &Open<'_>| Some(1.0 + test.result.more_s? / test.seconds);
    let times: Vec<f64> = open.iter().map(times).collect::<Option<_>>()?;
    let times = times.into_iter().fold(1.0, f64::max);
    let schedule = pace.schedule(&request.uniform_pct(), request.seed).ok()?;
    let budget_s = 10.0 * (schedule.total_s * f64::from(analyses) * times / 10.0).ceil();
    let then = Pace {
        budget_s: Some(budget_s),
        ..*pace
    };
    let run_s = estimate::run_s(request, &then, pace.iteration_ms).ok()?;
    let option = format!("--time-budget {budget_s:.0}");
    Some((option, f64::from(request.runs.max(1)) * run_s))
}

/// More runs, and the time for those that are not there yet, s.
fn more_runs(open: &[Open<'_>], request: &AssessRequest, run_s: f64) -> Option<(String, f64)> {
    let needed = open.iter().map(|test| test.result.runs_needed);
    let needed = needed.reduce(|a, b| Some(a?.max(b?))).flatten()?;
    let more = needed.saturating_sub(request.runs).max(1);
    Some((format!("--runs {needed}"), f64::from(more) * run_s))
}

/// A time as people say it.
pub(crate) fn words(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use proofmark_stats::Estimate;

    use super::*;

    fn request(runs: u32) -> AssessRequest {
        AssessRequest {
            runs,
            ..AssessRequest::of_a_test()
        }
    }

    fn result(more_s: Option<f64>, runs_needed: Option<u32>) -> TestResult {
        let error = Estimate::around(4.0, 2.0, 100);
        TestResult {
            verdict: Verdict::Undecided,
            error_pt: error,
            runs: 1,
            worst: "m".into(),
            compared: 2,
            noise_pt: 0.5,
            ambiguous_pt: 0.0,
            detectable_pt: error,
            more_s,
            runs_needed,
        }
    }

    fn one(result: &TestResult, dosed: bool) -> [Open<'_>; 1] {
        let seconds = 40.0;
        [Open {
            result,
            seconds,
            dosed,
        }]
    }

    /// 60 s more for 40 s of windows are 2.5 times as many, of a schedule of 3 * 3000 / 100 * 1.15 = 103.5 s: 258.75 s.
    #[test]
    fn a_longer_budget_is_named_with_its_time() {
        let request = request(1);
        let pace = request.subjects[0].pace(None, 10.0);
        let result = result(Some(60.0), Some(9));
        let (option, seconds) = longer(&one(&result, false), 1, &request, &pace).expect("a way");
        assert_eq!(option, "--time-budget 260");
        assert!((260.0..300.0).contains(&seconds), "{seconds}");
        let (_, twice) = longer(&one(&result, false), 2, &request, &pace).expect("a way");
        assert!(twice > 1.8 * seconds, "it was looked at twice: {twice}");
        assert!(longer(&one(&result, true), 1, &request, &pace).is_none());
    }

    #[test]
    fn runs_that_are_there_cost_nothing_more() {
        let (many, none) = (result(None, Some(9)), result(Some(60.0), None));
        let (option, seconds) = more_runs(&one(&many, true), &request(5), 100.0).expect("a way");
        assert_eq!((option.as_str(), seconds), ("--runs 9", 400.0));
        assert!(more_runs(&one(&none, true), &request(5), 100.0).is_none());
    }

    #[test]
    fn a_command_that_takes_no_option_names_one_that_does() {
        let here = request(1);
        assert_eq!(command(&here, "--runs 9"), "--runs 9");
        let demo = AssessRequest {
            to_assess: Some("suite:Queens".into()),
            ..here
        };
        assert_eq!(
            command(&demo, "--runs 9"),
            "proofmark assess suite:Queens --profiler x --singles 0 --no-sites --runs 9"
        );
    }

    #[test]
    fn times_are_rounded_as_people_do() {
        let said = [40.0, 200.0, 6000.0].map(words);
        assert_eq!(said, ["40 s", "3 min", "1.7 h"]);
    }
}
