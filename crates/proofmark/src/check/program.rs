//! Whether a program is there: looked up in files, without a JVM.

use std::path::Path;

use proofmark_classes::{ClassPath, Image, expand_manifests, expand_wildcards};
use proofmark_jvm::toolchain::{Settings, find_any_jdks, has_suite_program};
use proofmark_jvm::{Kind, Workload};
use proofmark_rewrite::{Summary, of_the_platform, of_the_program};

use crate::context::Refusal;
use crate::request::programs::Program;

/// Options with which a JVM finds classes elsewhere than on its class path.
const CLASSES_ELSEWHERE: [&str; 3] = [
    "-Xbootclasspath",
    "--patch-module",
    "-Djava.system.class.loader",
];

/// Refuses a program whose class path names what does not exist, or does not have its class.
///
/// # Errors
/// With what is missing.
pub fn check(workload: &Workload, settings: &Settings) -> Result<(), Refusal> {
    let mut entries = workload.class_path.iter();
    if let Some(missing) = entries.find(|path| !path.exists() && !path.ends_with("*")) {
        return Err(Refusal::Usage(format!(
            "no such file on the class path: {}",
            missing.display()
        )));
    }
    has_class(workload, settings)
}

/// The same for several programs, each named in its message.
///
/// # Errors
/// With the first program that is not there.
pub fn check_all(programs: &[Program], settings: &Settings) -> Result<(), Refusal> {
    programs
        .iter()
        .try_for_each(|program| check_named(&program.name, &program.workload, settings))
}

/// As [`check`], of a program with this name in results.
///
/// # Errors
/// With the name and what is missing.
pub fn check_named(name: &str, workload: &Workload, settings: &Settings) -> Result<(), Refusal> {
    check(workload, settings).map_err(|refusal| {
        let text = refusal.to_string();
        if text.contains(name) {
            return Refusal::Usage(text);
        }
        Refusal::Usage(format!("{name}: {text}"))
    })
}

/// Refuses a program whose class is nowhere. What is missing on a class path is the JVM's affair.
///
/// # Errors
/// With the class and the class path that was looked through.
pub fn has_class(workload: &Workload, settings: &Settings) -> Result<(), Refusal> {
    let class = class_of(workload)?;
    if workload.kind == Kind::Suite {
        return match has_suite_program(settings, class) {
            Some(false) => Err(cannot_load(class, "the suite has no such program".into())),
            _ => Ok(()),
        };
    }
    let own = workload.class_path.is_empty() && class.starts_with("proofmark.");
    if own || finds_classes_elsewhere(workload) {
        return Ok(());
    }
    let paths = expand_manifests(&expand_wildcards(&workload.class_path));
    // Whichever release the JDK has: a class for another one is there as well.
    let classes = ClassPath::open(&paths, u32::MAX);
    let internal = class.replace('.', "/");
    let found = classes.read(&internal).map(Found::File);
    match found.unwrap_or_else(|| in_a_jdk(&internal, settings)) {
        Found::File(bytes) => {
            let class = Summary::read(&bytes).ok();
            let fault = class.and_then(|class| unfit(workload, &class));
            fault.map_or(Ok(()), |why| Err(cannot_load(&workload.target, why)))
        }
        Found::Elsewhere => Ok(()),
        Found::Nowhere(place) => Err(cannot_load(class, missing(workload, place))),
    }
}

/// Whether options of its JVM let a program find classes elsewhere than on its class path.
pub fn finds_classes_elsewhere(workload: &Workload) -> bool {
    let elsewhere = |option: &String| CLASSES_ELSEWHERE.iter().any(|e| option.starts_with(e));
    workload.jvm_options.iter().any(elsewhere)
}

/// Where a class is that a program names.
enum Found {
    /// Its file.
    File(Vec<u8>),
    /// Only a JVM can tell.
    Elsewhere,
    /// Not where it ought to be: in these JDKs, or, where none is named, on the class path.
    Nowhere(Option<String>),
}

/// A class by its internal name in the JDKs that can be seen. What only one of them has may be meant.
fn in_a_jdk(class: &str, settings: &Settings) -> Found {
    if of_the_program(class) {
        return Found::Nowhere(None);
    }
    if !of_the_platform(class) {
        return Found::Elsewhere;
    }
    let seen = find_any_jdks(settings).into_iter().map(|jdk| jdk.home);
    let homes: Vec<_> = seen
        .filter(|home| home.join("lib/modules").exists())
        .collect();
    let images: Result<Vec<_>, _> = homes.iter().map(|home| Image::open(home)).collect();
    // An image that cannot be read might have it.
    let (Ok(images), Some(first)) = (images, homes.first()) else {
        return Found::Elsewhere;
    };
    let found = images.iter().find_map(|image| image.read(class));
    found.map_or_else(
        || Found::Nowhere(Some(jdks(first, homes.len()))),
        Found::File,
    )
}

/// What JDKs were looked through.
fn jdks(first: &Path, count: usize) -> String {
    match count {
        1 => first.display().to_string(),
        count => format!("{} and {} more", first.display(), count - 1),
    }
}

/// Why nothing of that name can be loaded.
fn missing(workload: &Workload, jdk: Option<String>) -> String {
    let paths = workload.class_path.iter();
    let names: Vec<String> = paths.map(|p| p.display().to_string()).collect();
    match (jdk, names.as_slice()) {
        (Some(jdk), _) => {
            format!("no such class in the JDK ({jdk}); look at its name and its package")
        }
        (None, []) => "there is no class path; give it with --class-path".to_owned(),
        (None, names) => format!(
            "no such class on the class path ({}); look at its name and its package, and whether -cp (--class-path) names the place where it is",
            listed(names)
        ),
    }
}

/// Why a class cannot be such a workload, as far as its own file says; what it inherits may be anything.
fn unfit(workload: &Workload, class: &Summary) -> Option<String> {
    let heir = class.parent.as_deref() != Some("java/lang/Object");
    match workload.kind {
        Kind::Main if !heir && class.descriptors("main").is_empty() => {
            Some("it has no main method; name the class that has one".to_owned())
        }
        Kind::Method => {
            let name = workload.target.rsplit_once('.')?.1;
            let all = class.descriptors(name);
            let plain = all.iter().find(|one| one.descriptor.starts_with("()"));
            match plain {
                Some(one) if one.is_static => None,
                Some(_) => Some(format!(
                    "{name}() is not static; make it so, or give runnable:CLASS"
                )),
                None if all.is_empty() => Some(format!("its class declares no method {name}")),
                None => Some(format!(
                    "{name} has parameters; name a static method without any that calls it"
                )),
            }
        }
        Kind::Jmh if class.is_abstract => {
            Some("it is abstract; name a class that extends it".to_owned())
        }
        Kind::Jmh => {
            let name = workload.target.rsplit_once('.')?.1;
            let missing = !heir && class.descriptors(name).is_empty();
            missing.then(|| {
                format!(
                    "its class declares no method {name}; if that is the name of a group (@Group), it needs several threads, and Proofmark runs a benchmark in one"
                )
            })
        }
        Kind::Runnable if class.is_abstract => {
            Some("it is abstract; name a class that can be made".to_owned())
        }
        Kind::Runnable
            if class
                .descriptors("<init>")
                .iter()
                .all(|one| one.descriptor != "()V") =>
        {
            Some("it has no constructor without parameters".to_owned())
        }
        Kind::Runnable if !heir && class.interfaces.is_empty() => {
            Some("it does not implement java.lang.Runnable".to_owned())
        }
        Kind::Suite | Kind::Main | Kind::Runnable => None,
    }
}

/// Entries of a class path; of many the first ones.
fn listed(names: &[String]) -> String {
    const LISTED: usize = 4;
    match names.len().saturating_sub(LISTED) {
        0 => names.join(":"),
        more => format!("{} and {more} more", names[..LISTED].join(":")),
    }
}

fn cannot_load(class: &str, why: String) -> Refusal {
    Refusal::Usage(format!("cannot load the workload {class}: {why}"))
}

fn class_of(workload: &Workload) -> Result<&str, Refusal> {
    if !matches!(workload.kind, Kind::Method | Kind::Jmh) {
        return Ok(&workload.target);
    }
    let class = workload.target.rsplit_once('.').map(|(class, _)| class);
    class.ok_or_else(|| {
        Refusal::Usage(format!(
            "'method:{}' names no class: write method:CLASS.METHOD",
            workload.target
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn workload(text: &str, class_path: &[&Path]) -> Workload {
        let paths = class_path.iter().map(|path| path.to_path_buf()).collect();
        Workload::parse(text, paths).unwrap()
    }

    fn answer(text: &str, class_path: &[&Path]) -> String {
        let workload = workload(text, class_path);
        check(&workload, &Settings::default()).map_or_else(|e| e.to_string(), |()| String::new())
    }

    fn jar(path: &Path, entries: &[(&str, &str)]) {
        let mut jar = zip::ZipWriter::new(std::fs::File::create(path).unwrap());
        for (name, text) in entries {
            jar.start_file(*name, zip::write::SimpleFileOptions::default())
                .unwrap();
            jar.write_all(text.as_bytes()).unwrap();
        }
        jar.finish().unwrap();
    }

    #[test]
    fn classes_are_found_in_directories_jars_wildcards_and_manifests() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        std::fs::create_dir_all(at("classes/p")).unwrap();
        std::fs::create_dir(at("lib")).unwrap();
        std::fs::write(at("classes/p/A.class"), "").unwrap();
        jar(
            &at("lib/b.jar"),
            &[("p/B.class", ""), ("META-INF/versions/21/p/C.class", "")],
        );
        let manifest = "Manifest-Version: 1.0\nClass-Path: lib/b.jar\nMulti-Release: true\n\n";
        jar(&at("app.jar"), &[("META-INF/MANIFEST.MF", manifest)]);
        let (classes, star, app) = (at("classes"), at("lib/*"), at("app.jar"));
        for (text, path) in [
            ("class:p.A", &classes),
            ("runnable:p.A", &classes),
            ("method:p.A.run", &classes),
            ("class:p.B", &star),
            ("class:p.B", &app),
        ] {
            assert_eq!(answer(text, &[path]), "", "{text}");
        }
        let text = answer("class:p.B", &[&classes]);
        assert!(
            text.contains("cannot load the workload p.B: no such class on the class path"),
            "{text}"
        );
        assert!(answer("class:A", &[&classes]).contains("look at its name and its package"));
        assert!(answer("method:p.B.run", &[&classes]).contains("workload p.B:"));
    }

    #[test]
    fn what_a_jvm_finds_elsewhere_is_left_to_it() {
        let place = tempfile::tempdir().unwrap();
        assert_eq!(
            answer("class:com.sun.tools.javac.Main", &[place.path()]),
            ""
        );
        assert_eq!(answer("class:proofmark.suite.Repeat", &[]), "");
        assert!(answer("class:Main", &[]).contains("--class-path"));
        assert_eq!(answer("class:java.lang.Strin", &[]), "", "no JDK to ask");
        let mut patched = workload("class:Main", &[place.path()]);
        patched.jvm_options = vec!["-Xbootclasspath/a:x.jar".into()];
        assert!(check(&patched, &Settings::default()).is_ok());
    }

    #[test]
    fn of_a_long_class_path_the_first_entries_are_named() {
        let names = |count: usize| (0..count).map(|at| at.to_string()).collect::<Vec<_>>();
        assert_eq!(listed(&names(4)), "0:1:2:3");
        assert_eq!(listed(&names(200)), "0:1:2:3 and 196 more");
    }

    #[test]
    fn programs_of_the_suite_exist() {
        assert_eq!(answer("suite:Queens", &[]), "");
        assert_eq!(answer("suite:trouble.Throws", &[]), "");
        let text = answer("suite:trouble.Nothing", &[]);
        let message = "cannot load the workload proofmark.suite.trouble.Nothing";
        assert!(text.contains(message), "{text}");
        assert!(answer("method:run", &[]).contains("write method:CLASS.METHOD"));
    }
}
