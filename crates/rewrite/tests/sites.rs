//! Programs with sites in a JVM that verifies every class, against the same programs without.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::bench::{
    Bench, USUAL, at_all, at_branches, everywhere, javac, names_in, working,
};
use crate::common::jdks;
use proofmark_rewrite::{DoseKind, MOST_STEPS, Place, Reason, Site, Sited, Work, insert_sites};

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
            let sited = insert_sites(&bytes, &at_all(&names, work), Some("Turns")).expect("sites");
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
    // What javac compiles for, and versions of class files; none: javac's own.
    let releases: &[(&str, &[Option<u8>])] = if newest {
        &[
            ("8", &[None]),
            ("17", &[None]),
            ("21", &[Some(67)]),
            ("25", &[None]),
        ]
    } else {
        &[
            ("7", &[Some(49), Some(50), None]),
            ("11", &[None]),
            ("17", &[None]),
        ]
    };
    // Classes of the class path would be found before those of the directories.
    let alone = place.path("alone");
    fs::create_dir_all(&alone).expect("a directory");
    let (mut runs, mut expected) = (Vec::new(), Vec::new());
    for (release, majors) in releases {
        let classes = place.path(&format!("classes{release}"));
        javac(jdk, &["--release", release], &VICTIMS, &classes);
        if runs.is_empty() {
            fs::copy(classes.join("Turns.class"), alone.join("Turns.class")).expect("a class");
        }
        let plain = place.java(jdk, &classes, &["Victims"]);
        assert!(plain.lines().count() >= 6, "{plain}");
        for major in *majors {
            let changed = place.path(&format!("changed{release}-{}", major.unwrap_or_default()));
            runs.extend(runs_with_sites(&classes, &changed, *major));
            expected.resize(runs.len(), plain.clone());
        }
    }
    let found = one_after_the_other(&place, jdk, &alone, "Victims", &runs);
    assert_eq!(found.len(), runs.len(), "{}: {found:#?}", jdk.display());
    for (((changed, turns, word), plain), run) in runs.iter().zip(expected).zip(found) {
        let said = format!("{} {turns} {word}", changed.display());
        match *word {
            "-" => assert_eq!(run, format!("{plain}exit 4\nsink 0\n"), "{said}"),
            _ => {
                let ended = run.ends_with("exit of Runtime 3\nexit 4\nsink 0\n");
                assert!(ended, "{said}: {run}");
            }
        }
    }
}

/// A run: the directory of the classes, turns of all sites, and the program's arguments (`-`: none).
type Run<'r> = (PathBuf, &'r str, &'r str);

/// Puts sites into the classes of a directory, which get this version, in several ways, each below `into`: the runs to do with them.
fn runs_with_sites(classes: &Path, into: &Path, major: Option<u8>) -> Vec<Run<'static>> {
    let with = |name: &str, work: Work| {
        let changed = into.join(name);
        let sited = put_sites(classes, &changed, major, work);
        (changed, sited)
    };
    let (usual, sited) = with("usual", USUAL);
    let placed: usize = sited.iter().map(|(_, sited)| sited.placed.len()).sum();
    assert!(placed >= 22, "{}: {placed}", into.display());
    let mut runs = Vec::new();
    for turns in ["0", "5", "63", "1000"] {
        runs.push((usual.clone(), turns, "-"));
    }
    // Everything that a turn can do, little of it often and much of it once.
    for turn in DoseKind::ALL {
        for (steps, turns) in [(2, "63"), (MOST_STEPS, "1")] {
            let name = format!("{turn:?}-{steps}");
            let (changed, _) = with(&name, Work::Turns { turn, steps });
            runs.push((changed, turns, "-"));
        }
    }
    // Sites that only count.
    let (counting, _) = with("count", Work::Count);
    runs.push((counting, "0", "-"));
    runs.push((usual, "1", "x"));
    runs
}

/// What this class prints in each of these runs, loaded anew in one JVM: its start takes longer than they do. `alone`: a directory with
/// nothing but `Turns`.
fn one_after_the_other(
    place: &Bench,
    jdk: &Path,
    alone: &Path,
    class: &str,
    runs: &[Run<'_>],
) -> Vec<String> {
    let mut words = vec!["Turns".to_owned(), class.to_owned()];
    for (changed, turns, word) in runs {
        // A directory's address ends with a slash if it is there.
        assert!(changed.is_dir(), "{}", changed.display());
        words.extend([
            changed.display().to_string(),
            (*turns).into(),
            (*word).into(),
        ]);
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let said = place.java(jdk, alone, &words);
    said.split_terminator("==\n").map(str::to_owned).collect()
}

/// Three turns of the value 2, in a method that does nothing else.
#[test]
fn a_turn_does_what_its_kind_says_and_nothing_else() {
    let effects = [
        "tests/java/sites/Effects.java",
        "tests/java/sites/Once.java",
        VICTIMS[1],
    ];
    for jdk in jdks() {
        let place = Bench::new();
        let (classes, alone) = (place.path("classes"), place.path("alone"));
        javac(&jdk, &["--release", "17"], &effects, &classes);
        let copy = |name: &str, into: &Path| {
            fs::create_dir_all(into).expect("a directory");
            fs::copy(classes.join(name), into.join(name)).expect("a class");
        };
        copy("Turns.class", &alone);
        let plain = fs::read(classes.join("Once.class")).expect("a class");
        let with = |turn: DoseKind| {
            let sites: Vec<Site> = working(&["run"], Work::Turns { turn, steps: 256 })
                .into_iter()
                .filter(|site| site.place == Place::Entry)
                .collect();
            let sited = insert_sites(&plain, &sites, None).expect("sites");
            let changed = place.path(turn.name());
            copy("Effects.class", &changed);
            let bytes = sited.bytes.expect("a change");
            fs::write(changed.join("Once.class"), bytes).expect("a writable file");
            (changed, "0", "3,2")
        };
        let runs = DoseKind::ALL.map(with);
        let found = one_after_the_other(&place, &jdk, &alone, "Effects", &runs);
        assert_eq!(found.len(), runs.len(), "{}: {found:#?}", jdk.display());
        for (turn, run) in DoseKind::ALL.into_iter().zip(found) {
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
                "copied {copied} filled {filled} at {at} sum {sum} sink {sink} arrays {arrays}\nwaits {}\nsink {sink}\n",
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
    // Where branches lead in a switch, in the order of the code.
    let sited = insert_sites(&bytes, &at_branches(&["switched"]), None).expect("sites");
    let found: Vec<Option<u16>> = sited.placed.iter().map(|placed| placed.line).collect();
    let expected = [
        "case 1: ",
        "case 2: ",
        "case 1000: ",
        "default: ",
        "return wide",
    ];
    assert_eq!(found, expected.map(|marker| Some(lines(marker))));
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
fn a_part_of_a_method_has_a_site_of_its_own() {
    for jdk in jdks() {
        let place = Bench::new();
        let classes = place.path("classes");
        javac(
            &jdk,
            &["--release", "17"],
            &["tests/java/sites/Parts.java"],
            &classes,
        );
        let file = classes.join("Parts.class");
        let bytes = fs::read(&file).expect("a class");
        let mut sites = working(&["both"], Work::Count);
        sites.truncate(1);
        for (at, site) in (1..).zip(at_branches(&["both"])) {
            sites.push(Site {
                index: at,
                work: Work::Count,
                ..site
            });
        }
        let sited = insert_sites(&bytes, &sites, None).expect("sites");
        // Behind each condition, and where it is false; where the answer is returned, it is on the operand stack.
        let placed: Vec<u16> = sited.placed.iter().map(|placed| placed.index).collect();
        assert_eq!(placed, [0, 1, 2, 3]);
        fs::write(&file, sited.bytes.expect("a change")).expect("a writable file");
        let said = place.java(&jdk, &classes, &["Parts"]);
        assert_eq!(said, "found 10 reached 60 30 10 50\n", "{}", jdk.display());
    }
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
