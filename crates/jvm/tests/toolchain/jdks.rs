//! Which JDK is chosen, and what is said when none will do.

use std::os::unix::fs::symlink;

use proofmark_jvm::toolchain::{Settings, find_any_jdks, find_jdk};

use super::support::{fake_jdk, real_jdk, script, settings_with_cache, write};

const STARTS: &str = "exit 0";

#[test]
fn the_jdk_of_this_machine_is_found() {
    let cache = tempfile::tempdir().unwrap();
    let settings = settings_with_cache(cache.path());
    let Some(jdk) = real_jdk(&settings) else {
        return;
    };
    assert_eq!(jdk.version.feature(), 25);
    assert!(jdk.java().is_file() && jdk.home.is_absolute());
    assert!(
        find_any_jdks(&settings)
            .iter()
            .any(|seen| seen.home == jdk.home && seen.problem.is_none())
    );
    assert_eq!(
        find_jdk(&settings).unwrap(),
        jdk,
        "the remembered answer differs"
    );
}

#[test]
fn order_is_named_then_java_home_then_path_then_newest_of_the_usual_places() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name).canonicalize().unwrap();
    for name in ["named", "home", "path", "jvm/old", "jvm/new"] {
        fake_jdk(
            &place.path().join(name),
            if name == "jvm/old" {
                "25.0.1"
            } else {
                "25.0.2"
            },
            STARTS,
        );
    }
    let links = place.path().join("links");
    std::fs::create_dir(&links).unwrap();
    symlink(at("path").join("bin/java"), links.join("java")).unwrap();
    let mut settings = Settings {
        jdk: Some(at("named")),
        java_home: Some(at("home")),
        path: Some(links.into()),
        jdk_places: vec![at("jvm")],
        ..Settings::default()
    };
    let found = |settings: &Settings| find_jdk(settings).unwrap().home;
    assert_eq!(found(&settings), at("named"));
    settings.jdk = None;
    assert_eq!(found(&settings), at("home"));
    settings.java_home = None;
    assert_eq!(found(&settings), at("path"));
    settings.path = None;
    assert_eq!(found(&settings), at("jvm/new"));
    assert_eq!(find_any_jdks(&settings).len(), 2);
}

#[test]
fn every_unfit_jdk_is_named_with_its_reason() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    fake_jdk(&at("17"), "17.0.15", STARTS);
    fake_jdk(&at("26"), "26", STARTS);
    fake_jdk(&at("jre"), "25.0.3", STARTS);
    std::fs::remove_file(at("jre/bin/javac")).unwrap();
    fake_jdk(&at("nojvmci"), "25.0.3", STARTS);
    write(
        &at("nojvmci/release"),
        "JAVA_VERSION=\"25.0.3\"\nMODULES=\"java.base\"\n",
    );
    fake_jdk(
        &at("refuses"),
        "25.0.3",
        "echo Unrecognized VM option; exit 1",
    );
    fake_jdk(&at("graalvm"), "25.0.3", STARTS);
    write(
        &at("graalvm/release"),
        "JAVA_VERSION=\"25.0.3\"\nGRAALVM_VERSION=\"25.0.3\"\n",
    );
    script(&at("silent/bin/java"), "exit 1");
    write(&at("no-jdk/readme"), "");
    let settings = Settings {
        jdk_places: vec![place.path().to_owned()],
        ..Settings::default()
    };
    let text = find_jdk(&settings).unwrap_err().to_string();
    for expected in [
        "17.0.15 (Acme)",
        "it is Java 17, not 25",
        "it is Java 26, not 25",
        "it has no bin/javac",
        "lacks the module jdk.internal.vm.ci",
        "it does not start with JVMCI: Unrecognized VM option",
        "a GraalVM with a compiler of its own",
        "its version cannot be read",
        "remedy: install a JDK 25",
        "PROOFMARK_JDK",
    ] {
        assert!(text.contains(expected), "{expected:?} is not in:\n{text}");
    }
    assert_eq!(text.lines().count(), 9, "{text}");
}

#[test]
fn a_named_jdk_is_not_replaced_by_another() {
    let place = tempfile::tempdir().unwrap();
    fake_jdk(&place.path().join("17"), "17.0.15", STARTS);
    let mut settings = Settings::from_env();
    for (name, problem) in [
        ("17", "it is Java 17, not 25"),
        ("nothing", "there is no bin/java in it"),
    ] {
        settings.jdk = Some(place.path().join(name));
        let text = find_jdk(&settings).unwrap_err().to_string();
        assert!(text.contains(problem) && text.contains("remedy"), "{text}");
    }
}

#[test]
fn a_jdk_without_release_file_is_asked() {
    let place = tempfile::tempdir().unwrap();
    let home = place.path().join("odd");
    fake_jdk(
        &home,
        "25.0.3",
        "case $1 in -XshowSettings*) echo '    java.version = 25.0.2'; esac",
    );
    std::fs::remove_file(home.join("release")).unwrap();
    let settings = Settings {
        jdk: Some(home),
        ..Settings::default()
    };
    assert_eq!(find_jdk(&settings).unwrap().version.to_string(), "25.0.2");
}
