//! Which methods are tested: what a profiler never shows is what matters, so that none is asked alone.

use std::collections::BTreeMap;

use proofmark_experiment::dose::{JavaShares, Window, java_shares, shares_at_rest};
use proofmark_experiment::lab::ProfiledWindow;
use proofmark_jvm::{Kind, LabError, ProfilerSpec};
use proofmark_rules::DOSE_METHOD_PCT;

use super::session::Session;
use super::tune::WARM;
use crate::context::Refusal;
use crate::request::Counted;
use crate::run::count::live;

/// Time that each profiler watches the program as it is, s.
const LOOK_S: f64 = 2.0;
/// In so many windows, whose spread says how sure a share is.
const LOOK_WINDOWS: u32 = 8;

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

/// What may be tested.
pub(in crate::run) trait Weighed {
    /// The user asked for it.
    fn named(&self) -> bool;
    /// The largest share that anybody gives it, %.
    fn weight(&self) -> f64;
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

/// Those that are large enough or asked for: these first, then the hottest.
pub(in crate::run) fn hottest<C: Weighed>(all: impl Iterator<Item = C>) -> Vec<C> {
    let large = |one: &C| one.named() || one.weight() >= DOSE_METHOD_PCT;
    let mut all: Vec<C> = all.filter(large).collect();
    all.sort_by(|a, b| {
        (b.named(), b.weight())
            .partial_cmp(&(a.named(), a.weight()))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    all
}

/// Refuses to go on where all of so many profilers failed.
pub(in crate::run) fn one_works(
    failed: &BTreeMap<String, String>,
    profilers: usize,
) -> Result<(), Refusal> {
    if failed.len() < profilers {
        return Ok(());
    }
    let reasons: Vec<String> = (failed.iter())
        .map(|(name, why)| format!("{name}: {why}"))
        .collect();
    Err(Refusal::Cannot(reasons.join("; ")))
}

/// What was found before anything is changed.
pub(super) struct Chosen {
    /// Methods to test, hottest first.
    pub(super) candidates: Vec<Candidate>,
    /// What each profiler shows of the program as it is.
    pub(super) looks: BTreeMap<String, JavaShares>,
    /// Profilers that do not work, with the reason.
    pub(super) failed: BTreeMap<String, String>,
}

/// Methods to test, by counts and by what every profiler shows.
pub(super) fn chosen(session: &Session<'_>) -> anyhow::Result<Chosen> {
    let mut all: BTreeMap<String, Candidate> = BTreeMap::new();
    for name in &session.request.named {
        let named =
            Candidate::parse(name).filter(|one| !one.class.is_empty() && !one.method.is_empty());
        let mut named = named.ok_or_else(|| {
            Refusal::Usage(format!(
                "--method {name}: write the class with its packages and the method, such as com.acme.Main.run"
            ))
        })?;
        named.named = true;
        all.insert(name.clone(), named);
    }
    let mut entry = |name: &str, set: &mut dyn FnMut(&mut Candidate)| {
        if let Some(candidate) = Candidate::parse(name).filter(|one| can_change(&one.class)) {
            set(all.entry(name.to_owned()).or_insert(candidate));
        }
    };
    for (name, pct) in bytecodes(session) {
        entry(&name, &mut |one| one.bytecode_pct = Some(pct));
    }
    let mut failed = BTreeMap::new();
    let mut looks = BTreeMap::new();
    for spec in &session.specs {
        match look(session, spec) {
            Ok(windows) => {
                for (name, share) in shares_at_rest(&windows) {
                    entry(&name, &mut |one| {
                        one.reported_pct.insert(spec.name.clone(), share.value);
                    });
                }
                looks.insert(spec.name.clone(), java_shares(&windows));
            }
            Err(error) => drop(failed.insert(spec.name.clone(), super::of_profiler(error)?)),
        }
    }
    one_works(&failed, session.specs.len())?;
    let mut candidates = hottest(all.into_values());
    candidates.truncate(session.request.methods.max(session.request.named.len()));
    Ok(Chosen {
        candidates,
        looks,
        failed,
    })
}

/// Whether a class comes from a file that can be changed: not one that the JVM makes itself, nor our own.
fn can_change(class: &str) -> bool {
    let made = [
        "$$Lambda",
        "LambdaForm$",
        "$$StringConcat",
        "$Proxy",
        "GeneratedMethodAccessor",
        "/0x",
    ];
    !class.starts_with("proofmark/harness/") && made.iter().all(|part| !class.contains(part))
}

/// Share of the bytecodes per method, %; nothing for programs that have no command of their own, or that cannot be
/// counted, which is said.
fn bytecodes(session: &Session<'_>) -> BTreeMap<String, f64> {
    let request = session.request;
    let program = match request.workload.kind {
        Kind::Suite => Counted::Suite(request.workload.name().to_owned()),
        Kind::Main if !request.command.is_empty() => Counted::Command(request.command.clone()),
        _ => return BTreeMap::new(),
    };
    session.say("counting bytecodes");
    let counted = match live::exact(&program, &session.around.toolchain) {
        Ok(counted) => counted,
        Err(error) => {
            let text = format!(
                "bytecodes are not counted, methods are chosen by the profilers alone: {error}"
            );
            session.around.progress.note(&text);
            return BTreeMap::new();
        }
    };
    let mut all = BTreeMap::new();
    for row in counted.methods {
        let name = row.method.split('(').next().unwrap_or_default();
        *all.entry(name.to_owned()).or_insert(0.0) += row.pct;
    }
    all
}

/// Windows of the program as it is, as a profiler shows them.
fn look(session: &Session<'_>, spec: &ProfilerSpec) -> Result<Vec<Window>, LabError> {
    session.say(&format!("{} looks at the program as it is", spec.name));
    let mut lab = session.lab(&format!("look-{}", spec.name), &[], Some(spec))?;
    lab.warm_up(&WARM)?;
    for _ in 0..LOOK_WINDOWS {
        lab.window(None, LOOK_S / f64::from(LOOK_WINDOWS), 1, true)?;
    }
    let reported = lab.finish()?;
    let window = |one: &ProfiledWindow| Window {
        methods: counts(one),
        other: one.native + one.unattributed,
        ..Window::default()
    };
    Ok(reported.iter().map(window).collect())
}

/// Samples of each method; overloads are one.
pub(super) fn counts(window: &ProfiledWindow) -> BTreeMap<String, f64> {
    let mut all = BTreeMap::new();
    for (method, count) in &window.methods {
        let name = format!("{}.{}", method.class, method.name);
        *all.entry(name).or_insert(0.0) += count;
    }
    all
}
