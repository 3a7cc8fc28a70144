//! The processes of profilers: as many as are wanted, and more where these would decide. So there are two looks at most, and what the
//! first one could have said is counted in the second one.

use super::in_time::{no_time, spared};
use super::lab::{SiteError, SiteLabs};
use super::measure::{Profiled, profiled};
use super::result::{Measured, in_jvms};
use super::runs::{Processes, Stopped};
use super::second::{look_again, taken_back};
use super::{DoseError, DoseOrder, Test, under};
use crate::assess::time_words;
use crate::dose::advice::listed;
use crate::dose::more::would_decide;
use crate::dose::remedy::Test as Judged;
use crate::dose::{EarlierLook, Unfinished};

/// Runs the processes of all profilers, and says what they showed.
pub(super) fn run<L: SiteLabs>(
    test: &Test<'_, L>,
    processes: &mut Processes<'_>,
    measured: &mut Measured,
) -> Result<(), DoseError<L::Error>> {
    let order = test.order;
    let all: Vec<usize> = (0..processes.profilers.len()).collect();
    let more = order.most_runs.saturating_sub(order.size.runs);
    let begin_s = test.progress.elapsed_s();
    let wanted = processes.more(test, &all, order.size.runs);
    wanted.map_err(Stopped::without_result)?;
    // What is right stays what these say: more processes are judged by it too.
    let counted = under::counted(&mut measured.tuned, processes);
    (measured.judged_by, measured.apart) = (counted.judged, counted.remark);
    for at in all {
        take(measured, order, (&*processes, at), EarlierLook::default());
    }
    let took_s = test.progress.elapsed_s() - begin_s;
    let known = (measured.tuned.as_slice(), &measured.plain);
    measured.took.measured(known, processes, took_s);
    let judged = measured.profiled.iter().map(|one| one.name.clone());
    let judged: Vec<String> = judged.collect();
    look_again(test, measured, &judged);
    if more > 0 && measured.unfinished.is_none() {
        added(test, processes, measured, (more, took_s));
        let those: Vec<String> = measured.added.keys().cloned().collect();
        look_again(test, measured, &those);
    }
    let taken_back = taken_back(measured, order.margin_pt);
    measured.late.extend(taken_back);
    measured.late.extend(spared(order, processes));
    Ok(())
}

/// Runs so many processes more of those profilers that are open and that these would probably decide, the first ones of them where there is
/// no time for all. Where they are ended, what the wanted ones showed stands. These took so long, s.
fn added<L: SiteLabs>(
    test: &Test<'_, L>,
    processes: &mut Processes<'_>,
    measured: &mut Measured,
    (more, took_s): (usize, f64),
) {
    let order = test.order;
    let now_s = test.progress.elapsed_s();
    let mut open = open(order, processes, measured, more);
    let in_turn = |profilers: usize, each: usize| {
        (profilers * each).div_ceil(processes.at_once.max(1)) as f64
    };
    let wanted = in_turn(processes.profilers.len(), order.size.runs);
    let takes_s = |profilers: usize| took_s * in_turn(profilers, more) / wanted.max(1.0);
    let fits = |profilers: &usize| {
        (test.until_s).is_none_or(|until_s| now_s + takes_s(*profilers) <= until_s)
    };
    let fit = (1..=open.len()).rev().find(fits).unwrap_or(0);
    let names = |of: &[(usize, EarlierLook)]| -> Vec<String> {
        let all = of.iter();
        all.map(|(at, _)| processes.profilers[*at].clone())
            .collect()
    };
    let late = names(&open.split_off(fit));
    if !late.is_empty() {
        let said = no_time(&late, more);
        test.progress.note(&said);
        measured.late.push(said);
    }
    if open.is_empty() {
        return;
    }
    let (profilers, seconds) = (names(&open), takes_s(open.len()));
    let places: Vec<usize> = open.iter().map(|(at, _)| *at).collect();
    test.progress.note(&said(&profilers, more, seconds));
    test.labs.adds(seconds);
    match processes.more(test, &places, more) {
        Ok(()) => {
            for (at, earlier) in open {
                take_added(measured, order, (&*processes, at), earlier);
            }
        }
        Err(stopped) => {
            let unfinished = unfinished(stopped, profilers, more);
            test.progress.note(&unfinished.says(order.size.runs));
            measured.unfinished = Some(unfinished);
        }
    }
}

/// What ended so many processes more of each of these profilers.
fn unfinished<E: SiteError>(
    stopped: Stopped<E>,
    profilers: Vec<String>,
    each: usize,
) -> Unfinished {
    Unfinished {
        profilers,
        each,
        without_sites: false,
        interrupted: stopped.error.is_interrupt(),
        reason: stopped.error.to_string(),
        log: stopped.log,
    }
}

/// Places of the profilers that so many processes more would probably decide, and what has been said of each.
fn open(
    order: &DoseOrder,
    processes: &Processes<'_>,
    measured: &Measured,
    more: usize,
) -> Vec<(usize, EarlierLook)> {
    let attribution = measured.judged(order);
    let judged = Judged {
        size: &order.size,
        margin_pt: order.margin_pt,
        took: &measured.took,
        again: &order.again,
    };
    let of = |one: &Profiled| {
        let said = attribution.get(&one.name)?;
        let mut all = processes.profilers.iter();
        let at = all.position(|name| **name == one.name)?;
        let earlier = EarlierLook {
            intervals: said.accusing_intervals,
            false_alarm: said.false_alarm,
        };
        // One that saw nothing at a site is not certified, however many processes there are.
        let decides = !one.unseen && would_decide(said, &in_jvms(one), &judged, more);
        decides.then_some((at, earlier))
    };
    measured.profiled.iter().filter_map(of).collect()
}

/// `async is undecided: 2 more JVMs would probably decide it, in about 1 min`
fn said(profilers: &[String], more: usize, seconds: f64) -> String {
    let names: Vec<&str> = profilers.iter().map(String::as_str).collect();
    let (are, each, them) = match names.len() {
        1 => ("is", "", "it"),
        _ => ("are", " each", "them"),
    };
    let jvms = if more == 1 { "JVM" } else { "JVMs" };
    let (names, time) = (listed(&names), time_words(seconds));
    format!(
        "{names} {are} undecided: {more} more {jvms}{each} would probably decide {them}, in about {time}"
    )
}

/// What the added processes of a profiler showed, together with the others. Where all of them failed, nothing is looked at again, and
/// they are named.
fn take_added(
    measured: &mut Measured,
    order: &DoseOrder,
    (processes, at): (&Processes<'_>, usize),
    earlier: EarlierLook,
) {
    let (name, runs) = (processes.profilers[at], &processes.runs[at]);
    let mut all = measured.profiled.iter_mut();
    let Some(there) = all.find(|one| one.name == *name) else {
        return;
    };
    match runs.good.len() - there.jvms {
        0 => there.failed.clone_from(&runs.failed),
        added => {
            take(measured, order, (processes, at), earlier);
            measured.added.insert(name.clone(), added);
        }
    }
}

/// What the processes of a profiler showed, in the place of what fewer of them did; or why it is not judged.
fn take(
    measured: &mut Measured,
    order: &DoseOrder,
    (processes, at): (&Processes<'_>, usize),
    earlier: EarlierLook,
) {
    let name = processes.profilers[at];
    let there = measured.profiled.iter().position(|one| one.name == *name);
    let now = profiled(order, name, &measured.judged_by[at], &processes.runs[at]);
    match (now.map(|one| Profiled { earlier, ..one }), there) {
        (Ok(one), Some(there)) => measured.profiled[there] = one,
        (Ok(one), None) => measured.profiled.push(one),
        (Err(why), there) => {
            if let Some(there) = there {
                drop(measured.profiled.remove(there));
            }
            measured.failed.insert(name.clone(), why);
        }
    }
}
