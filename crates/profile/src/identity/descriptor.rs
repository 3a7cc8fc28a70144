//! Method descriptors in every spelling become the JVM's.

/// A JVM descriptor, checked; the result may be missing. async-profiler's collapsed output has `|` in place of `;`, and dots are accepted for
/// slashes. `None` if it is not one.
pub(super) fn from_jvm(text: &str) -> Option<String> {
    let text = text.replace('|', ";").replace('.', "/");
    let (parameters, result) = text.strip_prefix('(')?.split_once(')')?;
    let mut rest = parameters;
    while !rest.is_empty() {
        rest = &rest[type_len(rest)?..];
    }
    let result_fits = matches!(result, "" | "V") || type_len(result) == Some(result.len());
    result_fits.then_some(text)
}

/// Length of the type at the front of `text`.
fn type_len(text: &str) -> Option<usize> {
    let dimensions = text.bytes().take_while(|&b| b == b'[').count();
    match text.as_bytes().get(dimensions)? {
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => Some(dimensions + 1),
        b'L' => text[dimensions..]
            .find(';')
            .filter(|&end| end > 1)
            .map(|end| dimensions + end + 1),
        _ => None,
    }
}

/// A descriptor from Java source types: `int, java.lang.String[]`, and the return type where it is known.
pub(super) fn from_source(parameters: &str, result: Option<&str>) -> Option<String> {
    let mut descriptor = String::from("(");
    for parameter in split_parameters(parameters) {
        push_type(&mut descriptor, parameter)?;
    }
    descriptor.push(')');
    match result.map(str::trim) {
        Some("void") => descriptor.push('V'),
        Some(result) => push_type(&mut descriptor, result)?,
        None => {}
    }
    Some(descriptor)
}

/// Splits at commas that are not inside `<...>`.
fn split_parameters(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    if text.trim().is_empty() {
        Vec::new()
    } else {
        parts
    }
}

/// Appends one Java source type; a parameter name after it is ignored.
fn push_type(descriptor: &mut String, source: &str) -> Option<()> {
    let source = source.trim().trim_start_matches("final ");
    let erased = source.split('<').next()?.trim();
    let dimensions = source.matches("[]").count() + usize::from(source.ends_with("..."));
    let name = erased
        .split_whitespace()
        .next()?
        .trim_end_matches("...")
        .trim_end_matches("[]");
    let variable = erased.split_whitespace().nth(1).unwrap_or("x");
    if name == "unsigned" || !is_type_name(name) || !is_type_name(variable) {
        return None;
    }
    descriptor.extend(std::iter::repeat_n('[', dimensions));
    match primitive(name) {
        Some(letter) => descriptor.push(letter),
        None => {
            descriptor.push('L');
            descriptor.push_str(&super::class_name::normalise(name).replace('.', "/"));
            descriptor.push(';');
        }
    }
    Some(())
}

fn is_type_name(name: &str) -> bool {
    let starts_well = name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$');
    starts_well && !name.contains(['*', '&', ':', '(', ')', ';', '['])
}

fn primitive(name: &str) -> Option<char> {
    Some(match name {
        "boolean" => 'Z',
        "byte" => 'B',
        "char" => 'C',
        "double" => 'D',
        "float" => 'F',
        "int" => 'I',
        "long" => 'J',
        "short" => 'S',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jvm_spellings() {
        assert_eq!(
            from_jvm("([Ljava/lang/String|)V").as_deref(),
            Some("([Ljava/lang/String;)V")
        );
        assert_eq!(
            from_jvm("(IJ[[Z)Ljava.util.List;").as_deref(),
            Some("(IJ[[Z)Ljava/util/List;")
        );
        for wrong in ["(int)", "(Q)V", "I", "(L;)V", "(I)VV"] {
            assert_eq!(from_jvm(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn source_spellings() {
        let list = from_source("int, java.util.Map<K, V[]>, String...", Some("long[]"));
        assert_eq!(
            list.as_deref(),
            Some("(I[Ljava/util/Map;[LString;)[J"),
            "generic arrays count as one dimension"
        );
        assert_eq!(from_source("", Some("void")).as_deref(), Some("()V"));
        assert_eq!(from_source("unsigned char*", None), None);
    }
}
