//! Whether methods that the user names can be there: looked up in class files, without a JVM.

use std::collections::BTreeSet;

use proofmark_classes::{ClassPath, expand_manifests, expand_wildcards};
use proofmark_jvm::{Workload, nearest};
use proofmark_report::clean;
use proofmark_rewrite::Summary;

use super::program::finds_classes_elsewhere;
use crate::context::Refusal;

/// Refuses methods whose names are badly written, those that run once, and those whose class is on the program's class path without them. A class
/// that is not there is left to the JVM.
///
/// # Errors
/// With the first of them and what to write.
pub fn check(named: &[String], workload: &Workload) -> Result<(), Refusal> {
    named.iter().try_for_each(|name| well_written(name))?;
    named.iter().try_for_each(|name| repeated(name))?;
    if named.is_empty() || finds_classes_elsewhere(workload) {
        return Ok(());
    }
    let paths = expand_manifests(&expand_wildcards(&workload.class_path));
    // A JAR may have a class twice: for every release of Java, and for new ones.
    let versions = [0, u32::MAX].map(|release| ClassPath::open(&paths, release));
    named.iter().try_for_each(|name| declared(name, &versions))
}

/// A class with its packages and a method: no descriptor, no parameters, no other sign between class and method.
fn well_written(name: &str) -> Result<(), Refusal> {
    let strange = |sign: char| sign.is_whitespace() || "/#:(),;".contains(sign);
    let parts = name.rsplit_once('.');
    let missing = parts.is_none_or(|(class, method)| class.is_empty() || method.is_empty());
    if missing || name.contains(strange) {
        let name = clean(name);
        return Err(Refusal::Usage(format!(
            "--method {name}: write the class with its packages and the method, such as com.acme.Main.run"
        )));
    }
    Ok(())
}

/// Refuses the method that the JVM calls to initialise a class: a dose in it would be added once.
fn repeated(name: &str) -> Result<(), Refusal> {
    if !name.ends_with(".<clinit>") {
        return Ok(());
    }
    let name = clean(name);
    Err(Refusal::Usage(format!(
        "--method {name}: it runs once, when the class is initialised, so that no dose in it is repeated; name a method that runs again and again"
    )))
}

/// Refuses a method that is missing in all versions of its class.
fn declared(name: &str, versions: &[ClassPath]) -> Result<(), Refusal> {
    let faults = versions.iter().map(|classes| fault(name, classes));
    let faults: Option<Vec<String>> = faults.collect();
    match faults.and_then(|mut all| all.pop()) {
        Some(why) => {
            let text = clean(&format!("--method {name}: {why}"));
            Err(Refusal::Usage(text))
        }
        None => Ok(()),
    }
}

/// Why there is no such method, and what to write; none if there is one, or if only the JVM can tell.
fn fault(name: &str, classes: &ClassPath) -> Option<String> {
    let (class, method) = name.rsplit_once('.')?;
    let own = read(classes, &class.replace('.', "/"))?;
    if !own.descriptors(method).is_empty() {
        return None;
    }
    let remedy = match holder(&own, method, classes) {
        Holder::Unknown => return None,
        Holder::Class(above) => format!("it inherits it from {above}: write {above}.{method}"),
        Holder::Nobody => meant(class, method, &own),
    };
    Some(format!("{class} declares no method {method}; {remedy}"))
}

/// The method of a class that a misspelt name is nearest to, as a question; if none is near, where to look.
fn meant(class: &str, method: &str, own: &Summary) -> String {
    let names = own.method_names();
    // Constructors and initializers are seldom meant.
    let plain = names.iter().map(String::as_str);
    let plain = plain.filter(|name| !name.starts_with('<'));
    match nearest(method, plain) {
        Some(near) => format!("did you mean {class}.{near}?"),
        None => "look at its name, or name the class or interface that declares it".to_owned(),
    }
}

/// Which superclass declares a method.
enum Holder {
    /// This one.
    Class(String),
    /// None below `java.lang.Object`.
    Nobody,
    /// Not all of them are on the class path.
    Unknown,
}

/// The nearest superclass that declares a method.
fn holder(class: &Summary, method: &str, classes: &ClassPath) -> Holder {
    let mut seen = BTreeSet::new();
    let mut parent = class.parent.clone();
    while let Some(name) = parent.filter(|name| name != "java/lang/Object") {
        // A damaged file may name a class as its own superclass.
        let first = seen.insert(name.clone());
        let Some(above) = read(classes, &name).filter(|_| first) else {
            return Holder::Unknown;
        };
        if !above.descriptors(method).is_empty() {
            return Holder::Class(name.replace('/', "."));
        }
        parent = above.parent;
    }
    Holder::Nobody
}

/// A class by its internal name; none if it is not on the class path, or no class file.
fn read(classes: &ClassPath, class: &str) -> Option<Summary> {
    Summary::read(&classes.read(class)?).ok()
}
