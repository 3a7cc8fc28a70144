//! Programs with sites in a JVM that verifies every class, against the same programs without.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{jdks, text};
use proofmark_rewrite::{
    DoseKind, FIELDS_CLASS, MOST_STEPS, Place, Reason, Site, Sited, Summary, Work, fields_class,
    insert_sites,
};
use tempfile::TempDir;

/// Sites at the entry of every method of a name and in front of its first three loops.
fn everywhere(names: &[&str]) -> Vec<Site> {
    working(names, USUAL)
}

/// What most sites do.
const USUAL: Work = Work::Turns {
    turn: DoseKind::Arithmetic,
    steps: 8,
};

fn working(names: &[&str], work: Work) -> Vec<Site> {
    let places = [Place::Entry, Place::Loop(0), Place::Loop(1), Place::Loop(2)];
    let sites = names.iter().flat_map(|name| {
        places.map(|place| Site {
            index: 0,
            method: (*name).to_owned(),
            descriptor: None,
            place,
            work,
        })
    });
    sites
        .enumerate()
        .map(|(at, site)| Site {
            index: at as u16 % 1000,
            ..site
        })
        .collect()
}

fn names_in(bytes: &[u8]) -> Vec<String> {
    Summary::read(bytes).expect("a class file").method_names()
}

struct Bench {
    directory: TempDir,
}

impl Bench {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let patch = directory.path().join("patch/java/lang");
        fs::create_dir_all(&patch).expect("a directory");
        let fields = fields_class(1000).expect("fields");
        fs::write(patch.join("ProofmarkSites.class"), fields).expect("a class");
        Self { directory }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Runs a class of a directory with what lies in `patch` in `java.base`.
    fn java(&self, jdk: &Path, classes: &Path, words: &[&str]) -> String {
        let patch = format!("java.base={}", self.path("patch").display());
        let output = Command::new(jdk.join("bin/java"))
            .args([
                "-Xverify:all",
                "-Xshare:off",
                "-XX:+UseSerialGC",
                "-Xmx600m",
            ])
            .args(["--patch-module", &patch, "-cp"])
            .arg(classes)
            .args(words)
            .output()
            .expect("java runs");
        let errors = text(&output.stderr);
        let errors: Vec<&str> = errors
            .lines()
            .filter(|line| !line.contains("warning"))
            .collect();
        text(&output.stdout) + &errors.join("\n")
    }
}

fn javac(jdk: &Path, arguments: &[&str], sources: &[&str], into: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(jdk.join("bin/javac"))
        .args(["-nowarn", "-Xlint:-options", "-g", "-d"])
        .arg(into)
        .args(arguments)
        .args(sources.iter().map(|source| root.join(source)))
        .output()
        .expect("javac runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
}

const VICTIMS: [&str; 2] = [
    "tests/java/sites/Victims.java",
    "tests/java/sites/Turns.java",
];

/// Puts sites into all methods of all classes of a directory but `Turns`, in another directory; what became of them.
fn put_sites(from: &Path, into: &Path, major: Option<u8>, work: Work) -> Vec<(String, Sited)> {
    fs::create_dir_all(into).expect("a directory");
    let mut all = Vec::new();
    for entry in fs::read_dir(from).expect("a directory").flatten() {
        let mut bytes = fs::read(entry.path()).expect("a class");
        if let Some(major) = major {
            bytes[7] = major;
        }
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != "Turns.class" {
            let names = names_in(&bytes);
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let sited = insert_sites(&bytes, &working(&names, work), Some("Turns")).expect("sites");
            bytes = sited.bytes.clone().expect("a change");
            all.push((name, sited));
        }
        fs::write(into.join(entry.file_name()), bytes).expect("a writable file");
    }
    all
}

#[test]
fn programs_with_sites_compute_what_they_did() {
    std::thread::scope(|scope| {
        for jdk in jdks() {
            scope.spawn(move || sites_change_nothing_on(&jdk));
        }
    });
}

fn sites_change_nothing_on(jdk: &Path) {
    let place = Bench::new();
    let newest = jdk.display().to_string().contains("25");
    let releases: &[(&str, Option<u8>)] = if newest {
        &[("8", None), ("17", None), ("21", Some(67)), ("25", None)]
    } else {
        &[
            ("7", Some(49)),
            ("7", Some(50)),
            ("7", None),
            ("11", None),
            ("17", None),
        ]
    };
    for (number, (release, major)) in releases.iter().enumerate() {
        let classes = place.path(&format!("classes{number}"));
        javac(jdk, &["--release", release], &VICTIMS, &classes);
        let expected = place.java(jdk, &classes, &["Victims"]);
        assert!(expected.lines().count() >= 6, "{expected}");
        let changed = place.path(&format!("changed{number}"));
        let sited = put_sites(&classes, &changed, *major, USUAL);
        let placed: usize = sited.iter().map(|(_, sited)| sited.placed.len()).sum();
        assert!(placed >= 22, "{release}: {placed}");
        for turns in ["0", "5", "63", "1000"] {
            let run = place.java(jdk, &changed, &["Turns", turns, "Victims"]);
            let more = "exit 4\nsink 0\n";
            assert_eq!(
                run,
                format!("{expected}{more}"),
                "{release} {major:?} {turns}"
            );
        }
        let run = place.java(jdk, &changed, &["Turns", "1", "Victims", "x"]);
        assert!(
            run.ends_with("exit of Runtime 3\nexit 4\nsink 0\n"),
            "{run}"
        );
        // Everything that a turn can do, little of it often and much of it once.
        for turn in DoseKind::ALL {
            for (steps, turns) in [(2, "63"), (MOST_STEPS, "1")] {
                put_sites(&classes, &changed, *major, Work::Turns { turn, steps });
                let run = place.java(jdk, &changed, &["Turns", turns, "Victims"]);
                let expected = format!("{expected}exit 4\nsink 0\n");
                assert_eq!(run, expected, "{release} {major:?} {turn:?} {steps}");
            }
        }
        // Sites that only count.
        put_sites(&classes, &changed, *major, Work::Count);
        let run = place.java(jdk, &changed, &["Turns", "0", "Victims"]);
        assert_eq!(run, format!("{expected}exit 4\nsink 0\n"), "{release}");
    }
}

/// Three turns of the value 2, in a method that does nothing else.
#[test]
fn a_turn_does_what_its_kind_says_and_nothing_else() {
    let effects = [
        "tests/java/sites/Effects.java",
        "tests/java/sites/Once.java",
    ];
    for jdk in jdks() {
        let place = Bench::new();
        let classes = place.path("classes");
        javac(&jdk, &["--release", "17"], &effects, &classes);
        let once = classes.join("Once.class");
        let plain = fs::read(&once).expect("a class");
        for turn in DoseKind::ALL {
            let sites: Vec<Site> = working(&["run"], Work::Turns { turn, steps: 256 })
                .into_iter()
                .filter(|site| site.place == Place::Entry)
                .collect();
            let sited = insert_sites(&plain, &sites, None).expect("sites");
            fs::write(&once, sited.bytes.expect("a change")).expect("a writable file");
            let run = place.java(&jdk, &classes, &["Effects", "3", "2"]);
            // Copies, fills, loads (of a chain of 1024), additions, whether the value became 0, arrays of 16 KB.
            let (copied, filled, at, sum, sink, arrays) = match turn {
                // Squares of even numbers are 0 in the end.
                DoseKind::Arithmetic | DoseKind::Call => (0, 0, 0, 0, 0, 0),
                DoseKind::Copy => (16384, 0, 0, 0, 99, 0),
                DoseKind::Fill => (0, 16384, 0, 0, 99, 0),
                DoseKind::Allocate => (0, 0, 0, 0, 99, 3),
                DoseKind::Load => (0, 0, 3 * 128, 0, 99, 0),
                DoseKind::Vector => (0, 0, 0, 3 * 2 * 8192, 99, 0),
                DoseKind::Lock => (0, 0, 0, 0, 99, 0),
            };
            let expected = format!(
                "copied {copied} filled {filled} at {at} sum {sum} sink {sink} arrays {arrays}\nwaits {}\n",
                turn == DoseKind::Lock
            );
            assert_eq!(run, expected, "{} {turn:?}", jdk.display());
        }
    }
}

#[test]
fn sites_stand_where_they_are_wanted() {
    let Some(jdk) = jdks().pop() else { return };
    let classes = tempfile::tempdir().expect("a temporary directory");
    javac(&jdk, &["--release", "17"], &VICTIMS, classes.path());
    let bytes = fs::read(classes.path().join("Victims.class")).expect("a class");
    let lines = |marker: &str| {
        let source = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(VICTIMS[0]));
        let source = source.expect("the source");
        let at = source.lines().position(|line| line.contains(marker));
        at.expect("the marker") as u16 + 1
    };
    let sited = insert_sites(&bytes, &everywhere(&["loops"]), None).expect("sites");
    let found: Vec<Option<u16>> = sited.placed.iter().map(|placed| placed.line).collect();
    let expected = [
        "long result = wide",
        "int i = 0; i < n",
        "int j = i; j",
        "result % 7",
    ];
    assert_eq!(found, expected.map(|marker| Some(lines(marker))));
    assert!(sited.placed.iter().all(|placed| placed.begin < placed.end));
    // A constructor's site stands behind the call of the other one.
    let sited = insert_sites(&bytes, &everywhere(&["<init>"]), None).expect("sites");
    let found: Vec<Option<u16>> = sited.placed.iter().map(|placed| placed.line).collect();
    assert_eq!(
        found,
        [
            Some(lines("Victims(int base) {")),
            Some(lines("this(base + "))
        ]
    );
    // Loops that are not there and methods that are not there are named.
    let sited = insert_sites(&bytes, &everywhere(&["twice", "nothing"]), None).expect("sites");
    assert_eq!((sited.placed.len(), sited.refused.len()), (1, 7));
    assert!(
        sited
            .refused
            .iter()
            .all(|one| matches!(one.reason, Reason::NoPlace(_)))
    );
}

#[test]
fn methods_that_cannot_take_a_site_stay_as_they_are() {
    let Some(jdk) = jdks().pop() else { return };
    let place = tempfile::tempdir().expect("a temporary directory");
    let mut source = String::from(
        "abstract class Long { abstract int none(); native int out();\n static int many(int x) {\n",
    );
    for number in 0..996 {
        source += &format!("x += x * {};\n", 1000 + number);
    }
    source += "return x; } static int few(int x) { return x; } }\n";
    let file = place.path().join("Long.java");
    fs::write(&file, source).expect("a writable file");
    let path = file.display().to_string();
    javac(&jdk, &["--release", "17"], &[&path], place.path());
    let bytes = fs::read(place.path().join("Long.class")).expect("a class");
    let names = ["none", "out", "many"];
    let wanted: Vec<Site> = everywhere(&names)
        .into_iter()
        .filter(|site| site.place == Place::Entry)
        .collect();
    let sited = insert_sites(&bytes, &wanted, None).expect("sites");
    assert!(sited.bytes.is_none());
    let reasons: Vec<String> = sited
        .refused
        .iter()
        .map(|one| one.reason.to_string())
        .collect();
    assert!(
        reasons[0].contains("abstract") && reasons[1].contains("native"),
        "{reasons:?}"
    );
    assert!(reasons[2].contains("8,000 bytes"), "{reasons:?}");
    let sited = insert_sites(&bytes, &everywhere(&["few"])[..1], None).expect("sites");
    assert_eq!(sited.placed.len(), 1);
}

/// Internal names of the classes that a JVM loads before it looks for the program's.
fn loaded_at_start(jdk: &Path) -> BTreeSet<String> {
    let output = Command::new(jdk.join("bin/java"))
        .args(["-Xshare:off", "-Xlog:class+load", "-version"])
        .output()
        .expect("java runs");
    let said = text(&output.stdout);
    let names = said
        .lines()
        .filter_map(|line| line.split("] ").last()?.split(' ').next());
    let names: BTreeSet<String> = names.map(|name| name.replace('.', "/")).collect();
    assert!(names.contains("java/lang/Object"), "{said}");
    names
}

/// All classes of `java.base`, with sites in all methods, run the JVM's own start and are verified one by one.
#[test]
fn every_class_of_java_base_takes_sites() {
    for jdk in jdks() {
        let tool = jdk.join("bin/jimage");
        let place = Bench::new();
        let extracted = place.path("extracted");
        let status = Command::new(&tool)
            .args(["extract", "--include", "regex:/java.base/.*class", "--dir"])
            .arg(&extracted)
            .arg(jdk.join("lib/modules"))
            .status();
        if !status.is_ok_and(|status| status.success()) {
            println!("skipped: {} does not run", tool.display());
            continue;
        }
        // While it starts, a JVM crashes if such a class links another one.
        let started = loaded_at_start(&jdk);
        let mut placed = 0;
        let mut refused = std::collections::BTreeMap::new();
        let mut open = vec![extracted.join("java.base")];
        while let Some(directory) = open.pop() {
            for path in fs::read_dir(&directory).expect("a directory").flatten() {
                let path = path.path();
                if path.is_dir() {
                    open.push(path);
                    continue;
                }
                let bytes = fs::read(&path).expect("a class");
                if path.ends_with("module-info.class") {
                    continue;
                }
                let names = names_in(&bytes);
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let sited = insert_sites(&bytes, &everywhere(&names), None).expect("sites");
                let inside = path
                    .strip_prefix(extracted.join("java.base"))
                    .expect("inside");
                placed += sited.placed.len();
                for one in sited.refused {
                    *refused.entry(one.reason.to_string()).or_insert(0) += 1;
                }
                let early = started.contains(&inside.with_extension("").display().to_string());
                if let Some(bytes) = sited.bytes.filter(|_| !early) {
                    let inside = path
                        .strip_prefix(extracted.join("java.base"))
                        .expect("inside");
                    let target = place.path("patch").join(inside);
                    fs::create_dir_all(target.parent().expect("a directory")).expect("writable");
                    fs::write(target, bytes).expect("writable");
                }
            }
        }
        println!("{}: {placed} sites; refused: {refused:#?}", jdk.display());
        assert!(placed > 50_000, "{placed}");
        let classes = place.path("classes");
        let all = "../../docs/studies/count/LoadAll.java";
        javac(&jdk, &["--release", "17"], &[all], &classes);
        let said = place.java(&jdk, &classes, &["LoadAll", "java.base"]);
        assert!(said.contains(" classes linked, 0 refused"), "{said}");
        assert!(
            place
                .path("patch")
                .join(FIELDS_CLASS)
                .with_extension("class")
                .exists()
        );
    }
}
