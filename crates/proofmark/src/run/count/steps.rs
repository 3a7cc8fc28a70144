//! How many bytecodes the JVM says it executed: one event each, in a run of its own.

use std::collections::{BTreeMap, HashMap};

use proofmark_classes::{Image, Program, Scope};
use proofmark_count::{Coverage, Executed, Uncounted};
use proofmark_jvm::Temporary;
use proofmark_profile::CountFile;
use proofmark_rewrite::{Treatment, World};

use super::command::JavaCommand;
use super::crash;
use super::live::start;
use super::runtime::{Told, prepare};
use crate::context::Refusal;
use crate::request::CountRequest;

/// Classes that are not told apart, and why they are not counted.
const HIDDEN: (&str, &str) = ("hidden classes", "the JVM shows them to no agent");
const OUTSIDE: (&str, &str) = (
    "classes of the JDK",
    "not in the scope (--include-jdk counts those that can be)",
);
/// What is left where all that has a reason is taken away.
const ELSEWHERE: (&str, &str) = (
    "methods that do count",
    "called by code that is not counted, such as the JVM's while it starts",
);
/// Why classes are not counted that the user named.
const LEFT_OUT: &str = "left out, as asked for";

/// Runs the program again, without rewriting, its output on standard error. `coverage` says what was left alone.
pub(super) fn executed(
    command: &JavaCommand,
    request: &CountRequest,
    counted: &CountFile,
    coverage: &Coverage,
) -> anyhow::Result<Executed> {
    let counting = &request.counting;
    let directory = Temporary::create(&std::env::temp_dir())?;
    let told = Told {
        counting,
        output: None,
        agent: None,
        alone: false,
    };
    let load = prepare(&command.kit, &told, &directory, "step")?;
    let status = start(command, &load, true)?;
    let text = std::fs::read_to_string(directory.path().join("steps")).map_err(|_| {
        let crash = crash::said();
        Refusal::Cannot(format!(
            "the JVM ended without counting steps ({status}){crash}"
        ))
    })?;
    let scope = if counting.include_jdk {
        Scope::Jdk
    } else {
        Scope::Application
    };
    let image = Image::open(&command.kit.jdk.home)?;
    let program = Program::new(&[], image, command.kit.jdk.version.feature(), scope)
        .without(&counting.exclude)
        .with(&counting.include);
    let counts =
        |class: &str| program.treatment(class) != Treatment::Not && !program.leaves_out(class);
    let (in_scope, hidden, all) = sums(&text, counts);
    let share = |of: u64| counted.bytecodes() as f64 / of as f64 * 100.0;
    let reasons = Reasons::new(&program, coverage);
    let rows = by_reason(&text, |class, member| reasons.of(class, member));
    Ok(Executed {
        in_scope,
        hidden,
        all,
        counted_in_scope_pct: share(in_scope),
        counted_pct: share(all),
        uncounted: uncounted(rows, all, counted.bytecodes()),
    })
}

/// Why classes and methods are not counted.
struct Reasons<'c> {
    program: &'c Program,
    /// By the names of classes and methods.
    told: HashMap<&'c str, &'c str>,
}

impl<'c> Reasons<'c> {
    fn new(program: &'c Program, coverage: &'c Coverage) -> Self {
        let all = coverage.left_alone.iter().chain(&coverage.kept);
        let told = all.map(|one| (one.name.as_str(), one.reason.as_str()));
        Self {
            program,
            told: told.collect(),
        }
    }

    /// What is not counted of a method, `name` and descriptor in one, and why; none if it is where counted code calls it.
    fn of(&self, class: &str, member: &str) -> Option<(String, String)> {
        // JVMTI writes a dot behind the name of a hidden class.
        if class.contains('.') {
            return Some(row(HIDDEN.0, HIDDEN.1));
        }
        let name = class.replace('/', ".");
        if self.program.leaves_out(class) {
            return Some(row(&name, LEFT_OUT));
        }
        if let Some(why) = self.program.why_excluded(class) {
            return Some(row(&name, why));
        }
        let method = format!("{name}.{member}");
        for one in [method, name] {
            if let Some(why) = self.told.get(one.as_str()) {
                return Some(row(&one, why));
            }
        }
        match self.program.treatment(class) {
            Treatment::Not => Some(row(OUTSIDE.0, OUTSIDE.1)),
            _ => None,
        }
    }
}

fn row(name: &str, reason: &str) -> (String, String) {
    (name.to_owned(), reason.to_owned())
}

/// Bytecodes by what executed them, and why that is not counted.
fn by_reason(
    text: &str,
    why: impl Fn(&str, &str) -> Option<(String, String)>,
) -> BTreeMap<(String, String), u64> {
    let mut rows: BTreeMap<(String, String), u64> = BTreeMap::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [count, class, name, descriptor] = fields.as_slice() else {
            continue;
        };
        if let Some(key) = why(class, &format!("{name}{descriptor}")) {
            *rows.entry(key).or_default() += count.parse::<u64>().unwrap_or(0);
        }
    }
    rows
}

/// The rows by falling bytecodes, and what of the rest was not counted.
fn uncounted(mut rows: BTreeMap<(String, String), u64>, all: u64, counted: u64) -> Vec<Uncounted> {
    let known: u64 = rows.values().sum();
    let rest = all.saturating_sub(known).saturating_sub(counted);
    rows.insert(row(ELSEWHERE.0, ELSEWHERE.1), rest);
    let mut rows: Vec<Uncounted> = rows
        .into_iter()
        .filter(|(_, bytecodes)| *bytecodes > 0)
        .map(|((name, reason), bytecodes)| Uncounted {
            name,
            reason,
            bytecodes,
            pct: bytecodes as f64 / all as f64 * 100.0,
        })
        .collect();
    // Stable: rows of equal weight stay in the order of their names.
    rows.sort_by_key(|row| std::cmp::Reverse(row.bytecodes));
    rows
}

/// Bytecodes in scope, those of them in hidden classes, and all. JVMTI writes a dot behind the name of a hidden class.
fn sums(text: &str, in_scope: impl Fn(&str) -> bool) -> (u64, u64, u64) {
    let (mut inside, mut hidden, mut all) = (0, 0, 0);
    for line in text.lines() {
        let mut fields = line.split('\t');
        let (Some(count), Some(class)) = (fields.next(), fields.next()) else {
            continue;
        };
        let count: u64 = count.parse().unwrap_or(0);
        all += count;
        if in_scope(class) {
            inside += count;
            hidden += if class.contains('.') { count } else { 0 };
        }
    }
    (inside, hidden, all)
}

#[cfg(test)]
mod tests {
    use super::{ELSEWHERE, by_reason, uncounted};

    #[test]
    fn what_was_not_counted_is_told_with_its_share() {
        let text =
            "10\tA\tm\t()V\n5\tjava/X\tm\t()V\n1\tjava/X\tn\t(I)V\n4\tA\tkept\t()V\nnonsense\n";
        let rows = by_reason(text, |class, member| match (class, member) {
            ("java/X", _) => Some(("java.X".into(), "outside".into())),
            (_, "kept()V") => Some(("A.kept()V".into(), "special".into())),
            _ => None,
        });
        let rows = uncounted(rows, 20, 8);
        let told = |at: usize| (rows[at].name.as_str(), rows[at].bytecodes, rows[at].pct);
        assert_eq!(told(0), ("java.X", 6, 30.0));
        assert_eq!(told(1), ("A.kept()V", 4, 20.0));
        assert_eq!(told(2), (ELSEWHERE.0, 2, 10.0));
        assert_eq!(rows.len(), 3);
        let nothing = by_reason("3\tA\tm\t()V\n", |_, _| None);
        assert!(uncounted(nothing, 3, 4).is_empty(), "more was counted");
    }

    #[test]
    fn steps_are_added_up_by_scope() {
        let text = "10\tA\tm\t()V\n5\tjava/X\tm\t()V\n2\tA$$Lambda.0x12\tm\t()V\nnonsense\n";
        let sums = super::sums(text, |class| class.starts_with('A'));
        assert_eq!(sums, (12, 2, 17));
    }
}
