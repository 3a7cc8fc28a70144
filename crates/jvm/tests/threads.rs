//! The clock of JVMs with sites: CPU time of all threads of the program, those included that end, without all others. And how
//! they are ended while they do something.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use proofmark_experiment::dose::sites::{
    DosedWindow, SiteLab, SitePlace, SiteWork, StepClock, StepReading, WantedSite, Watching,
};
use proofmark_experiment::dose::{Dose, DoseKind};
use proofmark_jvm::dose::{SiteOrder, SitedJvm};
use proofmark_jvm::toolchain::{DoseKit, Settings};
use proofmark_jvm::{LabError, Workload};
use proofmark_test_support::{jdks_with, quick_tool};

/// Two threads of a pool, two that begin and end in the iteration, and one with the name of an instrument work for 25 ms of
/// their own CPU time each; the calling thread waits. What each has used, by its own clock, but the instrument, is added up in a file.
const CREW: &str = r#"
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

public class Crew implements Runnable {
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
    private static final ExecutorService POOL = Executors.newFixedThreadPool(2);
    private static volatile long kept;

    static long spin() {
        long begin = CLOCK.getCurrentThreadCpuTime();
        long used = 0;
        while (used < 25_000_000L) {
            for (int i = 0; i < 1000; i++) {
                kept = kept * 31 + i;
            }
            used = CLOCK.getCurrentThreadCpuTime() - begin;
        }
        return used;
    }

    public void run() {
        long begin = CLOCK.getCurrentThreadCpuTime();
        AtomicLong used = new AtomicLong();
        try {
            List<Thread> ending = new ArrayList<>();
            for (String name : new String[] {"one", "other", "proofmark-stranger"}) {
                boolean counts = !name.startsWith("proofmark");
                ending.add(new Thread(() -> used.addAndGet(counts ? spin() : 0 * spin()), name));
            }
            ending.forEach(Thread::start);
            List<Future<?>> pool = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                pool.add(POOL.submit(() -> used.addAndGet(spin())));
            }
            for (Future<?> one : pool) {
                one.get();
            }
            for (Thread one : ending) {
                one.join();
            }
            long all = used.get() + CLOCK.getCurrentThreadCpuTime() - begin;
            Files.writeString(Path.of(System.getProperty("file")), all + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
"#;

/// Four virtual threads do the same work as the calling thread, which says what that takes.
const MOUNTED: &str = r#"
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

public class Mounted implements Runnable {
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
    private static volatile long kept;

    static void work() {
        long x = kept;
        for (int i = 0; i < 8_000_000; i++) {
            x = (x ^ x >>> 17) * 0x9e3779b97f4a7c15L + i;
        }
        kept = x;
    }

    public void run() {
        try {
            List<Thread> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                all.add(Thread.startVirtualThread(Mounted::work));
            }
            for (Thread one : all) {
                one.join();
            }
            long begin = CLOCK.getCurrentThreadCpuTime();
            work();
            long own = CLOCK.getCurrentThreadCpuTime() - begin;
            Files.writeString(Path.of(System.getProperty("file")), own + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
"#;

/// A method that a site makes more than ten times as long, 2,000 times.
const DOSED: &str = r#"
public class Dosed implements Runnable {
    private static volatile int kept;

    static int step(int x) {
        return x * 31 + 7;
    }

    public void run() {
        for (int i = 0; i < 2000; i++) {
            kept = step(kept);
        }
    }
}
"#;

/// Name of the file in which a program says how long it worked.
const SAID: &str = "said";

/// A JVM of a program with these sites, whose files are in this place.
fn started(
    kit: &DoseKit,
    jdk: &Path,
    (class, source): (&str, &str),
    sites: &[WantedSite],
    place: &Path,
) -> SitedJvm {
    let file = place.join(format!("{class}.java"));
    std::fs::write(&file, source).unwrap();
    let mut javac = quick_tool(jdk, "javac");
    let compiled = javac.arg("-d").arg(place).arg(&file).status();
    assert!(compiled.unwrap().success());
    let class_path = vec![place.to_owned()];
    let mut workload = Workload::parse(&format!("runnable:{class}"), class_path).unwrap();
    let said = place.join(SAID);
    workload
        .jvm_options
        .push(format!("-Dfile={}", said.display()));
    SitedJvm::start(&SiteOrder {
        kit,
        workload: &workload,
        sites,
        profiler: None,
        directory: &place.join("jvm"),
        iteration_limit: Duration::from_secs(600),
        interrupted: Arc::default(),
    })
    .unwrap()
}

/// A window of a program, and what the program wrote in each of its iterations, ns.
fn window(kit: &DoseKit, jdk: &Path, class: &str, source: &str) -> (DosedWindow, Vec<u64>) {
    let place = tempfile::tempdir().unwrap();
    let mut jvm = started(kit, jdk, (class, source), &[], place.path());
    let window = jvm.window(None, 0.0, 8, Watching::Nobody).unwrap();
    jvm.end();
    let said = said(place.path(), &window);
    (window, said)
}

/// What a program wrote in each of the eight iterations of its only window.
fn said(place: &Path, window: &DosedWindow) -> Vec<u64> {
    let text = std::fs::read_to_string(place.join(SAID)).unwrap();
    let lines: Vec<u64> = text.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!((lines.len(), window.together), (9, 1));
    // One iteration before the window is not reported.
    lines[lines.len() - window.iterations.len()..].to_vec()
}

fn cpu_ns(window: &DosedWindow) -> u64 {
    window.iterations.iter().map(|(_, _, cpu)| cpu).sum()
}

#[test]
fn a_window_has_the_cpu_time_of_all_threads_of_the_program_and_of_no_other() {
    for jdk in jdks_with(&["java", "javac"]) {
        let kit = DoseKit::assemble(&Settings::from_env(), &jdk.join("bin/java")).unwrap();
        let (window, said) = window(&kit, &jdk, "Crew", CREW);
        let (clock, known) = (cpu_ns(&window), said.iter().sum::<u64>());
        let part = clock as f64 / known as f64;
        // Beginning and ending threads is in the clock only. The instrument would be 0.25, threads that end 0.5.
        assert!((0.9..1.15).contains(&part), "{}: {part}", jdk.display());
        // The caller, two of the pool, and two that end in each of eight iterations.
        assert_eq!(window.busy_threads, 1 + 2 + 2 * 8, "{}", jdk.display());
        let busiest = window.busiest_ns as f64 / clock as f64;
        assert!((0.15..0.7).contains(&busiest), "{busiest}");
    }
}

#[test]
fn work_of_virtual_threads_counts() {
    for jdk in jdks_with(&["java", "javac"]) {
        let kit = DoseKit::assemble(&Settings::from_env(), &jdk.join("bin/java")).unwrap();
        if kit.count.jdk.version.feature() < 21 {
            continue;
        }
        let (window, own) = window(&kit, &jdk, "Mounted", MOUNTED);
        // Five times the work of the calling thread; processors that share a core, or are shared with others, are slower at times. Where
        // virtual threads do not count it is once.
        let times = cpu_ns(&window) as f64 / own.iter().sum::<u64>() as f64;
        assert!((2.0..40.0).contains(&times), "{}: {times}", jdk.display());
    }
}

/// Two readings of a fifth of a second each, if a step takes a nanosecond; an iteration takes an eighth.
#[test]
fn the_time_of_a_step_is_read_beside_a_window_and_not_in_it() {
    for jdk in jdks_with(&["java", "javac"]) {
        let kit = DoseKit::assemble(&Settings::from_env(), &jdk.join("bin/java")).unwrap();
        let place = tempfile::tempdir().unwrap();
        let sites = [StepClock::behind(&[]).site()];
        let mut jvm = started(&kit, &jdk, ("Crew", CREW), &sites, place.path());
        let (dose, clock) = (
            Dose { site: 0, turns: 3 },
            StepReading {
                site: 0,
                loops: [(15, 100_000), (63, 25_000)],
            },
        );
        let clock = Watching::ProfilerAndClock(clock);
        let window = jvm.window(Some(dose), 0.0, 8, clock).unwrap();
        jvm.end();
        let step_ns = window.step_ns.expect("it was read");
        // Three cycles; more where code is cold, or the processor is shared.
        let name = jdk.display();
        assert!((0.2..20.0).contains(&step_ns), "{name}: {step_ns}");
        let known = said(place.path(), &window).iter().sum::<u64>();
        let part = cpu_ns(&window) as f64 / known as f64;
        assert!((0.9..1.15).contains(&part), "{name}: {part}");
    }
}

/// The clock's site makes turns while it is read, and the program's site makes its own again in the iterations behind.
#[test]
fn a_site_makes_its_turns_in_a_window_beside_which_the_clock_is_read() {
    for jdk in jdks_with(&["java", "javac"]) {
        let kit = DoseKit::assemble(&Settings::from_env(), &jdk.join("bin/java")).unwrap();
        let place = tempfile::tempdir().unwrap();
        let site = WantedSite {
            class: "Dosed".into(),
            method: "step".into(),
            place: SitePlace::Entry,
            work: SiteWork::Turns(DoseKind::Arithmetic, 64),
            gated: false,
        };
        let clock = StepClock::behind(std::slice::from_ref(&site)).site();
        let sites = [site, clock];
        let mut jvm = started(&kit, &jdk, ("Dosed", DOSED), &sites, place.path());
        let reading = StepReading {
            site: 1,
            loops: [(15, 1000), (63, 250)],
        };
        let dose = Dose { site: 0, turns: 63 };
        let rest = jvm.window(None, 0.0, 8, Watching::Nobody).unwrap();
        let clock = Watching::ProfilerAndClock(reading);
        let dosed = jvm.window(Some(dose), 0.0, 8, clock).unwrap();
        jvm.end();
        let [rest, dosed] = [rest, dosed].map(|window| {
            let times = window.iterations.iter().map(|(_, _, cpu)| *cpu);
            times.min().expect("iterations")
        });
        assert!(dosed > 3 * rest, "{}: {rest} {dosed}", jdk.display());
    }
}

/// Else it would have a window of half a minute.
#[test]
fn a_jvm_that_is_ended_by_others_does_not_finish_its_window() {
    for jdk in jdks_with(&["java", "javac"]) {
        let kit = DoseKit::assemble(&Settings::from_env(), &jdk.join("bin/java")).unwrap();
        let place = tempfile::tempdir().unwrap();
        let jvm = started(&kit, &jdk, ("Crew", CREW), &[], place.path());
        let ended = Arc::new(AtomicBool::new(true));
        let mut jvm = jvm.ended_by(ended);
        let window = jvm.window(None, 30.0, 8, Watching::Nobody);
        assert!(matches!(window, Err(LabError::Interrupted)), "{window:?}");
    }
}
