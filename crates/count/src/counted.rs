//! What a run of `proofmark count` gave, as it is written to JSON.

use proofmark_profile::{CountFile, CountMode, CountScope, ThreadKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::methods::own_bytecodes;

/// Name and version of the format.
pub const COUNTED_SCHEMA: &str = "proofmark-count/1";

/// A program whose bytecodes were counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Counted {
    /// [`COUNTED_SCHEMA`].
    pub schema: String,
    /// The command, or the file that was read.
    pub source: String,
    /// `sampled` or `exact`.
    pub mode: String,
    /// `application` or `jdk`.
    pub scope: String,
    /// Bytecodes between two samples.
    pub granularity: u64,
    /// So many bytecodes, less one, may be added to each distance.
    pub random: u64,
    /// Seed of the threads' generators.
    pub seed: u64,
    /// Bytecodes counted, all threads.
    pub bytecodes: u64,
    /// Samples.
    pub samples: u64,
    /// Calling contexts.
    pub contexts: u64,
    /// Bytecodes after the threads' last samples: counted, in no context.
    pub rest: u64,
    /// Bytecodes in contexts deeper than the stack that was kept.
    pub lost: u64,
    /// What was counted of what is there; null for a file without this information.
    pub coverage: Option<Coverage>,
    /// Threads that ran counted code, class initialisation last.
    pub threads: Vec<ThreadRow>,
    /// Methods by their own bytecodes, most first.
    pub methods: Vec<OwnRow>,
    /// What is not as it should be, in sentences.
    pub remarks: Vec<String>,
}

/// Classes and bytecodes that were counted, and those that were not.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Coverage {
    /// Classes that were rewritten.
    pub classes_rewritten: u64,
    /// Methods that were rewritten.
    pub methods_rewritten: u64,
    /// Bytes of class files that were looked at.
    pub class_bytes: u64,
    /// Time that rewriting took, s.
    pub rewriting_s: f64,
    /// Classes that ran as they are, with the reason. Classes of the JDK outside of the scope are not listed.
    pub left_alone: Vec<LeftAlone>,
    /// Methods of rewritten classes that are not counted, with the reason.
    pub kept: Vec<LeftAlone>,
    /// Bytecodes that the JVM executed in a second run, by its own single steps; null if not asked for.
    pub executed: Option<Executed>,
}

/// What the JVM itself says it executed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Executed {
    /// Bytecodes of classes in the scope.
    pub in_scope: u64,
    /// Those of them in hidden classes, which the JVM makes for lambdas and shows to no agent.
    pub hidden: u64,
    /// Bytecodes of all classes.
    pub all: u64,
    /// Counted by executed bytecodes in the scope, %.
    pub counted_in_scope_pct: f64,
    /// Counted by all executed bytecodes, %.
    pub counted_pct: f64,
    /// Where the bytecodes were executed that are not counted, most first.
    #[serde(default)]
    pub uncounted: Vec<Uncounted>,
}

/// Bytecodes that were executed and not counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Uncounted {
    /// Class or method, or what else executed them.
    pub name: String,
    /// Why they are not counted.
    pub reason: String,
    /// How many.
    pub bytecodes: u64,
    /// Share of all executed bytecodes, %.
    pub pct: f64,
}

/// Something that is not counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LeftAlone {
    /// Class or method.
    pub name: String,
    /// Why.
    pub reason: String,
}

/// A thread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ThreadRow {
    /// Its name.
    pub name: String,
    /// `platform`, `virtual` (all of one name) or `initialisers`.
    pub kind: String,
    /// False if it was still running at the end.
    pub ended: bool,
    /// Bytecodes.
    pub bytecodes: u64,
    /// Samples.
    pub samples: u64,
}

/// A method and its own bytecodes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OwnRow {
    /// `com.acme.Main.run(I)V`.
    pub method: String,
    /// Own bytecodes.
    pub bytecodes: u64,
    /// Share of all, %.
    pub pct: f64,
}

impl Counted {
    /// The figures of a (canonical) profile.
    #[must_use]
    pub fn of(file: &CountFile, source: String, coverage: Option<Coverage>) -> Self {
        let settings = &file.settings;
        let sum =
            |of: fn(&proofmark_profile::CountThread) -> u64| file.threads.iter().map(of).sum();
        let mut remarks = file.remarks.clone();
        remarks.extend(coverage.as_ref().and_then(more_than_executed));
        Self {
            schema: COUNTED_SCHEMA.into(),
            source,
            mode: match settings.mode {
                CountMode::Sampled => "sampled".into(),
                CountMode::Exact => "exact".into(),
            },
            scope: match settings.scope {
                CountScope::Application => "application".into(),
                CountScope::Jdk => "jdk".into(),
            },
            granularity: settings.granularity,
            random: settings.random,
            seed: settings.seed,
            bytecodes: file.bytecodes(),
            samples: file.samples(),
            contexts: sum(|thread| thread.contexts.len() as u64),
            rest: file.rest(),
            lost: sum(|thread| thread.lost),
            coverage,
            threads: file.threads.iter().map(thread_row).collect(),
            methods: own_rows(file),
            remarks,
        }
    }
}

/// Why more than all was counted, where it was.
fn more_than_executed(coverage: &Coverage) -> Option<String> {
    let executed = coverage.executed.as_ref()?;
    let more = executed.counted_in_scope_pct > 100.0;
    more.then(|| {
        "more was counted than executed: a block of bytecodes that an exception ends counts in full"
            .to_owned()
    })
}

fn thread_row(thread: &proofmark_profile::CountThread) -> ThreadRow {
    ThreadRow {
        name: thread.name.clone(),
        kind: match thread.kind {
            ThreadKind::Platform => "platform".into(),
            ThreadKind::Virtual => "virtual".into(),
            ThreadKind::Initialisers => "initialisers".into(),
        },
        ended: thread.ended,
        bytecodes: thread.bytecodes,
        samples: thread.samples,
    }
}

fn own_rows(file: &CountFile) -> Vec<OwnRow> {
    let own = own_bytecodes(file);
    let all: u64 = own.values().sum();
    let mut rows: Vec<OwnRow> = own
        .into_iter()
        .map(|(method, bytecodes)| OwnRow {
            method: method.to_string(),
            bytecodes,
            pct: bytecodes as f64 / all as f64 * 100.0,
        })
        .collect();
    // Stable: methods of equal weight stay in the order of their names.
    rows.sort_by_key(|row| std::cmp::Reverse(row.bytecodes));
    rows
}
