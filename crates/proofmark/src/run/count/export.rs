//! A profile of counted bytecodes into a file.

use std::path::Path;

use proofmark_profile::{CountFile, Filter};

use crate::output::write_file;
use crate::request::Form;

/// The form that was asked for, or the one that the file's name says.
pub(super) fn form(asked: Option<Form>, path: &Path) -> Form {
    let by_name = || match path.extension().and_then(|end| end.to_str()) {
        Some("collapsed" | "folded" | "txt") => Form::Collapsed,
        Some("pprof" | "pb") => Form::Pprof,
        Some("json") => Form::Json,
        _ => Form::Count,
    };
    asked.unwrap_or_else(by_name)
}

/// Writes the profile: all of it or nothing.
pub(super) fn write(file: &CountFile, path: &Path, asked: Option<Form>) -> anyhow::Result<()> {
    let bytes = match form(asked, path) {
        Form::Count => file.to_text().into_bytes(),
        Form::Collapsed => file.to_profile()?.to_collapsed().into_bytes(),
        Form::Pprof => file.to_profile()?.to_pprof(),
        Form::Json => {
            let json = file.to_profile()?.summary(&Filter::default());
            (serde_json::to_string_pretty(&json)? + "\n").into_bytes()
        }
    };
    Ok(write_file(path, &bytes)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_decides_unless_a_form_is_asked_for() {
        let of = |name| form(None, Path::new(name));
        assert_eq!(of("a.collapsed"), Form::Collapsed);
        assert_eq!(of("a.pb"), Form::Pprof);
        assert_eq!(
            (of("a.json"), of("a.count"), of("a")),
            (Form::Json, Form::Count, Form::Count)
        );
        assert_eq!(form(Some(Form::Pprof), Path::new("a.json")), Form::Pprof);
    }
}
