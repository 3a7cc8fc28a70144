//! Which part of a path is the program, the profiler, the run.

use std::collections::HashSet;
use std::fmt;
use std::path::Path;

/// What a path says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grouped {
    /// Text at `{program}`.
    pub program: Option<String>,
    /// Text at `{profiler}`.
    pub profiler: Option<String>,
    /// Text at `{run}`.
    pub run: Option<String>,
}

/// A pattern such as `{program}/{profiler}-{run}.jfr`, matched with the last components of a path.
#[derive(Debug, Clone)]
pub struct Pattern {
    text: String,
    components: Vec<Vec<Part>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Program,
    Profiler,
    Run,
    Anything,
}

#[derive(Debug, Clone)]
enum Part {
    Literal(String),
    Field(Field),
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// A sentence, if it has an unknown field or names neither program nor profiler.
    pub fn parse(text: &str) -> Result<Self, String> {
        let components = text.split('/').filter(|c| !c.is_empty());
        let components: Vec<Vec<Part>> = components.map(parts).collect::<Result<_, _>>()?;
        let mut named = components.iter().flatten();
        if !named.any(|p| matches!(p, Part::Field(Field::Program | Field::Profiler))) {
            return Err(format!(
                "--group-by {text} names neither {{program}} nor {{profiler}}; for example '{{program}}/{{profiler}}-{{run}}.jfr'"
            ));
        }
        Ok(Self {
            text: text.to_owned(),
            components,
        })
    }

    /// What the last components of the path say; none if they do not fit.
    pub fn fields(&self, path: &Path) -> Option<Grouped> {
        let names: Vec<String> = path
            .components()
            .map(|c| c.as_os_str().to_string_lossy().into_owned())
            .collect();
        let from = names.len().checked_sub(self.components.len())?;
        let mut grouped = Grouped::default();
        for (name, parts) in names[from..].iter().zip(&self.components) {
            for (field, text) in fit(name, parts, &mut HashSet::new())? {
                match field {
                    Field::Program => grouped.program = Some(text),
                    Field::Profiler => grouped.profiler = Some(text),
                    Field::Run => grouped.run = Some(text),
                    Field::Anything => {}
                }
            }
        }
        Some(grouped)
    }
}

fn parts(component: &str) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut rest = component;
    while !rest.is_empty() {
        let known = [
            ("{program}", Field::Program),
            ("{profiler}", Field::Profiler),
            ("{run}", Field::Run),
            ("*", Field::Anything),
        ];
        let here = known.iter().find(|(name, _)| rest.starts_with(name));
        if let Some((name, field)) = here {
            parts.push(Part::Field(*field));
            rest = &rest[name.len()..];
            continue;
        }
        if rest.starts_with('{') {
            return Err(format!(
                "{component}: fields are {{program}}, {{profiler}}, {{run}} and *"
            ));
        }
        let end = rest.find(['{', '*']).unwrap_or(rest.len());
        parts.push(Part::Literal(rest[..end].to_owned()));
        rest = &rest[end..];
    }
    Ok(parts)
}

/// Text of every field; fields are as short as they can be, one character at least. `failed` has the lengths of rests
/// of text and parts that do not fit, so that none is tried twice.
fn fit(
    text: &str,
    parts: &[Part],
    failed: &mut HashSet<(usize, usize)>,
) -> Option<Vec<(Field, String)>> {
    let Some((first, rest)) = parts.split_first() else {
        return text.is_empty().then(Vec::new);
    };
    if failed.contains(&(text.len(), parts.len())) {
        return None;
    }
    let found = match first {
        Part::Literal(literal) => {
            let rest_of_text = text.strip_prefix(literal.as_str());
            rest_of_text.and_then(|text| fit(text, rest, failed))
        }
        Part::Field(field) => {
            let mut ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
            ends.find_map(|end| {
                let mut found = fit(&text[end..], rest, failed)?;
                found.insert(0, (*field, text[..end].to_owned()));
                Some(found)
            })
        }
    };
    if found.is_none() {
        failed.insert((text.len(), parts.len()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(pattern: &str, path: &str) -> Option<(String, String)> {
        let grouped = Pattern::parse(pattern).unwrap().fields(Path::new(path))?;
        Some((
            grouped.program.unwrap_or_default(),
            grouped.profiler.unwrap_or_default(),
        ))
    }

    #[test]
    fn paths_and_names() {
        let both = Some(("Queens".to_owned(), "jfr+nonsafepoints".to_owned()));
        assert_eq!(
            fields(
                "{program}/{profiler}/*",
                "/a/b/Queens/jfr+nonsafepoints/7.jfr"
            ),
            both
        );
        assert_eq!(
            fields(
                "{profiler}_{program}-{run}.jfr",
                "x/jfr+nonsafepoints_Queens-12.jfr"
            ),
            both
        );
        assert_eq!(
            fields(
                "{profiler}_{program}-{run}.jfr",
                "x/jfr+nonsafepoints_Queens.jfr"
            ),
            None
        );
        assert_eq!(fields("{program}/{profiler}/*", "Queens"), None);
        let program = |name: &str| Some((name.to_owned(), String::new()));
        assert_eq!(fields("{program}.hpl", "a-b.hpl"), program("a-b"));
        assert_eq!(
            fields("{program}-{run}.hpl", "a-b-3.hpl"),
            program("a"),
            "fields are as short as they can be"
        );
    }

    #[test]
    fn the_run_is_kept() {
        let run = |pattern: &str| {
            let path = Path::new("Queens/async-12.jfr");
            let grouped = Pattern::parse(pattern).unwrap().fields(path).unwrap();
            (grouped.profiler, grouped.run)
        };
        let profiler = || Some("async".to_owned());
        let twelve = Some("12".to_owned());
        assert_eq!(run("{profiler}-{run}.jfr"), (profiler(), twelve));
        assert_eq!(run("{profiler}-*.jfr"), (profiler(), None));
    }

    /// Tried one by one, this takes longer than the universe is old.
    #[test]
    fn many_fields_that_fit_nowhere_end_at_once() {
        let name = "a".repeat(200);
        assert_eq!(
            fields(&format!("{}{{program}}b", "*".repeat(40)), &name),
            None
        );
    }

    #[test]
    fn useless_patterns_are_refused() {
        for pattern in ["", "*.jfr", "{run}", "{programme}/{run}"] {
            assert!(Pattern::parse(pattern).is_err(), "{pattern}");
        }
    }
}
