//! Callgrind files: costs per function, without stacks.
//!
//! `fn=` opens a function, cost lines below it are its own cost, except the one after `calls=`, which is what the
//! callee cost. Names may be abbreviated to numbers in brackets.

use std::collections::HashMap;

use crate::builder::Builder;
use crate::error::ImportError;
use crate::identity::MethodId;
use crate::import::Format;
use crate::import::collapsed::looks_java;
use crate::import::lines;
use crate::model::*;

/// Reads the first event of the file, up to the first line that does not fit.
pub(super) fn import(bytes: &[u8]) -> Result<Profile, ImportError> {
    let mut reader = Reader::default();
    for line in lines(bytes) {
        if let Err(what) = reader.line(line.text.trim()) {
            let error = ImportError::line(Format::Callgrind, &line, what);
            let mut builder = reader.builder()?;
            builder.stopped(error)?;
            return Ok(builder.finish());
        }
    }
    let expected = std::mem::take(&mut reader.announced);
    let read: f64 = reader.costs.iter().map(|one| one.own).sum();
    let mut builder = reader.builder()?;
    if expected.is_some_and(|expected| read < expected) {
        builder.stopped(ImportError::damaged(
            Format::Callgrind,
            bytes.len() as u64,
            format!(
                "costs of {} were expected and {read} are there",
                expected.unwrap_or(0.0)
            ),
        ))?;
    }
    Ok(builder.finish())
}

/// What a function cost.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionCost {
    /// The file of machine code that it is in; empty where none is named.
    pub object: String,
    /// Its name, as callgrind writes it.
    pub function: String,
    /// Cost of its own, in the file's first event.
    pub own: f64,
    /// The same with all that it called.
    pub total: f64,
}

/// Costs of all functions of a file of callgrind, in the file's order.
///
/// # Errors
/// With the first line that does not fit, or if no function is there.
pub fn callgrind_costs(bytes: &[u8]) -> Result<Vec<FunctionCost>, ImportError> {
    let mut reader = Reader::default();
    for line in lines(bytes) {
        let read = reader.line(line.text.trim());
        read.map_err(|what| ImportError::line(Format::Callgrind, &line, what))?;
    }
    match reader.costs.is_empty() {
        true => Err(ImportError::Empty {
            format: Format::Callgrind,
        }),
        false => Ok(reader.costs),
    }
}

/// True if a line belongs to the head of such a file.
pub(super) fn is_head(line: &str) -> bool {
    line.starts_with("# callgrind format")
        || line.starts_with("events: ")
        || line.starts_with("creator: callgrind")
}

#[derive(Default)]
struct Reader {
    event: String,
    creator: String,
    /// Columns before the costs: line, address or both.
    positions: usize,
    functions: Names,
    objects: Names,
    object: String,
    costs: Vec<FunctionCost>,
    /// Where a function's costs are, by object and name.
    places: HashMap<(String, String), usize>,
    current: Option<usize>,
    /// The sum of all costs, as the file's head or end tells.
    announced: Option<f64>,
    callee_costs_next: bool,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        if line.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '*')) {
            return self.cost(line);
        }
        match line.split_once('=') {
            Some(("fn", name)) => self.function(name),
            Some(("cfn", name)) => _ = self.functions.get(name),
            Some(("ob", name)) => self.object = self.objects.get(name),
            Some(("cob", name)) => _ = self.objects.get(name),
            Some(("calls", _)) => self.callee_costs_next = true,
            _ => self.head(line),
        }
        Ok(())
    }

    fn head(&mut self, line: &str) {
        match line.split_once(':') {
            Some(("events", names)) => {
                self.event = names.split_whitespace().next().unwrap_or("cost").to_owned()
            }
            Some(("creator", name)) => self.creator = name.trim().to_owned(),
            Some(("positions", names)) => self.positions = names.split_whitespace().count(),
            Some(("summary" | "totals", sums)) => {
                let sum = sums.split_whitespace().next();
                self.announced = sum.and_then(|sum| sum.parse().ok());
            }
            _ => {}
        }
    }

    fn function(&mut self, name: &str) {
        let name = self.functions.get(name);
        let place = (self.object.clone(), name.clone());
        let at = *self.places.entry(place).or_insert(self.costs.len());
        if at == self.costs.len() {
            self.costs.push(FunctionCost {
                object: self.object.clone(),
                function: name,
                own: 0.0,
                total: 0.0,
            });
        }
        self.current = Some(at);
    }

    fn cost(&mut self, line: &str) -> Result<(), String> {
        let of_callee = std::mem::take(&mut self.callee_costs_next);
        let column = line.split_whitespace().nth(self.positions.max(1));
        let Some(column) = column else { return Ok(()) };
        let cost: f64 = column
            .parse()
            .map_err(|_| format!("a cost was expected, not {column:?}"))?;
        if !cost.is_finite() {
            return Err(format!("a cost was expected, not {column:?}"));
        }
        let current = self
            .current
            .ok_or("`fn=` was expected before the first cost")?;
        let function = &mut self.costs[current];
        function.total += cost;
        if !of_callee {
            function.own += cost;
        }
        Ok(())
    }

    fn builder(self) -> Result<Builder, ImportError> {
        if self.costs.is_empty() {
            return Err(ImportError::Empty {
                format: Format::Callgrind,
            });
        }
        let tool = self
            .creator
            .split(['-', ' '])
            .next()
            .filter(|t| !t.is_empty())
            .unwrap_or("callgrind");
        let mut builder = Builder::new(Format::Callgrind, tool, &self.event);
        builder.head().unit = Unit::Count;
        builder.head().version = self.creator.split_once('-').map(|(_, v)| v.to_owned());
        for (name, own, total) in self.by_name() {
            let java = if looks_java(name) {
                MethodId::parse(name)
            } else {
                None
            };
            let kind = if java.is_some() {
                FrameKind::Unknown
            } else {
                FrameKind::Native
            };
            builder.table_row(
                java.unwrap_or_else(|| MethodId::symbol(name)),
                kind,
                own,
                Some(total),
            );
        }
        Ok(builder)
    }

    /// Costs of functions, those of one name together, wherever they are.
    fn by_name(&self) -> Vec<(&str, f64, f64)> {
        let mut places = HashMap::new();
        let mut all: Vec<(&str, f64, f64)> = Vec::new();
        for one in &self.costs {
            let at = *places.entry(&one.function).or_insert(all.len());
            if at == all.len() {
                all.push((&one.function, 0.0, 0.0));
            }
            all[at].1 += one.own;
            all[at].2 += one.total;
        }
        all
    }
}

/// Names are written once, then as numbers: `(12) name` defines 12, `(12)` uses it.
#[derive(Default)]
struct Names(HashMap<String, String>);

impl Names {
    fn get(&mut self, text: &str) -> String {
        let Some((id, name)) = text.strip_prefix('(').and_then(|t| t.split_once(')')) else {
            return text.to_owned();
        };
        if !id.bytes().all(|b| b.is_ascii_digit()) {
            return text.to_owned();
        }
        if !name.trim().is_empty() {
            self.0.insert(id.to_owned(), name.trim().to_owned());
        }
        self.0.get(id).cloned().unwrap_or_else(|| text.to_owned())
    }
}
