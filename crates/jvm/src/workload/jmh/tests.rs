//! Which benchmark is meant, on lists in the forms that JMH writes.

use super::*;

/// Two modes of one benchmark, one of a nested class, one with a parameter.
const NEW: &str = "\
JMH S 6 p.Sort S 30 p.jmh_generated.Sort_f_jmhTest S 4 fast S 10 Throughput E A 1 1 1 E E E
JMH S 6 p.Sort S 30 p.jmh_generated.Sort_f_jmhTest S 4 fast S 11 AverageTime E A 1 1 1 E E E
JMH S 6 p.Sort S 30 p.jmh_generated.Sort_g_jmhTest S 8 fastest2 S 10 Throughput E A 1 1 1 E M 1 4 size 1 4 xAA=
JMH S 8 p.Sort.X S 30 p.jmh_generated.Sort_X_jmhTest S 3 run S 10 Throughput E A 1 1 1 E E E
JMH S 99 p.Sort
";
const OLD: &str =
    "p.Sort===,===p.generated.Sort_fast===,===fast===,===Throughput===,===1====,===[]===,===[]\n";

/// A directory that looks like an unpacked JAR: a list, hints, and files for these classes.
fn place(list: &str, classes: &[&str]) -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(place.path().join("META-INF")).unwrap();
    std::fs::create_dir_all(place.path().join("p")).unwrap();
    std::fs::write(place.path().join(LIST), list).unwrap();
    for class in classes {
        std::fs::write(place.path().join(format!("{class}.class")), "").unwrap();
    }
    place
}

fn meant(place: &Path, rest: &str) -> Result<Workload, WorkloadError> {
    Workload::parse(&format!("jmh:{}{rest}", place.display()), Vec::new())
}

fn said(place: &Path, rest: &str) -> String {
    meant(place, rest).unwrap_err().to_string()
}

#[test]
fn words_are_taken_apart() {
    let of = |text| {
        let words = Words::of(text);
        (words.jars, words.regex, words.parameters)
    };
    assert_eq!(of("a.jar"), ("a.jar", "", vec![]));
    let (jars, regex, parameters) = of("a.jar:b.jar#Sort.*?run?size=1,2,mode=x=y?z=3,last=");
    assert_eq!((jars, regex), ("a.jar:b.jar", "Sort.*?run"));
    assert_eq!(parameters, ["size=1,2", "mode=x=y?z=3", "last="]);
    assert_eq!(of("#So?rt$").1, "So?rt$");
}

#[test]
fn one_benchmark_is_found_in_both_forms_of_the_list() {
    for list in [NEW, OLD] {
        let place = place(list, &["p/Sort", "p/Sort$X"]);
        let workload = meant(place.path(), "#p.Sort.fast?size=10").unwrap();
        assert_eq!(workload.kind, Kind::Jmh);
        assert_eq!(workload.target, "p.Sort.fast");
        assert_eq!(workload.arguments, ["size=10"]);
        assert_eq!(workload.class_path, [place.path()]);
        assert_eq!(workload.to_string(), "p.Sort.fast size=10");
    }
}

#[test]
fn a_nested_class_has_the_name_that_the_jvm_knows() {
    let place = place(NEW, &["p/Sort", "p/Sort$X"]);
    assert_eq!(
        meant(place.path(), "#X.run").unwrap().target,
        "p.Sort$X.run"
    );
}

#[test]
fn anything_but_one_benchmark_is_refused_with_what_there_is() {
    let place = place(NEW, &[]);
    let text = said(place.path(), "#fast");
    assert!(text.contains("'fast' matches 2 benchmarks"), "{text}");
    assert!(
        text.contains("#p.Sort.fast: p.Sort.fast, p.Sort.fastest2"),
        "{text}"
    );
    let text = said(place.path(), "#slow");
    let all = "there are p.Sort.fast, p.Sort.fastest2, p.Sort.X.run";
    assert!(text.contains(all), "{text}");
    assert!(said(place.path(), "").contains("' has 3 benchmarks; "));
    let text = said(place.path(), "#(");
    assert!(text.contains("'(' is no regular expression: "), "{text}");
    assert!(said(place.path(), "/none.jar#x").contains("no such file on the class path: "));
    let text = Workload::parse("jmh:#x", Vec::new()).unwrap_err();
    assert!(text.to_string().contains("jmh:JAR#REGEX"), "{text}");
}

#[test]
fn of_many_benchmarks_ten_are_named() {
    let line =
        |at: usize| format!("JMH S 6 p.Sort S 1 g S 3 b{at:02} S 10 Throughput E A 1 1 1 E\n");
    let place = place(&(0..12).map(line).collect::<String>(), &[]);
    let text = said(place.path(), "#b");
    assert!(text.contains("p.Sort.b09 and 2 more"), "{text}");
    assert!(!text.contains("p.Sort.b10"), "{text}");
}

#[test]
fn paths_are_looked_up_beside_the_file_that_names_them() {
    let place = place(OLD, &["p/Sort"]);
    let (above, name) = (place.path().parent().unwrap(), place.path().file_name());
    let name = name.unwrap().to_str().unwrap();
    let text = format!("jmh:{name}#fast");
    let workload = Workload::parse_in(above, &text, vec![name.into()]).unwrap();
    assert_eq!(workload.class_path, [Path::new(name), Path::new(name)]);
    let text = format!("jmh:{name}-none#fast");
    assert!(Workload::parse_in(above, &text, Vec::new()).is_err());
}

#[test]
fn what_the_compiler_is_to_inline_is_taken_over() {
    let place = place(OLD, &["p/Sort"]);
    let hints = "dontinline,*.*_all_jmhStub\ninline,p/Sort.fast\nprint,p/Sort.fast\ninline,a b\n";
    std::fs::write(place.path().join(HINTS), hints).unwrap();
    let options = meant(place.path(), "#fast").unwrap().jvm_options;
    assert_eq!(options[0], "-XX:CompileCommand=quiet");
    assert_eq!(
        options[1],
        "-XX:CompileCommand=dontinline,proofmark.jmh.Loop::run"
    );
    assert_eq!(
        options[COMPILE_COMMANDS.len()..],
        ["-XX:CompileCommand=inline,p/Sort.fast"]
    );
}
