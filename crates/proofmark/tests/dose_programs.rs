//! Programs that a JVM with sites cannot take as they are: a class that its verifier refuses with sites in it, one whose loader hides
//! what sites need, and iterations that are much shorter than a window; and programs with names that are rare.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::common::dosed::{compile, jdks};
use crate::common::succeeds;
use proofmark_experiment::dose::sites::{
    SiteLab, SitePlace, SiteWork, WantedSite, WarmUp, Watching,
};
use proofmark_jvm::Workload;
use proofmark_jvm::dose::{SiteOrder, SitedJvm};
use proofmark_jvm::toolchain::{DoseKit, Settings};
use proofmark_rewrite::replace_texts;
use proofmark_test_support::quick_tool;

/// Two classes of the same kind.
const PAIR: &str = "
public class Pair {
    static long sum;
    static class Spoilt {
        static int work(int x) { for (int i = 0; i < 9; i++) { x ^= x >>> 15; x *= 0x2c1b3c6d; } return x; }
    }
    static class Sound {
        static int work(int x) { for (int i = 0; i < 9; i++) { x ^= x >>> 15; x *= 0x2c1b3c6d; } return x; }
    }
    public static void main(String[] words) {
        for (int i = 0; i < 500; i++) { sum += Spoilt.work(i) ^ Sound.work(i); }
    }
}
";

/// An agent that takes the types of variables out of one of them (the attribute has another name) when it is changed, as if the code
/// with sites were wrong.
const SPOILS: &str = "
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
public class Spoils implements ClassFileTransformer {
    public static void premain(String words, Instrumentation instrumentation) {
        instrumentation.addTransformer(new Spoils(), true);
    }
    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> changed, ProtectionDomain domain, byte[] bytes) {
        if (changed == null || !\"Pair$Spoilt\".equals(name)) { return null; }
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        return text.replace(\"StackMapTable\", \"StackMapTablX\").getBytes(StandardCharsets.ISO_8859_1);
    }
}
";

/// The same with a loader of its own for one of them, which knows no class of `java.lang` but `Object`.
const HIDING: &str = "
import java.io.IOException;
import java.io.InputStream;
import java.util.function.IntUnaryOperator;
public class Hiding extends ClassLoader {
    static long sum;
    static IntUnaryOperator hidden;
    public static class Hidden implements IntUnaryOperator {
        static int work(int x) { for (int i = 0; i < 9; i++) { x ^= x >>> 15; x *= 0x2c1b3c6d; } return x; }
        @Override
        public int applyAsInt(int x) { return work(x); }
    }
    static class Sound {
        static int work(int x) { for (int i = 0; i < 9; i++) { x ^= x >>> 15; x *= 0x2c1b3c6d; } return x; }
    }
    Hiding() { super(null); }
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith(\"java.lang.\") && !name.equals(\"java.lang.Object\")) {
            throw new ClassNotFoundException(name);
        }
        if (!name.equals(\"Hiding$Hidden\")) { return super.loadClass(name, resolve); }
        try (InputStream file = Hiding.class.getResourceAsStream(\"Hiding$Hidden.class\")) {
            byte[] bytes = file.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException problem) {
            throw new ClassNotFoundException(name, problem);
        }
    }
    public static void main(String[] words) throws ReflectiveOperationException {
        if (hidden == null) {
            Class<?> type = new Hiding().loadClass(\"Hiding$Hidden\");
            hidden = (IntUnaryOperator) type.getDeclaredConstructor().newInstance();
        }
        for (int i = 0; i < 500; i++) { sum += hidden.applyAsInt(i) ^ Sound.work(i); }
    }
}
";

/// A method is named by a letter above U+FFFF.
const NAMED: &str = "
public class Named {
    static long sum;
    static int \\ud835\\udc9c(int x) { return x * 0x2c1b3c6d; }
    static int work(int x) { return x ^ x >>> 15; }
    public static void main(String[] words) {
        for (int i = 0; i < 500; i++) { sum += work(\\ud835\\udc9c(work(i))); }
    }
}
";

/// Its iterations take a microsecond or so.
const SHORT: &str = "
public class Short {
    static long sum;
    public static void main(String[] words) { sum++; }
}
";

/// A JAR of the agent.
fn spoiling(place: &Path, jdk: &Path) -> PathBuf {
    let classes = place.join("agent");
    std::fs::create_dir(&classes).unwrap();
    compile(&classes, jdk, "Spoils.java", SPOILS);
    let (manifest, jar) = (place.join("manifest"), place.join("spoils.jar"));
    let says = "Premain-Class: Spoils\nCan-Retransform-Classes: true\n";
    std::fs::write(&manifest, says).unwrap();
    let mut tool = quick_tool(jdk, "jar");
    tool.args(["--create", "--file"]).arg(&jar);
    tool.arg("--manifest").arg(&manifest);
    succeeds(tool.arg("-C").arg(&classes).arg("Spoils.class"));
    jar
}

/// A JVM of a class in that folder, with these sites and options.
pub(crate) fn jvm(
    place: &Path,
    jdk: &Path,
    class: &str,
    sites: &[WantedSite],
    options: &[String],
) -> SitedJvm {
    let kit = DoseKit::assemble(&Settings::from_env(), &jdk.join("bin/java")).unwrap();
    let program = format!("class:{class}");
    let mut workload = Workload::parse(&program, vec![place.to_owned()]).unwrap();
    workload.jvm_options.extend_from_slice(options);
    SitedJvm::start(&SiteOrder {
        kit: &kit,
        workload: &workload,
        sites,
        profiler: None,
        directory: &place.join("jvm"),
        iteration_limit: Duration::from_secs(600),
        interrupted: Arc::default(),
    })
    .unwrap()
}

/// Of two classes of a program (their names within it), the first has no site in its method `work`, for that reason, and runs as it
/// is; the second has one.
fn first_is_left_alone(
    place: &Path,
    jdk: &Path,
    (program, classes): (&str, [&str; 2]),
    options: &[String],
    reason: &str,
) {
    let sites = classes.map(|class| WantedSite {
        class: format!("{program}${class}"),
        method: "work".into(),
        place: SitePlace::Entry,
        work: SiteWork::Count,
        gated: false,
    });
    let mut jvm = jvm(place, jdk, program, &sites, options);
    let counts = jvm.count(2).unwrap();
    let report = jvm.report();
    let said = format!("{}: {report:?}", jdk.display());
    assert_eq!(counts, [[0, 500], [0, 500]], "{said}");
    let placed: Vec<u16> = report.placed.iter().map(|one| one.index).collect();
    assert_eq!(placed, [1], "{said}");
    assert_eq!(report.refused, [(0, reason.to_owned())], "{said}");
    jvm.end();
}

#[test]
fn a_class_that_the_verifier_refuses_with_sites_is_left_alone() {
    for jdk in jdks() {
        let place = tempfile::tempdir().unwrap();
        compile(place.path(), &jdk, "Pair.java", PAIR);
        let jar = spoiling(place.path(), &jdk);
        let agent = [format!("-javaagent:{}", jar.display())];
        let classes = ("Pair", ["Spoilt", "Sound"]);
        let reason =
            "the JVM's verifier refuses its class with sites in it, and so the class is left alone";
        first_is_left_alone(place.path(), &jdk, classes, &agent, reason);
    }
}

#[test]
fn a_class_whose_loader_hides_what_sites_need_is_left_alone() {
    for jdk in jdks() {
        let place = tempfile::tempdir().unwrap();
        compile(place.path(), &jdk, "Hiding.java", HIDING);
        let classes = ("Hiding", ["Hidden", "Sound"]);
        let reason = "its class loader hides java.lang.ProofmarkSites, which sites need, and so the class is left alone";
        first_is_left_alone(place.path(), &jdk, classes, &[], reason);
    }
}

/// What people name in Java, and what tools do that write class files.
#[test]
fn methods_with_rare_names_have_sites() {
    const LETTER: &str = "\u{1d49c}";
    const TABBED: &str = "wo\trk\n";
    for jdk in jdks() {
        let place = tempfile::tempdir().unwrap();
        compile(place.path(), &jdk, "Named.java", NAMED);
        let file = place.path().join("Named.class");
        let rename = |text: &[u8]| (text == b"work").then(|| TABBED.as_bytes().to_vec());
        let renamed = replace_texts(&std::fs::read(&file).unwrap(), &rename).unwrap();
        std::fs::write(&file, renamed).unwrap();
        let site = |method: &str| WantedSite {
            class: "Named".into(),
            method: method.into(),
            place: SitePlace::Entry,
            work: SiteWork::Count,
            gated: false,
        };
        let sites = [LETTER, TABBED].map(site);
        let mut jvm = jvm(place.path(), &jdk, "Named", &sites, &[]);
        let counts = jvm.count(2).unwrap();
        let report = jvm.report();
        jvm.end();
        assert_eq!(counts, [[500, 1000], [500, 1000]], "{report:?}");
        assert_eq!(report.placed.len(), 2, "{report:?}");
    }
}

/// So many that clocks and answers are small beside them.
#[test]
fn a_program_too_short_for_a_window_runs_many_times_in_one() {
    let Some(jdk) = jdks().pop() else { return };
    let place = tempfile::tempdir().unwrap();
    compile(place.path(), &jdk, "Short.java", SHORT);
    let mut jvm = jvm(place.path(), &jdk, "Short", &[], &[]);
    let warm = WarmUp {
        exercise_s: 0.0,
        most_turns: 6,
        least_s: 0.2,
        most_s: 4.0,
    };
    jvm.warm_up(&warm).unwrap();
    let window = jvm.window(None, 0.1, 5, Watching::Nobody).unwrap();
    jvm.end();
    assert!(window.end_ns - window.begin_ns >= 100_000_000, "{window:?}");
    assert!(window.iterations.len() >= 5, "{window:?}");
    assert!(window.together > 1, "{window:?}");
}
