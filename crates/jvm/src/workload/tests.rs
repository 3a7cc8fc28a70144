//! Programs on the command line.

use super::*;

fn command(text: &str) -> Result<Workload, WorkloadError> {
    let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let manifest = JarManifest {
        main_class: "from.Manifest".into(),
        options: vec!["--add-opens=java.base/java.lang=ALL-UNNAMED".into()],
    };
    Workload::from_command(&words, |_| Ok(manifest.clone()))
}

#[test]
fn an_empty_entry_of_a_class_path_is_the_current_directory() {
    let w = command("java -cp a.jar: Main").unwrap();
    assert_eq!(w.class_path, [PathBuf::from("a.jar"), PathBuf::from(".")]);
}

#[test]
fn a_java_command_is_taken_apart() {
    let w =
        command("/opt/jdk/bin/java -Xmx2g -Dx=y --add-opens java.base/java.lang=ALL-UNNAMED -cp a.jar:b com.acme.Main -v in").unwrap();
    assert_eq!((w.target.as_str(), w.kind), ("com.acme.Main", Kind::Main));
    assert_eq!(w.arguments, ["-v", "in"]);
    assert_eq!(
        w.jvm_options,
        ["-Dx=y", "--add-opens", "java.base/java.lang=ALL-UNNAMED"]
    );
    assert_eq!(w.class_path, [PathBuf::from("a.jar"), PathBuf::from("b")]);
}

#[test]
fn a_class_path_has_several_forms() {
    let w = command("java --class-path=a.jar:b Main").unwrap();
    assert_eq!(w.class_path, [PathBuf::from("a.jar"), PathBuf::from("b")]);
    // Without any it is what java takes, never the bundled suite.
    assert!(!command("java Main").unwrap().class_path.is_empty());
    let w = command("java --patch-module java.base=x -cp y Main").unwrap();
    assert_eq!((w.target.as_str(), w.class_path.len()), ("Main", 1));
}

#[test]
fn options_that_the_laboratory_sets_are_kept_for_the_message() {
    let w = command("java -Xmx2g -XX:+UseG1GC -Dx=y -Xint -cp a Main").unwrap();
    assert_eq!(w.left_out, ["-Xmx2g", "-XX:+UseG1GC", "-Xint"]);
    assert_eq!(w.jvm_options, ["-Dx=y"]);
}

#[test]
fn a_jar_names_its_class() {
    let w = command("java -Dx=y -jar app.jar -x").unwrap();
    assert_eq!((w.target.as_str(), w.arguments.len()), ("from.Manifest", 1));
    assert_eq!(
        w.jvm_options,
        ["-Dx=y", "--add-opens=java.base/java.lang=ALL-UNNAMED"]
    );
    assert_eq!(w.class_path, [PathBuf::from("app.jar")]);
}

#[test]
fn what_cannot_be_run_is_refused() {
    assert!(matches!(
        command("python x.py"),
        Err(WorkloadError::NotJava(_))
    ));
    assert!(matches!(command("java -cp x"), Err(WorkloadError::NoClass)));
    assert!(matches!(
        command("java -m a/b"),
        Err(WorkloadError::Unsupported(_))
    ));
    for words in [
        "java @options Main",
        "java Main.java",
        "java --module-path=mods --module=a/b",
        "java --source 25 Main.java",
        "java -javaagent:x.jar Main",
    ] {
        assert!(
            matches!(command(words), Err(WorkloadError::Unsupported(_))),
            "{words}"
        );
    }
    for (words, modular) in [
        ("java -m a/b", true),
        ("java -p mods Main", true),
        ("java --module-path=mods --module=a/b", true),
        ("java --source 25 Main.java", false),
        ("java -javaagent:x.jar Main", false),
    ] {
        let said = command(words).unwrap_err().to_string();
        let on_class_path = said.contains("put their JARs and directories on -cp");
        assert_eq!(on_class_path, modular, "{words}: {said}");
    }
    for agent in ["-javaagent:x.jar=a", "-agentlib:jdwp", "-agentpath:/x.so"] {
        let said = command(&format!("java {agent} Main")).unwrap_err();
        let remedy = format!("run without the agent: leave {agent} out");
        assert!(said.to_string().ends_with(&remedy), "{said}");
    }
    assert!(Workload::parse("suite:Nothing", vec![]).is_err());
    let bare = Workload::parse("queens", vec![]).unwrap_err().to_string();
    assert!(bare.contains("use suite:Queens, class:CLASS"), "{bare}");
    for (text, meant) in [
        ("suite:Quens", "suite:Queens"),
        ("Quens", "suite:Queens"),
        ("sute:Queens", "suite:Queens"),
        ("clas:com.acme.Main", "class:com.acme.Main"),
    ] {
        let said = Workload::parse(text, vec![]).unwrap_err().to_string();
        assert!(said.contains(&format!("(did you mean {meant}?)")), "{said}");
    }
    for text in ["com.acme.Main", "x:Queens", "suite:Nothing"] {
        let said = Workload::parse(text, vec![]).unwrap_err().to_string();
        assert!(!said.contains("did you mean"), "{said}");
    }
    assert_eq!(
        Workload::parse("suite:Queens", vec![]).unwrap().target,
        "proofmark.suite.Queens"
    );
}
