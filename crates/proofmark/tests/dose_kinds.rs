//! Every kind of dose on a real JVM: each takes time, and the test with all of them in turn has a result or a reason for each.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::common::dosed::{SEEN, compile, dose, jdks, part_in, row};
use crate::common::stderr;
use proofmark_experiment::dose::sites::{
    SiteLab, SitePlace, SiteWork, WantedSite, WarmUp, Watching,
};
use proofmark_experiment::dose::{Dose, DoseKind};
use proofmark_jvm::Workload;
use proofmark_jvm::dose::{SiteOrder, SitedJvm};
use proofmark_jvm::toolchain::{DoseKit, Settings};
use serde_json::Value;

/// Steps of a turn, and turns: a call of a method then takes ten times as long or more, whatever the steps do.
const STEPS: u16 = 64;
const TURNS: u16 = 63;

const WARM: WarmUp = WarmUp {
    exercise_s: 1.5,
    most_turns: 6,
    least_s: 0.5,
    most_s: 8.0,
};

/// The program is warm when a gate is opened or closed: as long as a test by dose takes for it.
const ANEW: WarmUp = WarmUp {
    exercise_s: 0.4,
    most_turns: 6,
    least_s: 0.2,
    most_s: 8.0,
};

/// A program of a method for each kind, which has its name.
fn of_all_kinds() -> String {
    let method = |kind: DoseKind| {
        let name = kind.name();
        format!(
            "static int {name}(int x) {{ for (int i = 0; i < 50; i++) {{ x ^= x >>> 15; x *= 0x2c1b3c6d; }} return x; }}\n"
        )
    };
    let call = |kind: DoseKind| format!("sum += {}(i);\n", kind.name());
    let (methods, calls) = (DoseKind::ALL.map(method), DoseKind::ALL.map(call));
    format!(
        "public class Kinds {{ static long sum; {} public static void main(String[] words) {{ for (int i = 0; i < 500; i++) {{ {} }} }} }}",
        methods.concat(),
        calls.concat()
    )
}

/// A JVM with a site at the entry of the method of each of these kinds, warm.
fn with_sites(place: &Path, jdk: &Path, kinds: &[DoseKind], gated: bool) -> SitedJvm {
    compile(place, jdk, "Kinds.java", &of_all_kinds());
    let site = |kind: &DoseKind| WantedSite {
        gated,
        ..site("Kinds", kind.name(), *kind)
    };
    let sites: Vec<WantedSite> = kinds.iter().map(site).collect();
    started(place, jdk, "class:Kinds", &sites)
}

/// A site at the entry of a method, which is always there.
fn site(class: &str, method: &str, kind: DoseKind) -> WantedSite {
    WantedSite {
        class: class.into(),
        method: method.into(),
        place: SitePlace::Entry,
        work: SiteWork::Turns(kind, STEPS),
        gated: false,
    }
}

/// A JVM that runs a compiled program with these sites, warm. All of them were placed.
fn started(place: &Path, jdk: &Path, program: &str, sites: &[WantedSite]) -> SitedJvm {
    let kit = DoseKit::assemble(&Settings::from_env(), &jdk.join("bin/java")).unwrap();
    let workload = Workload::parse(program, vec![place.to_owned()]).unwrap();
    let mut jvm = SitedJvm::start(&SiteOrder {
        kit: &kit,
        workload: &workload,
        sites,
        profiler: None,
        directory: &place.join("jvm"),
        iteration_limit: Duration::from_secs(600),
        interrupted: Arc::default(),
    })
    .unwrap();
    jvm.warm_up(&WARM).unwrap();
    let report = jvm.report();
    assert!(report.refused.is_empty(), "{report:?}");
    let placed: BTreeSet<u16> = report.placed.iter().map(|one| one.index).collect();
    assert_eq!(placed.len(), sites.len(), "{report:?}");
    jvm
}

/// By how much a dose slows the program, as a part of its time. The least time of several iterations, in windows without and with it
/// in turn, is compared: a busy machine only ever makes some of them longer.
fn growth(jvm: &mut SitedJvm, site: u16) -> f64 {
    let mut least_ns = |dose: Option<Dose>| {
        let window = jvm.window(dose, 0.05, 5, Watching::Nobody).unwrap();
        let times = window.iterations.iter().map(|(_, _, cpu)| *cpu);
        times.min().expect("iterations") as f64
    };
    let dose = Dose { site, turns: TURNS };
    let (mut rests, mut slowed) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..3 {
        rests = least_ns(None).min(rests);
        slowed = least_ns(Some(dose)).min(slowed);
    }
    slowed / rests - 1.0
}

/// All in one JVM.
#[test]
fn every_kind_of_turn_slows_a_program() {
    let Some(jdk) = jdks().pop() else { return };
    let place = tempfile::tempdir().unwrap();
    let mut jvm = with_sites(place.path(), &jdk, &DoseKind::ALL, false);
    for (site, kind) in (0..).zip(DoseKind::ALL) {
        let growth = growth(&mut jvm, site);
        assert!(growth > 0.2, "{}: {growth}", kind.name());
    }
    jvm.end();
}

/// Of the first class the JVM has run code before sites can be put into it; the second one is loaded by the program, in whose package
/// others are loaded that get no site.
const OF_THE_JDK: [(&str, &str); 2] = [
    ("java/lang/String", "hashCode"),
    ("java/util/PriorityQueue", "offer"),
];
const USES_THE_JDK: &str = "
import java.util.PriorityQueue;
public class UsesTheJdk {
    static long sum;
    public static void main(String[] words) {
        PriorityQueue<String> all = new PriorityQueue<>();
        for (int i = 0; i < 500; i++) {
            String word = new String(new char[] {'a', (char) ('a' + i % 26)});
            all.offer(word);
            sum += word.hashCode() + new java.util.BitSet(i + 1).size();
        }
    }
}
";

/// Much time of real programs is in them.
#[test]
fn methods_of_the_jdk_take_sites() {
    for jdk in jdks() {
        let place = tempfile::tempdir().unwrap();
        compile(place.path(), &jdk, "UsesTheJdk.java", USES_THE_JDK);
        let sites = OF_THE_JDK.map(|(class, method)| site(class, method, DoseKind::Arithmetic));
        let mut jvm = started(place.path(), &jdk, "class:UsesTheJdk", &sites);
        for (number, (class, _)) in (0..).zip(OF_THE_JDK) {
            let growth = growth(&mut jvm, number);
            assert!(growth > 0.2, "{}: {class} {growth}", jdk.display());
        }
        jvm.end();
    }
}

/// Whatever it was before, a site is there exactly while its gate is open.
#[test]
fn a_site_is_there_while_its_gate_is_open() {
    for jdk in jdks() {
        let place = tempfile::tempdir().unwrap();
        let kinds = [DoseKind::Arithmetic, DoseKind::Lock];
        let mut jvm = with_sites(place.path(), &jdk, &kinds, true);
        let mut growths = |open: &[u16]| {
            jvm.gates(open, &ANEW).unwrap();
            [0, 1].map(|site| growth(&mut jvm, site))
        };
        let states = [&[][..], &[0], &[1], &[], &[0]];
        for (open, found) in states.map(|open| (open, growths(open))) {
            for (site, growth) in (0..).zip(found) {
                let there = open.contains(&site);
                let said = format!("{}: {open:?} site {site} {growth}", jdk.display());
                assert_eq!(growth > 0.5, there, "{said}");
            }
        }
        jvm.end();
    }
}

/// Tested with two kinds only: it goes by what the test has left so far, and fails for all others at once. Its word: the test's directory.
const MIDDLE: &str = "
import java.nio.file.*;
public class Middle {
    static long sum;
    static int work(int x) {
        for (int i = 0; i < 50; i++) { x ^= x >>> 15; x *= 0x2c1b3c6d; }
        return x;
    }
    public static void main(String[] words) {
        boolean first = !Files.exists(Path.of(words[0], \"arithmetic/dose.json\"));
        boolean call = Files.exists(Path.of(words[0], \"call\")) && !Files.exists(Path.of(words[0], \"call/dose.json\"));
        if (!first && !call) { throw new IllegalStateException(\"not for this kind\"); }
        for (int i = 0; i < 20_000; i++) { sum += work(i); }
    }
}
";

/// Time of a call is looked for in the method that is called. Each kind has two JVMs: doses that the first one found serve the
/// second one, and both are counted.
#[test]
fn every_kind_of_dose_has_a_result_or_a_reason() {
    let Some(jdk) = jdks().pop() else { return };
    let place = tempfile::tempdir().unwrap();
    compile(place.path(), &jdk, "Middle.java", MIDDLE);
    let java = jdk.join("bin/java").display().to_string();
    let path = place.path().display().to_string();
    let out = place.path().join("out");
    let said = out.display().to_string();
    let profiler = "jfr+nonsafepoints";
    let mut words = vec!["--dose", "all", "--profiler", profiler, "--methods", "1"];
    words.extend([
        "--method",
        "Middle.work",
        "--rounds",
        "2",
        "--window",
        "0.1",
    ]);
    words.extend(["--runs", "2", "--budget", "0"]);
    words.extend(["--", java.as_str(), "-cp", &path]);
    words.extend(["Middle", said.as_str()]);
    let output = dose(place.path(), &jdk, &words);
    let result: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{:?}: {}", output.status, stderr(&output)));
    let kinds = result["kinds"].as_object().unwrap();
    let failed = result["failed"].as_object().unwrap();
    assert_eq!((kinds.len(), failed.len()), (2, 6), "{result:#}");
    for (kind, method) in [
        ("arithmetic", "Middle.work"),
        ("call", "java.lang.ProofmarkSites.called"),
    ] {
        let of = &kinds[kind];
        // Far from the nothing that the method with the site would have of a call.
        for site in 0..of["sites"].as_array().unwrap().len() {
            let part = part_in(&out.join(kind), profiler, site, method);
            assert!(part > SEEN, "{part} of {method}: {of:#}");
        }
        if let Some(row) = row(of, profiler, "Middle.work") {
            assert_eq!(row["kind"], kind);
            let growth = |at: usize| row["growth_pct"][at].as_f64().unwrap();
            assert!(growth(1) > growth(0) + 10.0, "{row:#}");
        }
        let files = out.join(kind);
        assert!(files.join("dose.json").is_file() && files.join("report.html").is_file());
        every_jvm_has_its_word(of, profiler);
        for jvm in [profiler.to_owned(), format!("{profiler}-run-2")] {
            assert!(files.join(&jvm).is_dir(), "{jvm}");
        }
    }
    for (kind, reason) in failed {
        assert!(DoseKind::named(kind).is_some(), "{kind}");
        let reason = reason.as_str().unwrap();
        assert!(reason.contains("not for this kind"), "{kind}: {reason}");
    }
    assert!(out.join("every-dose.json").is_file());
    // What has no result leaves it open at best.
    let wrong = result["verdict"] == "wrong";
    assert!(wrong || result["verdict"] == "undecided", "{result:#}");
    assert_eq!(output.status.code(), Some(if wrong { 1 } else { 4 }));
}

/// Of a result over two JVMs.
fn every_jvm_has_its_word(result: &Value, profiler: &str) {
    assert_eq!(result["replication"]["level"], "runs");
    assert_eq!(result["replication"]["runs"], 2);
    let of = &result["attribution"][profiler];
    let counted = |words: &Value| -> u64 {
        let all = ["right", "wrong", "undecided"];
        all.iter().filter_map(|word| words[*word].as_u64()).sum()
    };
    // There is one, unless the JVM compiled all the time.
    let has_rows = row(result, profiler, "Middle.work").is_some();
    assert!(!has_rows || counted(&of["jvms"]) == 2, "{result:#}");
    for row in of["rows"].as_array().unwrap() {
        assert_eq!(row["in_place_pct"]["n"], 2, "{row:#}");
        assert_eq!(counted(&row["jvms"]), 2, "{row:#}");
        let each = row["in_place_per_run_pct"].as_array().unwrap();
        let samples = each.iter().filter_map(|part| part["n"].as_u64());
        assert!(each.len() == 2 && samples.min() > Some(10), "{row:#}");
    }
}
