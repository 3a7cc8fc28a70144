//! Rewritten programs in a JVM, every class verified, against the original ones.
//!
//! The runtime is a slow twin in `tests/java/twin`: paths as texts in a sorted map.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::common::{Program, compile, java, jdks, text};
use proofmark_rewrite::{Checks, Mode, Options};
use tempfile::TempDir;

/// A program, compiled once for all tests and JDKs.
struct Compiled {
    original: TempDir,
    program: Program,
}

impl Compiled {
    fn new(jdk: &Path, sources: &[&str]) -> Self {
        let original = tempfile::tempdir().expect("a temporary directory");
        compile(jdk, sources, original.path());
        Self {
            program: Program::read(original.path()),
            original,
        }
    }
}

static PROGRAMS: OnceLock<Compiled> = OnceLock::new();
static SUITE: OnceLock<Compiled> = OnceLock::new();
static TWIN: OnceLock<TempDir> = OnceLock::new();

struct Bench {
    jdk: PathBuf,
    compiled: &'static Compiled,
    twin: &'static Path,
}

/// What a run printed and the profile that it wrote.
#[derive(Debug, PartialEq, Eq)]
struct Run {
    output: String,
    profile: String,
}

impl Run {
    fn total(&self) -> &str {
        self.profile.lines().last().unwrap_or_default()
    }
}

impl Bench {
    fn new(jdk: &Path, cell: &'static OnceLock<Compiled>, sources: &[&str]) -> Self {
        let twin = TWIN.get_or_init(|| {
            let place = tempfile::tempdir().expect("a temporary directory");
            compile(jdk, &["tests/java/twin"], place.path());
            place
        });
        Self {
            jdk: jdk.to_owned(),
            compiled: cell.get_or_init(|| Compiled::new(jdk, sources)),
            twin: twin.path(),
        }
    }

    fn programs(jdk: &Path) -> Self {
        Self::new(jdk, &PROGRAMS, &["tests/java/programs"])
    }

    fn original(&self, class: &[&str]) -> String {
        let output = java(&self.jdk, &[self.compiled.original.path()], &[], class);
        text(&output.stdout) + &text(&output.stderr)
    }

    fn rewritten(&self, options: &Options, granularity: u32, class: &[&str]) -> Run {
        let into = tempfile::tempdir().expect("a temporary directory");
        self.compiled.program.rewrite(options, into.path());
        let profile = into.path().join("profile");
        let properties = [
            format!("-Dgranularity={granularity}"),
            format!("-Dprofile={}", profile.display()),
        ];
        let class_path = [self.twin, into.path()];
        let output = java(&self.jdk, &class_path, &properties, class);
        Run {
            output: text(&output.stdout) + &text(&output.stderr),
            profile: fs::read_to_string(&profile).unwrap_or_default(),
        }
    }
}

fn sampling() -> Options {
    Options::default()
}

fn without_leaf() -> Options {
    Options {
        leaf: false,
        ..Options::default()
    }
}

fn checks(checks: Checks) -> Options {
    Options {
        checks,
        ..Options::default()
    }
}

fn exact() -> Options {
    Options {
        mode: Mode::Exact,
        ..Options::default()
    }
}

#[test]
fn where_checks_stand_does_not_change_the_profile() {
    for jdk in jdks() {
        let bench = Bench::programs(&jdk);
        let original = bench.original(&["Contexts"]);
        let first = bench.rewritten(&sampling(), 997, &["Contexts"]);
        assert_eq!(first.output, original);
        assert!(first.profile.lines().count() > 30, "{}", first.profile);
        let impure = Options {
            pure_calls: false,
            ..Options::default()
        };
        for other in [
            without_leaf(),
            impure,
            checks(Checks::EveryBlock),
            checks(Checks::Paths { max_path: 1000 }),
        ] {
            let run = bench.rewritten(&other, 997, &["Contexts"]);
            assert_eq!(run, first, "{other:?}");
        }
        // Split blocks are counted in parts, some of them after a call: other samples, the same sum.
        let split = checks(Checks::Paths { max_path: 20 });
        let run = bench.rewritten(&split, 997, &["Contexts"]);
        assert_eq!(run.output, original);
        assert_eq!(run.total(), first.total());
    }
}

#[test]
fn a_sample_per_bytecode_is_the_exact_profile() {
    for jdk in jdks() {
        let bench = Bench::programs(&jdk);
        let exact = bench.rewritten(&exact(), 1, &["Contexts"]);
        assert!(exact.profile.lines().count() > 40, "{}", exact.profile);
        let sampled = bench.rewritten(&without_leaf(), 1, &["Contexts"]);
        assert_eq!(sampled, exact);
        let coarse = bench.rewritten(&sampling(), 10_000, &["Contexts"]);
        assert_eq!(coarse.total(), exact.total());
    }
}

#[test]
fn programs_behave_as_before_and_exceptions_lose_no_count() {
    for jdk in jdks() {
        let bench = Bench::programs(&jdk);
        let original = bench.original(&["Traps"]);
        let exact = bench.rewritten(&exact(), 1, &["Traps"]);
        assert_eq!(exact.output, original);
        for options in [sampling(), without_leaf(), checks(Checks::EveryBlock)] {
            let run = bench.rewritten(&options, 100, &["Traps"]);
            assert_eq!(run.output, original, "{options:?}");
            assert_eq!(run.total(), exact.total(), "{options:?}");
        }
        let deep = ["Traps", "overflow"];
        let original = bench.original(&deep);
        for options in [sampling(), self::exact()] {
            let run = bench.rewritten(&options, 100, &deep);
            assert_eq!(run.output, original, "{options:?}");
        }
    }
}

/// What is inserted into a handler must not keep it from giving a lock back.
#[test]
fn no_lock_stays_held_where_a_stack_overflows() {
    for jdk in jdks() {
        let bench = Bench::programs(&jdk);
        let original = bench.original(&["Overflowing"]);
        assert!(original.ends_with("the lock is free\n"), "{original}");
        for options in [
            sampling(),
            checks(Checks::EveryBlock),
            checks(Checks::Paths { max_path: 1 }),
            exact(),
        ] {
            let run = bench.rewritten(&options, 1_000_000, &["Overflowing"]);
            assert_eq!(run.output, original, "{options:?}");
        }
    }
}

/// Without a method of its own such a class ends with an `IncompatibleClassChangeError`.
#[test]
fn a_method_that_two_interfaces_declare_may_come_from_a_class_that_is_not_counted() {
    for jdk in jdks() {
        let bench = Bench::programs(&jdk);
        let original = bench.original(&["Conflicts"]);
        assert!(original.starts_with("sum 1"), "{original}");
        let exact = bench.rewritten(&exact(), 1, &["Conflicts"]);
        assert_eq!(exact.output, original);
        for options in [sampling(), without_leaf()] {
            let run = bench.rewritten(&options, 100, &["Conflicts"]);
            assert_eq!(run.output, original, "{options:?}");
            assert_eq!(run.total(), exact.total(), "{options:?}");
        }
    }
}

#[test]
fn the_suite_is_right_when_rewritten() {
    if let Some(jdk) = jdks().pop() {
        let sources = ["../../java/suite", "tests/java/suite"];
        let bench = Bench::new(&jdk, &SUITE, &sources);
        let mut totals = Vec::new();
        for options in [sampling(), exact()] {
            let run = bench.rewritten(&options, 9973, &["proofmark.suite.Once"]);
            let right = run
                .output
                .lines()
                .filter(|line| line.contains(" ok "))
                .count();
            assert!(
                right >= 15 && !run.output.contains("WRONG"),
                "{}",
                run.output
            );
            totals.push(run.total().to_owned());
        }
        assert_eq!(totals[0], totals[1]);
    }
}
