//! JMH benchmarks on real JVMs: which one is run, what is set up before it and in which order, and what is refused. JMH's
//! annotations are declared here under its names, as far as they are used.

use std::path::{Path, PathBuf};
use std::process::Output;

use crate::common::dosed::dose as dosed;
use crate::common::{kit, lab_settings, stderr, succeeds};
use proofmark_jvm::{WarmJvm, Workload};
use proofmark_test_support::{jdks_with, quick_tool};

/// Annotations and what they hold.
const ANNOTATIONS: [(&str, &str); 6] = [
    ("Benchmark", ""),
    ("State", "Scope value();"),
    ("Setup", "Level value() default Level.Trial;"),
    ("TearDown", "Level value() default Level.Trial;"),
    ("Param", "String[] value() default {};"),
    ("Group", "String value() default \"group\";"),
];
const ENUMS: [(&str, &str); 2] = [
    ("Scope", "Benchmark, Group, Thread"),
    ("Level", "Trial, Iteration, Invocation"),
];
const OBJECTS: [(&str, &str); 2] = [
    (
        "Blackhole",
        "public Blackhole(String said) { if (!said.contains(\"swordfish\")) throw new IllegalStateException(said); }
        private volatile long last; private volatile Object object;
        public void consume(int value) { last = value; }
        public void consume(long value) { last = value; }
        public void consume(Object value) { object = value; }",
    ),
    (
        "Control",
        "public volatile boolean startMeasurement, stopMeasurement;",
    ),
];

/// Writes down what is called until the second stretch of iterations has begun, and then tells it.
const ORDER: &str = "package b;
import org.openjdk.jmh.annotations.*;
import org.openjdk.jmh.infra.*;
public class Order {
    static final StringBuilder log = new StringBuilder();
    static int calls;
    static boolean ended;
    static void say(String text) { if (calls < 2 || ended) { log.append(' ').append(text); } }
    public static class Base {
        @Param({\"3\", \"7\"}) int size;
        @Setup public void base() { say(\"base\" + size); }
        @TearDown(Level.Iteration) public void baseEnd() { ended = true; say(\"baseEnd\"); }
    }
    @State(Scope.Benchmark) public static class Data extends Base {
        @Param({\"one\", \"two\"}) String mode;
        @Setup public void data() { say(\"data-\" + mode); }
        @TearDown(Level.Iteration) public void dataEnd() { ended = true; say(\"dataEnd\"); }
    }
    @State(Scope.Thread) public static class User {
        Data seen;
        @Setup public void user(Data data, Blackhole hole) { seen = data; hole.consume(1); say(\"user\"); }
        @Setup(Level.Iteration) public void round() { say(\"round\"); }
        @Setup(Level.Invocation) public void before() { say(\"before\"); }
        @TearDown(Level.Invocation) public void after() { say(\"after\"); }
    }
    @Benchmark public int run(User user, Data data, Control control) {
        if (user.seen != data || !control.startMeasurement) { throw new IllegalStateException(\"other states\"); }
        say(\"run\");
        calls++;
        if (ended) { throw new IllegalStateException(\"order:\" + log); }
        return data.size;
    }
    @Benchmark public long spin(Data data) {
        long s = 1;
        for (int i = 0; i < 100 * data.size; i++) { s = work(s + i); }
        return s;
    }
    static long work(long s) { s ^= s << 13; s ^= s >>> 7; return s ^ s << 17; }
    @Benchmark @Group(\"pair\") public void half() { }
}
";

/// Compiles the benchmarks (`b.Order`) and the annotations into a directory.
pub fn compiled(place: &Path, jdk: &Path) {
    let mut sources: Vec<(String, String)> = vec![("b/Order.java".into(), ORDER.into())];
    let mut add = |package: &str, name: &str, head: &str, body: &str| {
        let package = format!("org.openjdk.jmh.{package}");
        let file = format!("{}/{name}.java", package.replace('.', "/"));
        let text = format!("package {package}; {head} {name} {{ {body} }}");
        sources.push((file, text));
    };
    for (name, body) in ANNOTATIONS {
        let head = "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) public @interface";
        add("annotations", name, head, body);
    }
    for (name, body) in ENUMS {
        add("annotations", name, "public enum", body);
    }
    for (name, body) in OBJECTS {
        add("infra", name, "public class", body);
    }
    let mut javac = quick_tool(jdk, "javac");
    javac.args(["-proc:none", "-d"]).arg(place);
    for (file, text) in sources {
        let file = place.join("source").join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        javac.arg(file);
    }
    succeeds(&mut javac);
}

fn dose(place: &Path, jdk: &Path, benchmark: &str, words: &[&str]) -> Output {
    let benchmark = format!("jmh:{}#{benchmark}", place.display());
    dosed(place, jdk, &[&[benchmark.as_str()][..], words].concat())
}

/// The oldest JDK of this machine.
fn jdk() -> Option<PathBuf> {
    jdks_with(&["java", "javac", "jimage"]).into_iter().next()
}

#[test]
fn states_are_set_up_in_their_order_with_their_parameters() {
    let Some(jdk) = jdk() else { return };
    let place = tempfile::tempdir().unwrap();
    compiled(place.path(), &jdk);
    let jfr = ["--profiler", "jfr"];
    let output = dose(place.path(), &jdk, "Order.run?size=7", &jfr);
    let text = stderr(&output);
    // What others need comes first, super classes before; the second stretch begins like the first one.
    let order = "order: base7 data-one user round before run after before run dataEnd baseEnd round before run";
    assert!(text.contains(order), "{text}");
    assert_eq!(output.status.code(), Some(3), "{text}");
}

#[test]
fn benchmarks_that_are_not_told_apart_or_cannot_be_run_are_refused() {
    let Some(jdk) = jdk() else { return };
    let place = tempfile::tempdir().unwrap();
    compiled(place.path(), &jdk);
    for (benchmark, message) in [
        ("Order", "'Order' matches 3 benchmarks"),
        ("fast", "there are b.Order.half, b.Order.run, b.Order.spin"),
        (
            "spin?none=1",
            "cannot load the workload b.Order.spin: it has no @Param none; it has mode, size",
        ),
        ("spin?size=many", "@Param size: 'many' is no int"),
        ("spin?size=1,size=2", "the parameter size is given twice"),
        ("half", "it is one of the group 'pair' (@Group)"),
    ] {
        let output = dose(place.path(), &jdk, benchmark, &["--profiler", "jfr"]);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{benchmark}: {text}");
        assert!(text.contains(message), "{benchmark}: {text}");
    }
    std::fs::remove_dir_all(place.path().join("org/openjdk/jmh/infra")).unwrap();
    let output = dose(place.path(), &jdk, "spin", &["--profiler", "jfr"]);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("there is no JMH on the class path"), "{text}");
}

/// The loop around the benchmark belongs to what is tested: the harness's own code is never under control.
#[test]
fn the_laboratory_controls_a_benchmark_with_its_loop() {
    let Some(kit) = kit() else { return };
    let place = tempfile::tempdir().unwrap();
    compiled(place.path(), &kit.jdk.home);
    let text = format!("jmh:{}#b.Order.spin?size=30", place.path().display());
    let workload = Workload::parse(&text, Vec::new()).unwrap();
    let settings = lab_settings(place.path().join("log"));
    let jvm = WarmJvm::prepare(&kit, &workload, settings).unwrap();
    let share = jvm.warm().controlled_share;
    let units: Vec<&str> = jvm.units().map(|(_, name)| name).collect();
    assert!(share > 0.5, "{share}: {units:?}");
    assert!(jvm.warm().together > 1);
    jvm.stop();
}
