//! Programs with class loaders of their own, which are asked for what sites need.

use crate::common::dosed::{compile, jdks};
use crate::dose_programs::jvm;
use proofmark_experiment::dose::sites::{SiteLab, SitePlace, SiteWork, WantedSite};

/// A class, and a loader that finds what it knows without a lock, and all else under one lock for all names. A thread that holds this
/// lock waits until the class begins to be initialised, and then for the end of that.
const LOCKED: &str = "
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntUnaryOperator;
public class Locked extends ClassLoader {
    static { registerAsParallelCapable(); }
    public static final CountDownLatch begun = new CountDownLatch(1);
    static final CountDownLatch held = new CountDownLatch(1);
    static long sum;
    static IntUnaryOperator work;
    final Map<String, Class<?>> known = new ConcurrentHashMap<>();
    public static class Work implements IntUnaryOperator {
        static { begun.countDown(); }
        static int work(int x) { for (int i = 0; i < 9; i++) { x ^= x >>> 15; x *= 0x2c1b3c6d; } return x; }
        @Override
        public int applyAsInt(int x) { return work(x); }
    }
    Locked() {
        for (Class<?> one : new Class<?>[] {Object.class, Locked.class, CountDownLatch.class, IntUnaryOperator.class}) {
            known.put(one.getName(), one);
        }
    }
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        Class<?> one = known.get(name);
        if (one != null) { return one; }
        begun.countDown();
        synchronized (known) { return super.loadClass(name, resolve); }
    }
    Class<?> define() throws IOException {
        try (InputStream file = Locked.class.getResourceAsStream(\"Locked$Work.class\")) {
            byte[] bytes = file.readAllBytes();
            return defineClass(\"Locked$Work\", bytes, 0, bytes.length);
        }
    }
    void initialiseHolding(Class<?> type) {
        synchronized (known) {
            held.countDown();
            try {
                begun.await();
                Class.forName(type.getName(), true, this);
            } catch (ReflectiveOperationException | InterruptedException problem) {
                throw new IllegalStateException(problem);
            }
        }
    }
    public static void main(String[] words) throws Exception {
        if (work == null) {
            Locked loader = new Locked();
            Class<?> type = loader.define();
            Thread other = new Thread(() -> loader.initialiseHolding(type));
            other.start();
            held.await();
            work = (IntUnaryOperator) type.getDeclaredConstructor().newInstance();
            other.join();
        }
        for (int i = 0; i < 500; i++) { sum += work.applyAsInt(i); }
    }
}
";

/// A class, and a loader that prints which names it passes on.
const PRINTING: &str = "
import java.io.IOException;
import java.io.InputStream;
import java.util.function.IntUnaryOperator;
public class Printing extends ClassLoader {
    static IntUnaryOperator work;
    public static class Work implements IntUnaryOperator {
        static int work(int x) { for (int i = 0; i < 9; i++) { x ^= x >>> 15; x *= 0x2c1b3c6d; } return x; }
        @Override
        public int applyAsInt(int x) { return work(x); }
    }
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.equals(\"java.lang.Object\") && !name.startsWith(\"java.util.\")) { System.out.println(\"asked for \" + name); }
        return super.loadClass(name, resolve);
    }
    Class<?> define() throws IOException {
        try (InputStream file = Printing.class.getResourceAsStream(\"Printing$Work.class\")) {
            byte[] bytes = file.readAllBytes();
            return defineClass(\"Printing$Work\", bytes, 0, bytes.length);
        }
    }
    public static void main(String[] words) throws Exception {
        if (work == null) { work = (IntUnaryOperator) new Printing().define().getDeclaredConstructor().newInstance(); }
        int sum = 0;
        for (int i = 0; i < 500; i++) { sum += work.applyAsInt(i); }
        System.out.println(sum);
    }
}
";

/// A class, and a loader that never answers when it is asked for what sites need.
const SILENT: &str = include_str!("count_java/Silent.java");

/// A site in the method `work` of a class.
fn work_of(class: &str) -> WantedSite {
    WantedSite {
        class: class.into(),
        method: "work".into(),
        place: SitePlace::Entry,
        work: SiteWork::Count,
        gated: false,
    }
}

/// Asked when the class is prepared, whose lock the JVM holds then, it would wait for the other thread, and that for the class.
#[test]
fn a_loader_is_asked_while_nobody_waits_for_its_class() {
    for jdk in jdks() {
        let place = tempfile::tempdir().unwrap();
        compile(place.path(), &jdk, "Locked.java", LOCKED);
        let sites = [work_of("Locked$Work")];
        let mut jvm = jvm(place.path(), &jdk, "Locked", &sites, &[]);
        let counts = jvm.count(2).unwrap();
        let report = jvm.report();
        jvm.end();
        assert_eq!(counts, [[500], [500]], "{}: {report:?}", jdk.display());
        assert!(report.refused.is_empty(), "{report:?}");
    }
}

#[test]
fn a_loader_that_prints_our_question_is_told_from_a_program_that_changes() {
    for jdk in jdks() {
        let place = tempfile::tempdir().unwrap();
        compile(place.path(), &jdk, "Printing.java", PRINTING);
        let sites = [work_of("Printing$Work")];
        let mut jvm = jvm(place.path(), &jdk, "Printing", &sites, &[]);
        let said = jvm.count(2).unwrap_err().to_string();
        jvm.end();
        let printed = "\n  | first: asked for java.lang.ProofmarkSites\n";
        assert!(said.contains(printed), "{said}");
        assert!(said.contains("\n  That is a class of"), "{said}");
    }
}

/// Who waits for the answer goes on without it.
#[test]
fn a_class_whose_loader_never_answers_is_left_alone() {
    for jdk in jdks() {
        let place = tempfile::tempdir().unwrap();
        compile(place.path(), &jdk, "Silent.java", SILENT);
        let sites = [work_of("Silent$Work")];
        let mut jvm = jvm(place.path(), &jdk, "Silent", &sites, &[]);
        let counts = jvm.count(2).unwrap();
        let report = jvm.report();
        jvm.end();
        assert_eq!(counts, [[0], [0]], "{}: {report:?}", jdk.display());
        let why = "its class loader did not say in time whether it finds what sites need, and so the class is left alone";
        assert_eq!(report.refused, [(0, why.to_owned())], "{report:?}");
    }
}
