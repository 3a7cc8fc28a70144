//! What a program would gain if functions of it were faster.

use proofmark_experiment::speedup::{Clock, FunctionGain, SpeedupResult};
use proofmark_stats::Estimate;

use super::cost::aligned;
use crate::Style;
use crate::names::clean;
use crate::number::{count, fixed, grouped, signed_percent, with_unit, without_unit};
use crate::style::hanging;

/// A row per function, largest gain first, then what the columns mean and what limits them.
#[must_use]
pub fn speedup_table(result: &SpeedupResult, style: Style) -> String {
    let columns = style.columns();
    let mut out = hanging("", &headline(result), columns);
    out.push_str(&hanging("plan: ", &plan(result), columns));
    out.push('\n');
    let other = match result.clock {
        Clock::Wall => "by CPU time",
        Clock::Cpu => "by the wall clock",
    };
    let titles = [
        "function",
        "gain, %",
        other,
        "if it took none",
        "share",
        "slowed by, %",
    ];
    let rows: Vec<Vec<String>> = (result.functions.iter())
        .map(|one| row(one, result.clock))
        .collect();
    out.push_str(&aligned(&titles, &rows, style));
    out.push('\n');
    out.push_str(&hanging("", &legend(result), columns));
    for (reason, functions) in reasons(result) {
        let text = format!("{}: {}", functions.join(", "), clean(&reason));
        out.push_str(&hanging("not extrapolated: ", &text, columns));
    }
    for one in &result.left_out {
        let text = format!("{}: {}", clean(&one.function), clean(&one.reason));
        out.push_str(&hanging("left out: ", &text, columns));
    }
    for remark in &result.remarks {
        out.push_str(&hanging("note: ", &clean(remark), columns));
    }
    out
}

fn headline(result: &SpeedupResult) -> String {
    let clock = match result.clock {
        Clock::Wall => "by the wall clock",
        Clock::Cpu => "by CPU time",
    };
    format!(
        "{}: what it would gain if a function took {} % less time, {clock}; {} in {}, {}",
        clean(&result.program),
        fixed(result.faster_by_pct, 0),
        count(result.iterations, "iteration"),
        count(result.rounds, "round"),
        count(result.alignments, "alignment"),
    )
}

/// What slows everything, and how far off it is.
fn plan(result: &SpeedupResult) -> String {
    let plan = &result.plan;
    let path = plan.path.as_deref().unwrap_or("-");
    let here = result.slowed.cpu_pct.map_or_else(
        || "by what is not known here".to_owned(),
        |slowed| signed_percent(&slowed),
    );
    let off = plan.block_error_pt.map_or_else(
        || "how far its blocks are off is not known".to_owned(),
        |error| {
            format!(
                "its blocks are off by {} on average",
                with_unit(&error, "pt")
            )
        },
    );
    let outside = plan.outside_pct.map_or_else(String::new, |outside| {
        format!("; {} % of the time cannot be slowed", fixed(outside, 1))
    });
    format!(
        "{}, every block slowed by {} %, the program here {here} of CPU time; {off}{outside}",
        clean(path),
        fixed(plan.aim_pct.unwrap_or(plan.target_pct), 0)
    )
}

fn row(one: &FunctionGain, clock: Clock) -> Vec<String> {
    let other = match clock {
        Clock::Wall => Clock::Cpu,
        Clock::Cpu => Clock::Wall,
    };
    let figure = |figure: Option<Estimate>| figure.map_or("-".to_owned(), |e| without_unit(&e));
    vec![
        clean(&one.function),
        figure(one.gain_pct),
        figure(one.by_clock.by(other)),
        figure(one.without_it_pct),
        one.share_pct
            .map_or("-".to_owned(), |share| fixed(share, 1)),
        figure(one.slowed_pct),
    ]
}

fn legend(result: &SpeedupResult) -> String {
    let n = result.functions.iter().find_map(|one| one.gain_pct);
    let n = n.map_or(0, |gain| gain.n);
    format!(
        "gain: by how much less time the program would take, %, with its 95 % interval, n = {} rounds; of the function's own \
         code, not of what it calls. if it took none: the same if the function took no time at all. share: its part of the time \
         by the samples of the plan, %. slowed by: what the plan slows its blocks by; what that is off scales the gain.",
        grouped(n)
    )
}

/// Why functions taking no time at all is not told, each reason once.
fn reasons(result: &SpeedupResult) -> Vec<(String, Vec<String>)> {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for one in &result.functions {
        let Some(reason) = &one.not_extrapolated else {
            continue;
        };
        let name = clean(&one.function);
        match all.iter_mut().find(|(known, _)| known == reason) {
            Some((_, functions)) => functions.push(name),
            None => all.push((reason.clone(), vec![name])),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use proofmark_experiment::speedup::{
        Clocks, PlanFacts, SPEEDUP_SCHEMA, SlowedBlock, SpeedupLeftOut,
    };

    use super::*;

    fn gain(function: &str, clock: Clock, value: f64) -> FunctionGain {
        let estimate = |value: f64| Some(Estimate::around(value, 1.2, 10));
        FunctionGain {
            function: function.into(),
            gain_pct: estimate(value),
            by_clock: Clocks {
                wall_pct: estimate(if clock == Clock::Wall {
                    value
                } else {
                    value - 0.4
                }),
                cpu_pct: estimate(if clock == Clock::Cpu {
                    value
                } else {
                    value + 3.0
                }),
            },
            without_it_pct: match clock {
                Clock::Wall => None,
                Clock::Cpu => estimate(2.0 * value),
            },
            not_extrapolated: (clock == Clock::Wall).then(|| "the program works in threads".into()),
            share_pct: Some(2.0 * value),
            slowed_pct: Some(Estimate::around(98.0, 4.0, 3000)),
            blocks: vec![SlowedBlock {
                unit: function.into(),
                block: 1,
                share_pct: None,
                slowed_pct: None,
            }],
        }
    }

    fn result(clock: Clock) -> SpeedupResult {
        SpeedupResult {
            schema: SPEEDUP_SCHEMA.into(),
            program: "./shop\u{1b}[31m 60 40".into(),
            plan: PlanFacts {
                path: Some("plan.json".into()),
                workload: "./shop 60 40".into(),
                target_pct: 100.0,
                aim_pct: Some(102.0),
                overhead_pct: None,
                block_error_pt: Some(Estimate::around(4.8, 2.0, 15)),
                coverage_pct: 97.0,
                outside_pct: Some(1.0),
            },
            clock,
            concurrent: clock == Clock::Wall,
            faster_by_pct: 50.6,
            slowed: Clocks {
                wall_pct: None,
                cpu_pct: Some(Estimate::around(101.5, 1.1, 10)),
            },
            functions: vec![gain("first", clock, 30.1), gain("second", clock, 20.2)],
            left_out: vec![SpeedupLeftOut {
                function: "third".into(),
                reason: "the plan puts no instruction into it".into(),
            }],
            remarks: vec!["something else".into()],
            rounds: 10,
            alignments: 4,
            iterations: 480,
            seed: 1,
            seconds: 30.0,
        }
    }

    fn flat(text: &str) -> String {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn gains_stand_with_intervals_and_what_limits_them() {
        let text = speedup_table(&result(Clock::Cpu), Style::default());
        let first = text.lines().find(|line| line.starts_with("first")).unwrap();
        for part in ["30.1 (28.9 to 31.3)", "29.7 (", "60.2 (", "98 (94 to 102)"] {
            assert!(first.contains(part), "{part} in {text}");
        }
        let flat = flat(&text);
        for part in [
            "took 51 % less time, by CPU time",
            "+101.5 % (100.4 to 102.6) of CPU time",
            "off by 4.8 pt (2.8 to 6.8)",
            "n = 10 rounds",
            "left out: third: ",
            "note: something else",
        ] {
            assert!(flat.contains(part), "{part} in {text}");
        }
        assert!(!text.contains('\u{1b}'), "no escape sequence of others");
        assert!(!text.contains("not extrapolated"));
    }

    #[test]
    fn what_is_not_extrapolated_is_said_once_for_all() {
        let text = speedup_table(&result(Clock::Wall), Style::default());
        let flat = flat(&text);
        assert!(flat.contains("by the wall clock; 480 iterations"), "{text}");
        let wanted = "not extrapolated: first, second: the program works in threads";
        assert!(flat.contains(wanted), "{text}");
        for width in [60, 80, 120] {
            let style = Style {
                color: false,
                width,
            };
            let text = speedup_table(&result(Clock::Wall), style);
            assert!(text.contains("note: something else"), "{text}");
        }
    }
}
