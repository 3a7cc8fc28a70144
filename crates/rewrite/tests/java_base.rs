//! The JDK's own classes with sites.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::bench::{Bench, USUAL, at_all, javac, names_in};
use crate::common::{jdks, text};
use proofmark_rewrite::{FIELDS_CLASS, insert_sites};
use proofmark_test_support::{Need, skip};

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
    std::thread::scope(|scope| {
        for jdk in jdks() {
            scope.spawn(move || java_base_takes_sites(&jdk));
        }
    });
}

fn java_base_takes_sites(jdk: &Path) {
    let tool = jdk.join("bin/jimage");
    let place = Bench::new();
    let extracted = place.path("extracted");
    let status = Command::new(&tool)
        .args(["extract", "--include", "regex:/java.base/.*class", "--dir"])
        .arg(&extracted)
        .arg(jdk.join("lib/modules"))
        .status();
    if !status.is_ok_and(|status| status.success()) {
        skip(Need::Jvm, format!("{} does not run", tool.display()));
        return;
    }
    // While it starts, a JVM crashes if such a class links another one.
    let started = loaded_at_start(jdk);
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
            let sited = insert_sites(&bytes, &at_all(&names, USUAL), None).expect("sites");
            let inside = path
                .strip_prefix(extracted.join("java.base"))
                .expect("inside");
            placed += sited.placed.len();
            for one in sited.refused {
                *refused.entry(one.reason.to_string()).or_insert(0) += 1;
            }
            let early = started.contains(&inside.with_extension("").display().to_string());
            if let Some(bytes) = sited.bytes.filter(|_| !early) {
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
    javac(jdk, &["--release", "17"], &[all], &classes);
    let said = place.java(jdk, &classes, &["LoadAll", "java.base"]);
    assert!(said.contains(" classes linked, 0 refused"), "{said}");
    assert!(
        place
            .path("patch")
            .join(FIELDS_CLASS)
            .with_extension("class")
            .exists()
    );
}
