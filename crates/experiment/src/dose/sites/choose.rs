//! Which methods are tested: what a profiler never shows is what matters, so that none is asked alone.

use std::collections::BTreeMap;

use super::lab::{SiteLab, SiteLabs, WARM};
use super::runs::joined;
use super::windows::counts;
use super::{DoseError, Test, of_profiler};
use crate::dose::failed::with_log;
use crate::dose::{JavaShares, Weighed, Window, hottest, java_shares, one_works, shares_at_rest};
use crate::lab::ProfiledWindow;

/// Time that each profiler watches the program as it is, s; less where the test's windows are shorter than a look's. Whether its
/// profile is wrong by the margin is known by the sum of many small shares, each of which has an interval: JFR takes some 900 samples
/// a second.
const LOOK_S: f64 = 6.0;
/// In so many windows, whose spread says how sure a share is; in fewer, but so many at least, where iterations are long.
const LOOK_WINDOWS: u32 = 30;
const LEAST_WINDOWS: u32 = 8;

/// A method that may be tested.
#[derive(Debug, Clone, Default)]
pub(super) struct Candidate {
    /// `com.acme.Main.run`
    pub(super) name: String,
    /// Internal name of its class, and its own name.
    pub(super) class: String,
    pub(super) method: String,
    /// Share of the bytecodes, %.
    pub(super) bytecode_pct: Option<f64>,
    /// Share that each profiler reports without sites, %.
    pub(super) reported_pct: BTreeMap<String, f64>,
    /// The user asked for it.
    pub(super) named: bool,
}

impl Candidate {
    /// `com.acme.Main$Inner.run` with a dot between class and method.
    fn parse(name: &str) -> Option<Self> {
        let (class, method) = name.rsplit_once('.')?;
        Some(Self {
            name: name.to_owned(),
            class: class.replace('.', "/"),
            method: method.to_owned(),
            ..Self::default()
        })
    }
}

impl Weighed for Candidate {
    fn named(&self) -> bool {
        self.named
    }

    fn weight(&self) -> f64 {
        let reported = self.reported_pct.values().copied();
        reported.chain(self.bytecode_pct).fold(0.0, f64::max)
    }
}

/// What was found before anything is changed.
pub(super) struct Chosen {
    /// Methods to test, hottest first.
    pub(super) candidates: Vec<Candidate>,
    /// Names of those that are large enough and beyond the number that is tested, hottest first.
    pub(super) beyond: Vec<String>,
    /// What each profiler shows of the program as it is.
    pub(super) looks: BTreeMap<String, JavaShares>,
    /// Profilers that do not work, with the reason.
    pub(super) failed: BTreeMap<String, String>,
    /// How many processes of the program may be measured at the same time.
    pub(super) at_once: usize,
}

/// Methods to test, by counts and by what every profiler shows.
pub(super) fn chosen<L: SiteLabs>(test: &Test<'_, L>) -> Result<Chosen, DoseError<L::Error>> {
    let (named, size) = (&test.order.named, &test.order.size);
    let mut all: BTreeMap<String, Candidate> = BTreeMap::new();
    for name in named {
        let Some(one) = named_candidate(name) else {
            return Err(DoseError::Usage(format!(
                "--method {name}: write the class with its packages and the method, such as com.acme.Main.run"
            )));
        };
        all.insert(name.clone(), one);
    }
    let mut entry = |name: &str, set: &mut dyn FnMut(&mut Candidate)| {
        if let Some(candidate) = Candidate::parse(name).filter(|one| can_change(&one.class)) {
            set(all.entry(name.to_owned()).or_insert(candidate));
        }
    };
    for (name, pct) in test.labs.bytecodes() {
        entry(&name, &mut |one| one.bytecode_pct = Some(pct));
    }
    let mut failed = BTreeMap::new();
    let mut looks = BTreeMap::new();
    let (seen, at_once) = seen(test)?;
    for (profiler, seen) in size.profilers.iter().zip(seen) {
        match seen {
            Ok(Look { windows, .. }) => {
                for (name, share) in shares_at_rest(&windows) {
                    entry(&name, &mut |one| {
                        one.reported_pct.insert(profiler.clone(), share.value);
                    });
                }
                looks.insert(profiler.clone(), java_shares(&windows));
            }
            Err(reason) => {
                failed.insert(profiler.clone(), reason);
            }
        }
    }
    if let Err(reasons) = one_works(&failed, size.profilers.len()) {
        return Err(DoseError::Cannot(reasons));
    }
    let mut candidates = hottest(all.into_values());
    let most = size.methods.max(named.len()).min(candidates.len());
    let beyond = candidates.split_off(most).into_iter();
    Ok(Chosen {
        candidates,
        beyond: beyond.map(|one| one.name).collect(),
        looks,
        failed,
        at_once,
    })
}

/// A method that the user asked for; none if that is no method's name.
fn named_candidate(name: &str) -> Option<Candidate> {
    let parsed = Candidate::parse(name);
    let named = parsed.filter(|one| !one.class.is_empty() && !one.method.is_empty());
    named.map(|one| Candidate { named: true, ..one })
}

/// Whether a class, by its internal name, comes from a file that can be changed: not one that the JVM makes itself, nor our own.
fn can_change(class: &str) -> bool {
    !is_made(class) && !is_ours(class)
}

/// Whether a class, by its internal name, is one that the JVM or the program makes while it runs, such as those of lambdas.
pub(in crate::dose) fn is_made(class: &str) -> bool {
    let made = [
        "$$Lambda",
        "LambdaForm$",
        "$$StringConcat",
        "$Proxy",
        "GeneratedMethodAccessor",
        "/0x",
    ];
    made.iter().any(|part| class.contains(part))
}

/// Whether a class, by its internal name, is of our harness.
pub(super) fn is_ours(class: &str) -> bool {
    let ours = ["proofmark/harness/", "proofmark/jmh/"];
    ours.iter().any(|package| class.starts_with(package))
}

/// Name of the process in which a profiler looks at the program as it is.
fn look_of(profiler: &str) -> String {
    format!("look-{profiler}")
}

/// The program as it is.
struct Look {
    /// As a profiler shows it.
    windows: Vec<Window>,
    /// Processes like this one that the machine has room for at the same time.
    places: usize,
}

/// What a profiler saw, or why it does not work.
type Seen = Result<Look, String>;

/// What of the program as it is every profiler shows, and how many processes may be measured at the same time: as many as there
/// is room for by the first look, which is alone, and 1 if a process that does alone does not beside others. So what fails beside
/// others, where it may lack memory or a port, is looked at alone; the others are not ended, as their looks count then. Where the
/// program fails alone, nobody else looks.
fn seen<L: SiteLabs>(test: &Test<'_, L>) -> Result<(Vec<Seen>, usize), DoseError<L::Error>> {
    let size = &test.order.size;
    let (mut all, mut at_once) = (Vec::new(), 1);
    while all.len() < size.profilers.len() {
        let next = &size.profilers[all.len()..];
        let next = &next[..at_once.min(next.len())];
        let found = looks(test, next);
        if next.len() == 1 || found.iter().all(Result::is_ok) {
            let places = found.iter().flatten().map(|look| look.places).min();
            // What others keep busy is not seen beside them.
            if all.iter().all(Result::is_err) {
                at_once = places.unwrap_or(1).clamp(1, size.at_once.max(1));
            }
            for (profiler, look) in next.iter().zip(found) {
                all.push(alone(test, profiler, look)?);
            }
            continue;
        }
        for (profiler, look) in next.iter().zip(found) {
            match look {
                Ok(look) => all.push(Ok(look)),
                Err(_) => {
                    for look in looks(test, std::slice::from_ref(profiler)) {
                        if look.is_ok() {
                            at_once = 1;
                        }
                        all.push(alone(test, profiler, look)?);
                    }
                }
            }
        }
    }
    Ok((all, at_once))
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

/// Looks of some profilers at the same time.
fn looks<L: SiteLabs>(test: &Test<'_, L>, profilers: &[String]) -> Vec<Result<Look, L::Error>> {
    // Started here: a process ends with the thread that started it.
    let mut labs = Vec::new();
    for profiler in profilers {
        test.say(&format!("{profiler} looks at the program as it is"));
        labs.push(test.lab(&look_of(profiler), &[], Some(profiler)));
    }
    let window_s = test.order.size.window_s;
    std::thread::scope(|scope| {
        let mut looking = Vec::new();
        for lab in labs {
            looking.push(scope.spawn(move || looked(lab?, window_s)));
        }
        looking.into_iter().map(joined).collect()
    })
}

fn looked<S: SiteLab>(mut lab: S, window_s: f64) -> Result<Look, S::Error> {
    let window_s = window_s.min(LOOK_S / f64::from(LOOK_WINDOWS));
    let all_s = window_s * f64::from(LOOK_WINDOWS);
    lab.warm_up(&WARM)?;
    let (mut busy, mut seconds) = (0.0_f64, 0.0);
    for nth in 0..LOOK_WINDOWS {
        if nth >= LEAST_WINDOWS && seconds >= all_s {
            break;
        }
        let window = lab.window(None, window_s, 1, true)?;
        busy = busy.max(window.busy());
        seconds += window.cpu_s();
    }
    let places = lab.at_once(busy);
    let window = |one: &ProfiledWindow| Window {
        methods: counts(one),
        other: one.native + one.unattributed,
        ..Window::default()
    };
    Ok(Look {
        windows: lab.finish()?.iter().map(window).collect(),
        places,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_method_has_a_class() {
        let one = named_candidate("com.acme.Main$Inner.run").expect("a method");
        assert!(one.named);
        assert_eq!(
            (one.class.as_str(), one.method.as_str()),
            ("com/acme/Main$Inner", "run")
        );
        for wrong in ["run", ".run", "com.acme.Main."] {
            assert!(named_candidate(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn classes_that_come_from_no_file_are_not_changed() {
        assert!(can_change("com/acme/Main$Inner"));
        for made in [
            "com/acme/Main$$Lambda",
            "java/lang/invoke/LambdaForm$DMH",
            "jdk/proxy1/$Proxy4",
            "proofmark/harness/Iterations",
            "proofmark/jmh/Loop",
        ] {
            assert!(!can_change(made), "{made}");
        }
    }
}
