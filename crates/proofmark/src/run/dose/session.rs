//! What is the same for all JVMs of a test.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use proofmark_experiment::dose::sites::{DoseOrder, SiteLabs, WantedSite};
use proofmark_experiment::dose::{Again, DoseKind, Size, Times};
use proofmark_jvm::dose::{ATTACHED, JVM_LOG, SiteOrder, SitedJvm};
use proofmark_jvm::toolchain::{DoseKit, Jdk, Machine, Settings, jdk_of, shell_line};
use proofmark_jvm::{Engine, Kind, LabError, ProfilerOptions, ProfilerSpec, unused_options};
use proofmark_store::Lock;

use super::pace::Pace;
use super::{size, too_new};
use crate::context::Refusal;
use crate::load::Others;
use crate::request::{Counted, DoseRequest};
use crate::run::count::brief::{Bounds, Brief, exact};
use crate::run::profilers::async_profiler;
use crate::session::run_place;
use crate::surroundings::Surroundings;

/// Time between samples, ns: as often as async-profiler keeps up here, and the least that JFR can be asked for.
const ASYNC_NS: u64 = 200_000;
const JFR_NS: u64 = 1_000_000;

/// The report of a JVM that crashes while its bytecodes are counted.
const COUNT_REPORT: &str = "count.hs_err.log";

/// Everything for starting JVMs.
pub(super) struct Session<'s> {
    request: &'s DoseRequest,
    around: &'s Surroundings,
    kit: DoseKit,
    specs: Vec<ProfilerSpec>,
    /// How far the test has come.
    pub(super) pace: &'s Pace,
    /// Set when one JVM ended the test, as where the program fails in it: the others are ended then.
    given_up: Arc<AtomicBool>,
    /// What others took of the machine before the test.
    others: Others,
    /// Where everything goes that the test leaves.
    pub(super) directory: PathBuf,
    /// The same, held.
    pub(super) lock: Lock,
}

impl<'s> Session<'s> {
    /// Puts together what is needed.
    pub(super) fn begin(
        request: &'s DoseRequest,
        pace: &'s Pace,
        around: &'s Surroundings,
    ) -> anyhow::Result<Self> {
        let java = java(request, &around.toolchain);
        let kit = DoseKit::assemble(&around.toolchain, &java)?;
        let specs = specs(request, around, &kit)?;
        let label = format!("dose-{}", request.workload.name());
        let lock = run_place(request.out.as_deref(), &label)?;
        pace.test_begins(&around.progress);
        Ok(Self {
            request,
            around,
            kit,
            specs,
            pace,
            given_up: Arc::default(),
            others: Others::begin(),
            directory: lock.directory().canonicalize()?,
            lock,
        })
    }

    /// What is to be tested; `busy`: what is to be said of others who use the machine.
    pub(super) fn order(&self, busy: Option<String>) -> DoseOrder {
        let request = self.request;
        DoseOrder {
            program: request.workload.to_string(),
            size: Size {
                profilers: self.specs.iter().map(|spec| spec.name.clone()).collect(),
                ..size(request)
            },
            most_runs: request.most_runs,
            named: request.named.clone(),
            most_s: request.most_s,
            kind: request.kind,
            margin_pt: request.margin_pt,
            seed: request.seed,
            again: self.again(),
            machine: Machine::this().facts(),
            busy,
            remarks: unused_options(),
        }
    }

    /// Longest that one iteration may take.
    fn iteration_limit(&self) -> Duration {
        Duration::from_secs_f64(self.request.iteration_timeout_s)
    }

    /// A JVM's error; one about a program that is too new for its Java says what to do.
    fn told(&self, error: LabError) -> LabError {
        let LabError::NoWorkload(message) = &error else {
            return error;
        };
        let java = self.kit.count.jdk.java();
        let told = too_new::told(message, &java, &self.around.toolchain);
        told.map_or(error, LabError::NoWorkload)
    }

    /// How this is asked for again, with the same kind of dose and on the same JVM.
    fn again(&self) -> Again {
        let (request, jdk) = (self.request, &self.around.toolchain.jdk);
        let kind = (request.kind != DoseKind::default()).then(|| request.kind.name().to_owned());
        let jdk = jdk.as_ref().map(|jdk| {
            let path = jdk.display().to_string();
            shell_line(std::iter::once(path))
        });
        let mut again = request.again.clone();
        for (name, value) in [("--dose", kind), ("--jdk", jdk)] {
            again
                .options
                .extend(value.map(|value| (name.to_owned(), value)));
        }
        again
    }
}

impl SiteLabs for Session<'_> {
    type Lab = SitedJvm;
    type Error = LabError;

    fn start(
        &self,
        name: &str,
        sites: &[WantedSite],
        profiler: Option<&str>,
    ) -> Result<SitedJvm, LabError> {
        let find = |name: &str| {
            let found = self.specs.iter().find(|spec| spec.name == name);
            found.ok_or_else(|| LabError::Profiler(format!("no profiler '{name}' here")))
        };
        self.pace.begins(name, profiler, &self.around.progress);
        let started = SitedJvm::start(&SiteOrder {
            kit: &self.kit,
            workload: &self.request.workload,
            sites,
            profiler: profiler.map(find).transpose()?,
            directory: &self.directory.join(name),
            iteration_limit: self.iteration_limit(),
            interrupted: Arc::clone(&self.around.interrupted),
        });
        let jvm = started.map_err(|error| self.told(error))?;
        let jvm = jvm.ended_by(Arc::clone(&self.given_up));
        Ok(jvm.holding(self.pace.running()))
    }

    fn end_all(&self) {
        self.given_up.store(true, Ordering::Relaxed);
    }

    fn log(&self, name: &str) -> Option<String> {
        let file = self.directory.join(name).join(JVM_LOG);
        file.exists().then(|| file.display().to_string())
    }

    fn chosen(&self, times: &Times) {
        self.pace.chosen(times, &self.around.progress);
    }

    fn sites_found(&self, times: &Times) {
        self.pace.sites_found(times, &self.around.progress);
    }

    fn adds(&self, seconds: f64) {
        self.pace.adds(seconds, &self.around.progress);
    }

    fn others(&self) -> Option<f64> {
        self.others.much()
    }

    /// Nothing for programs that have no command of their own, or that cannot be counted, which is said.
    fn bytecodes(&self) -> BTreeMap<String, f64> {
        let (request, progress) = (self.request, &self.around.progress);
        let program = match request.workload.kind {
            Kind::Suite => Counted::Suite(request.workload.name().to_owned()),
            Kind::Main if !request.command.is_empty() => Counted::Command(request.command.clone()),
            _ => return BTreeMap::new(),
        };
        progress.step("counting bytecodes");
        let bounds = Bounds {
            iteration: self.iteration_limit(),
            interrupted: &self.around.interrupted,
            report: &self.directory.join(COUNT_REPORT),
        };
        let Brief { counted, cut } = match exact(&program, &self.around.toolchain, &bounds) {
            Ok(brief) => brief,
            // The next JVM is not started, and says so.
            Err(_) if self.around.interrupted.load(Ordering::Relaxed) => return BTreeMap::new(),
            Err(error) => {
                let text = format!(
                    "bytecodes are not counted, methods are chosen by the profilers alone: {error}"
                );
                progress.note(&text);
                return BTreeMap::new();
            }
        };
        if let Some(cut) = cut {
            progress.note(&format!(
                "bytecodes are those of the first {:.0} s: main has not returned by then",
                cut.as_secs_f64()
            ));
        }
        let mut all = BTreeMap::new();
        for row in counted.methods {
            let name = row.method.split('(').next().unwrap_or_default();
            *all.entry(name.to_owned()).or_insert(0.0) += row.pct;
        }
        all
    }
}

/// The `java` that the program is started with. A path says which JVM is meant; a bare `java` is that of --jdk.
pub fn java(request: &DoseRequest, settings: &Settings) -> PathBuf {
    match (request.command.first(), &settings.jdk) {
        (Some(java), _) if java != "java" => PathBuf::from(java),
        (_, Some(jdk)) => jdk.join("bin/java"),
        _ => "java".into(),
    }
}

/// The JDK of that `java`; none where it cannot be told.
pub fn jdk(request: &DoseRequest, settings: &Settings) -> Option<Jdk> {
    jdk_of(settings, &java(request, settings)).ok()
}

fn specs(
    request: &DoseRequest,
    around: &Surroundings,
    kit: &DoseKit,
) -> anyhow::Result<Vec<ProfilerSpec>> {
    let mut options = ProfilerOptions::every(request.interval_ms);
    let names = &request.profilers;
    let base = |name: &str| name.strip_suffix(ATTACHED).unwrap_or(name).to_owned();
    if names
        .iter()
        .any(|name| ProfilerSpec::wants_async(&base(name)))
    {
        let own = request.async_library.as_deref();
        let found = async_profiler(&around.toolchain, &kit.count.jdk, own)?;
        options.async_profiler = Some(found);
    }
    let refuse = |text: String| Err(Refusal::Usage(text).into());
    let release = kit.count.jdk.version.feature();
    let mut specs: Vec<ProfilerSpec> = Vec::new();
    for name in names {
        let parsed = ProfilerSpec::parse(&base(name), &options);
        let mut spec = parsed.map_err(|error| Refusal::Usage(error.to_string()))?;
        if name.ends_with(ATTACHED) {
            spec.name += ATTACHED;
        }
        match &spec.engine {
            Engine::JfrCpu if release < 25 => {
                return refuse(format!("{name} needs Java 25; this JVM is Java {release}"));
            }
            engine if request.interval_ms.is_none() => {
                spec.interval_ns = match engine {
                    Engine::Async { .. } => ASYNC_NS,
                    _ => JFR_NS,
                };
            }
            _ => {}
        }
        if specs.iter().all(|one| one.name != spec.name) {
            specs.push(spec);
        }
    }
    Ok(specs)
}
