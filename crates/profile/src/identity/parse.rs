//! Reads a Java method in whatever way a tool writes it.

use super::decoration::{strip_annotation, strip_surroundings};
use super::{MethodId, class_name, descriptor};

/// `[result] class.name[(parameters)[result]]`, decorated or not.
pub(super) fn java(text: &str) -> Option<MethodId> {
    let (text, _) = strip_annotation(strip_surroundings(text));
    let (head, signature) = match text.find('(') {
        Some(open) => (&text[..open], Some(&text[open..])),
        None => (text, None),
    };
    let (result, qualified) = match head.rsplit_once(char::is_whitespace) {
        Some((result, qualified)) => (Some(result), qualified),
        None => (None, head),
    };
    if result.is_some() && signature.is_none() {
        return None;
    }
    let (class, name) = split_class(qualified)?;
    let descriptor = match signature {
        Some(signature) => Some(read_signature(signature, result)?),
        None => None,
    };
    let class = class_name::normalise(class);
    (is_class(&class) && is_name(name)).then(|| MethodId {
        class,
        name: name.to_owned(),
        descriptor,
    })
}

fn split_class(qualified: &str) -> Option<(&str, &str)> {
    if let Some((class, name)) = qualified.strip_prefix('L').and_then(|q| q.split_once(';')) {
        return Some((class, name.trim_start_matches("::").trim_start_matches('.')));
    }
    qualified
        .rsplit_once("::")
        .or_else(|| qualified.rsplit_once('.'))
}

/// JVM spelling first: `(I)` could also mean a class called `I`, but hardly ever does.
fn read_signature(signature: &str, result: Option<&str>) -> Option<String> {
    if let (Some(descriptor), None) = (descriptor::from_jvm(signature), result) {
        return Some(descriptor);
    }
    let (parameters, after) = signature.strip_prefix('(')?.rsplit_once(')')?;
    let after = after.trim().trim_start_matches(':').trim();
    let result = result.or((!after.is_empty()).then_some(after));
    descriptor::from_source(parameters, result)
}

/// Class names of the JVM may hold almost anything; what is refused here is what C++ symbols and tools' own words
/// have and Java's names have not.
fn is_class(class: &str) -> bool {
    let starts_well = class
        .split('.')
        .all(|part| part.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$'));
    starts_well && !class.contains(['<', '>', ':', '[', ']', '@', '*', '&', '~', ',', ' '])
}

fn is_name(name: &str) -> bool {
    if matches!(name, "<init>" | "<clinit>") {
        return true;
    }
    let starts_well = name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$');
    starts_well
        && !name.contains([
            '<', '>', ':', '[', ']', '@', '*', '&', '~', ',', ' ', '/', ';', '=',
        ])
}
