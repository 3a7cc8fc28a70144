//! Looks of profilers at the program as it is, each in a process of its own without sites.

use std::collections::BTreeMap;
use std::sync::mpsc::{Sender, channel};

use proofmark_stats::median;

use super::lab::{SiteLab, SiteLabs, WARM, Watching};
use super::runs::{Stopped, joined};
use super::windows::counts;
use super::{DoseError, Test, of_profiler};
use crate::dose::Window;
use crate::dose::failed::{in_short, with_log};
use crate::lab::ProfiledWindow;
use crate::progress::Progress;

/// Time that each profiler watches the program as it is, s; less where the test's windows are shorter than a look's. Whether its
/// profile is wrong by the margin is known by the sum of many small shares, each of which has an interval: JFR takes some 900 samples
/// a second.
const LOOK_S: f64 = 6.0;
/// In so many windows, whose spread says how sure a share is.
const LOOK_WINDOWS: u32 = 30;
/// In fewer where iterations are long, but so many at least. So long the first look is alone, which tells how many processors the program
/// keeps busy; others begin then. One behind the other, two looks took 23 s (Json), most of it warm-up.
const LEAST_WINDOWS: u32 = 8;

/// What a profiler saw of the program as it is.
pub(super) struct Look {
    pub(super) windows: Vec<Window>,
    /// Time of an iteration, s.
    pub(super) iteration_s: f64,
    /// How long it took, s: from the start of its process until what it saw is read.
    pub(super) took_s: f64,
}

/// A look that has begun: its process, if that was started, and when it was asked for, by the clock of the test, s.
struct Begun<'t, S: SiteLab> {
    lab: Result<S, S::Error>,
    progress: &'t dyn Progress,
    began_s: f64,
}

/// The name of a profiler's process.
type Name = fn(&str) -> String;

/// Name of the process in which a profiler looks at the program as it is.
fn look_of(profiler: &str) -> String {
    format!("look-{profiler}")
}

/// Name of the one in which it does so once more.
fn again_of(profiler: &str) -> String {
    format!("look-again-{profiler}")
}

/// What it saw, or why it does not work.
pub(super) type Seen = Result<Look, String>;

/// What of the program as it is every profiler shows, and how many processes may be measured at the same time: as many as there
/// is room for by the first look, which is alone until that is known, and 1 if a process that does alone does not beside others. So what
/// fails beside others, where it may lack memory or a port, is looked at alone; the others are not ended, as their looks count then.
/// Where the program fails alone, nobody else looks.
pub(super) fn seen<L: SiteLabs>(
    test: &Test<'_, L>,
) -> Result<(Vec<Seen>, usize), DoseError<L::Error>> {
    let profilers = &test.order.size.profilers;
    let (mut all, mut at_once) = (Vec::new(), None);
    while all.len() < profilers.len() {
        let next = &profilers[all.len()..];
        let found = match at_once {
            Some(room) => looks(test, &next[..next.len().min(room)], look_of),
            None => {
                let (found, room) = first_looks(test, next);
                at_once = room;
                found
            }
        };
        if found.len() == 1 || found.iter().all(Result::is_ok) {
            for (profiler, look) in next.iter().zip(found) {
                all.push(alone(test, profiler, look)?);
            }
            continue;
        }
        for (profiler, look) in next.iter().zip(found) {
            match look {
                Ok(look) => all.push(Ok(look)),
                Err(_) => {
                    for look in looks(test, std::slice::from_ref(profiler), look_of) {
                        if look.is_ok() {
                            at_once = Some(1);
                        }
                        all.push(alone(test, profiler, look)?);
                    }
                }
            }
        }
    }
    Ok((all, at_once.unwrap_or(1)))
}

/// What these profilers see of the program as it is in other processes than before, so many at the same time. Where one of them fails by
/// what is everybody's, the program or the user's wish to stop, nobody begins any more: what others saw until then, and what ended it.
pub(super) fn again<L: SiteLabs>(
    test: &Test<'_, L>,
    profilers: &[String],
    at_once: usize,
) -> (BTreeMap<String, Seen>, Option<Stopped<L::Error>>) {
    let mut all = BTreeMap::new();
    for some in profilers.chunks(at_once.max(1)) {
        let mut stopped = None;
        for (profiler, look) in some.iter().zip(looks(test, some, again_of)) {
            let log = test.labs.log(&again_of(profiler));
            let seen = match look.map_err(of_profiler) {
                Ok(look) => Ok(look),
                Err(Ok(reason)) => Err(in_short(&reason, log.as_deref())),
                Err(Err(error)) => {
                    stopped = Some(Stopped { error, log });
                    continue;
                }
            };
            all.insert(profiler.clone(), seen);
        }
        if stopped.is_some() {
            return (all, stopped);
        }
    }
    (all, None)
}

/// What a look says that nothing beside it disturbed. Where the program failed in it, there is no test.
fn alone<L: SiteLabs>(
    test: &Test<'_, L>,
    profiler: &str,
    look: Result<Look, L::Error>,
) -> Result<Seen, DoseError<L::Error>> {
    let name = look_of(profiler);
    match look.map_err(of_profiler) {
        Ok(look) => Ok(Ok(look)),
        Err(Ok(reason)) => Ok(Err(with_log(reason, test.labs.log(&name).as_deref()))),
        Err(Err(error)) => test.needed(&name, Err(error)),
    }
}

/// What looks saw.
type Looks<E> = Vec<Result<Look, E>>;

/// The look of the first of some profilers and, once it says for how many processes there is room, those of as many others as may be
/// beside it; and for how many there is. That is not known if the first one fails before.
fn first_looks<L: SiteLabs>(
    test: &Test<'_, L>,
    profilers: &[String],
) -> (Looks<L::Error>, Option<usize>) {
    let size = &test.order.size;
    let first = begun(test, &profilers[0], look_of);
    let (tell, told) = channel();
    std::thread::scope(|scope| {
        let look = move || looked(first, size.window_s, Some(&tell));
        let mut looking = vec![scope.spawn(look)];
        let room = told.recv().ok();
        // What others keep busy is not seen beside them.
        let room = room.map(|room: usize| room.clamp(1, size.at_once.max(1)));
        for profiler in profilers.iter().take(room.unwrap_or(1)).skip(1) {
            let next = begun(test, profiler, look_of);
            looking.push(scope.spawn(move || looked(next, size.window_s, None)));
        }
        (looking.into_iter().map(joined).collect(), room)
    })
}

/// Looks of some profilers at the same time, in processes of these names.
fn looks<L: SiteLabs>(test: &Test<'_, L>, profilers: &[String], name: Name) -> Looks<L::Error> {
    let all = profilers.iter().map(|one| begun(test, one, name));
    let all: Vec<_> = all.collect();
    let window_s = test.order.size.window_s;
    std::thread::scope(|scope| {
        let mut looking = Vec::new();
        for one in all {
            looking.push(scope.spawn(move || looked(one, window_s, None)));
        }
        looking.into_iter().map(joined).collect()
    })
}

/// Starts the process in which a profiler looks: it ends with the thread that does.
fn begun<'t, L: SiteLabs>(test: &Test<'t, L>, profiler: &str, name: Name) -> Begun<'t, L::Lab> {
    test.say(&format!("{profiler} looks at the program as it is"));
    Begun {
        began_s: test.progress.elapsed_s(),
        progress: test.progress,
        lab: test.lab(&name(profiler), &[], Some(profiler)),
    }
}

/// What a profiler sees; after some windows it tells how many processes like this one the machine has room for at the same time.
fn looked<S: SiteLab>(
    begun: Begun<'_, S>,
    window_s: f64,
    tell: Option<&Sender<usize>>,
) -> Result<Look, S::Error> {
    let mut lab = begun.lab?;
    let window_s = window_s.min(LOOK_S / f64::from(LOOK_WINDOWS));
    let all_s = window_s * f64::from(LOOK_WINDOWS);
    lab.warm_up(&WARM)?;
    let (mut busy, mut seconds) = (0.0_f64, 0.0);
    let mut iterations_s = Vec::new();
    for nth in 1..=LOOK_WINDOWS {
        let window = lab.window(None, window_s, 1, Watching::Profiler)?;
        busy = busy.max(window.busy());
        seconds += window.cpu_s();
        iterations_s.push(window.wall_s() / window.iterations.len().max(1) as f64);
        if let Some(tell) = tell.filter(|_| nth == LEAST_WINDOWS) {
            // Who does not listen any more panics too.
            let _ = tell.send(lab.at_once(busy));
        }
        if nth >= LEAST_WINDOWS && seconds >= all_s {
            break;
        }
    }
    let window = |one: &ProfiledWindow| Window {
        methods: counts(one),
        other: one.native + one.unattributed,
        ..Window::default()
    };
    let alive_s = lab.elapsed_s();
    let windows = lab.finish()?.iter().map(window).collect();
    Ok(Look {
        // A JVM's start and what its profiler writes in the end are not in its own time.
        took_s: alive_s.max(begun.progress.elapsed_s() - begun.began_s),
        windows,
        iteration_s: median(&iterations_s).unwrap_or(0.0),
    })
}
