//! Calls that would end the JVM, in methods that take no site.

use std::fs;
use std::path::Path;

use crate::common::bench::{Bench, everywhere, javac};
use crate::common::jdks;
use proofmark_rewrite::{Place, Site, Sited, insert_sites};

/// The harness's class, as the program calls it.
const EXITS: &str = "proofmark/harness/Exit";

/// Prints what the program wanted to end with.
const EXIT: &str = "package proofmark.harness;
public class Exit {
    public static void exit(int status) { System.out.println(\"asked for \" + status); }
}
";

/// A method that is compiled as it is, and too long with a site. Each of its statements has eight bytes.
fn long_source() -> String {
    let mut source = String::from("public class Leaves {\n static int many(int x) {\n");
    for number in 0..996 {
        source += &format!("x += x * {};\n", 1000 + number);
    }
    source += "System.exit(7); return x; }\n";
    source += " public static void main(String[] a) { many(a.length); System.out.println(\"went on\"); }\n}\n";
    source
}

/// Compiles sources, names and texts, into a directory.
fn compiled(jdk: &Path, place: &Path, sources: &[(&str, &str)]) {
    let paths = sources.iter().map(|(name, source)| {
        let file = place.join(name);
        fs::write(&file, source).expect("a writable file");
        file.display().to_string()
    });
    let paths: Vec<String> = paths.collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    javac(jdk, &["--release", "17"], &paths, place);
}

/// A site at the entry of the long method.
fn entered(bytes: &[u8], exits: Option<&str>) -> Sited {
    let wanted: Vec<Site> = everywhere(&["many"])
        .into_iter()
        .filter(|site| site.place == Place::Entry)
        .collect();
    insert_sites(bytes, &wanted, exits).expect("sites")
}

#[test]
fn a_method_without_room_for_a_site_still_does_not_end_the_jvm() {
    for jdk in jdks() {
        let place = Bench::new();
        let classes = place.path("classes");
        fs::create_dir_all(&classes).expect("a directory");
        let long = long_source();
        let sources = [("Exit.java", EXIT), ("Leaves.java", long.as_str())];
        compiled(&jdk, &classes, &sources);
        let file = classes.join("Leaves.class");
        let bytes = fs::read(&file).expect("a class");
        assert!(entered(&bytes, None).bytes.is_none());
        let sited = entered(&bytes, Some(EXITS));
        assert_eq!((sited.placed.len(), sited.refused.len()), (0, 1));
        let reason = sited.refused[0].reason.to_string();
        assert!(reason.contains("8,000 bytes"), "{reason}");
        fs::write(&file, sited.bytes.expect("a change")).expect("a writable file");
        let said = place.java(&jdk, &classes, &["Leaves"]);
        assert_eq!(said, "asked for 7\nwent on\n", "{}", jdk.display());
    }
}
