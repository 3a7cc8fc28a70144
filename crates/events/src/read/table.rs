//! Tables of code that counts.

use std::collections::HashMap;

use super::line::Line;
use crate::error::EventsError;
use crate::graph::{Block, Edge, Event, Graph, Measure};
use crate::paths::{Numbering, Step};
use crate::table::{Code, Direct, EventType, Frame, Reading, Strategy, Table};

/// First line of the file.
const HEADER: [&str; 2] = ["proofmark-events", "1"];

/// Reads a table.
///
/// # Errors
/// When it is another format or not complete, with the line and what had to stand there.
pub fn read_table(text: &str) -> Result<Table, EventsError> {
    let mut lines = Line::all(text);
    let mut last = 1;
    let header = lines.next().ok_or(EventsError::Truncated { line: 0 })?;
    if header.kind() != HEADER[0] || header.rest() != [HEADER[1]] {
        return Err(header.wrong("'proofmark-events' and version 1"));
    }
    let mut table = Table::default();
    let mut part: Option<Part> = None;
    for line in lines {
        last = line.number;
        match (line.kind(), part.as_mut()) {
            ("type", None) => table.types.push(event_type(&line, table.types.len())?),
            ("code", None) => part = Some(Part::begin(&line)?),
            ("end", None) => return Ok(table),
            ("end", Some(_)) => table
                .codes
                .extend(part.take().map(|p| p.finish(&line)).transpose()?),
            (_, Some(part)) => part.line(&line, table.types.len())?,
            (_, None) => return Err(line.wrong("'type', 'code' or 'end'")),
        }
    }
    Err(EventsError::Truncated { line: last })
}

fn event_type(line: &Line<'_>, next: usize) -> Result<EventType, EventsError> {
    if line.number::<usize>(1, "the type's index")? != next {
        return Err(line.wrong(format!("the type with index {next}")));
    }
    Ok(EventType {
        name: line.field(2, "the type's name")?.to_owned(),
        category: line.field(3, "the type's category")?.to_owned(),
    })
}

/// A code while its lines are being read. Edges and leaks name blocks; they are resolved at the end.
struct Part {
    code: Code,
    positions: HashMap<usize, usize>,
    blocks: HashMap<u32, usize>,
    /// From, to, measure, step.
    edges: Vec<(End, End, Measure, Option<Step>)>,
    direct: Vec<Direct>,
    numbering: Option<(usize, u64)>,
    leaks: Vec<u32>,
}

/// An end of an edge.
#[derive(Clone, Copy)]
enum End {
    Outside,
    Block(u32),
}

impl Part {
    fn begin(line: &Line<'_>) -> Result<Self, EventsError> {
        let strategy = line.field(2, "a strategy")?;
        let code = Code {
            id: line.number(1, "the code's id")?,
            strategy: Strategy::named(strategy)
                .ok_or_else(|| line.wrong("a strategy: edge, live, pc, pd or dec"))?,
            size: line.number(4, "bytes of machine code")?,
            entry_bci: line.number(5, "the entry's bytecode index")?,
            unit: line.field(6, "the unit's name")?.to_owned(),
            positions: Vec::new(),
            graph: Graph::default(),
            reading: Reading::Edges,
        };
        Ok(Part {
            code,
            positions: HashMap::new(),
            blocks: HashMap::new(),
            edges: Vec::new(),
            direct: Vec::new(),
            numbering: None,
            leaks: Vec::new(),
        })
    }

    fn line(&mut self, line: &Line<'_>, types: usize) -> Result<(), EventsError> {
        match line.kind() {
            "position" => self.position(line),
            "block" => self.block(line, types),
            "edge" => self.edge(line),
            "count" => self.count(line, types),
            "path" => {
                let base = line.index(
                    line.field(1, "the counter of path 0")?,
                    "the counter of path 0",
                )?;
                let paths =
                    line.index(line.field(2, "the number of paths")?, "the number of paths")?;
                self.numbering = Some((base, paths as u64));
                Ok(())
            }
            "leak" => {
                self.leaks.push(line.number(1, "a block")?);
                Ok(())
            }
            _ => Err(line.wrong("'position', 'block', 'edge', 'count', 'path', 'leak' or 'end'")),
        }
    }

    fn position(&mut self, line: &Line<'_>) -> Result<(), EventsError> {
        let frames = line.rest().get(1..).unwrap_or_default().iter();
        let frames: Vec<Frame> = frames
            .map(|text| frame(line, text))
            .collect::<Result<_, _>>()?;
        if frames.is_empty() {
            return Err(line.wrong("a frame METHOD:BCI:LINE"));
        }
        let id = line.number(1, "the position's id")?;
        self.positions.insert(id, self.code.positions.len());
        self.code.positions.push(frames);
        Ok(())
    }

    fn block(&mut self, line: &Line<'_>, types: usize) -> Result<(), EventsError> {
        let id = line.number(1, "the block's id")?;
        let mut block = Block {
            id,
            frequency: line.number(2, "the block's frequency")?,
            events: Vec::new(),
            leaks: false,
        };
        let events = line.field(3, "the block's events, or -")?;
        if events != "-" {
            for event in events.split(',') {
                block.events.push(self.event(line, event, types)?);
            }
        }
        let again = self.blocks.insert(id, self.code.graph.blocks.len());
        if again.is_some() {
            return Err(line.wrong("a block that did not come before"));
        }
        self.code.graph.blocks.push(block);
        Ok(())
    }

    fn event(&self, line: &Line<'_>, text: &str, types: usize) -> Result<Event, EventsError> {
        let what = "events as TYPE:COUNT@POSITION";
        let (kind, rest) = text.split_once(':').ok_or_else(|| line.wrong(what))?;
        let (count, position) = rest.split_once('@').unwrap_or((rest, "-"));
        Ok(Event {
            kind: kind_of(line, kind, types)?,
            count: line.parse(count, "a number of events")?,
            position: self.position_of(line, position)?,
        })
    }

    fn position_of(&self, line: &Line<'_>, text: &str) -> Result<Option<usize>, EventsError> {
        let id: Option<usize> = line.optional(text, "a position, or -")?;
        let known = |id| {
            let at = self.positions.get(&id).copied();
            at.ok_or_else(|| line.wrong(format!("position {id} to come before")))
        };
        id.map(known).transpose()
    }

    fn edge(&mut self, line: &Line<'_>) -> Result<(), EventsError> {
        let from = end_of(line, line.field(2, "where the edge comes from")?, "in")?;
        let to = end_of(line, line.field(3, "where the edge goes to")?, "out")?;
        let (measure, step) = measure(line, line.field(6, "what measures the edge")?)?;
        self.edges.push((from, to, measure, step));
        Ok(())
    }

    fn count(&mut self, line: &Line<'_>, types: usize) -> Result<(), EventsError> {
        const WHAT: &str = "a counter as cN or cN*W";
        let text = line.field(4, WHAT)?;
        let text = text.strip_prefix('c').ok_or_else(|| line.wrong(WHAT))?;
        let (counter, times) = text.split_once('*').unwrap_or((text, "1"));
        self.direct.push(Direct {
            kind: kind_of(line, line.field(1, "a type")?, types)?,
            position: self.position_of(line, line.field(2, "a position, or -")?)?,
            counter: line.index(counter, WHAT)?,
            times: line.parse(times, WHAT)?,
        });
        Ok(())
    }

    /// Everything is known now.
    fn finish(mut self, line: &Line<'_>) -> Result<Code, EventsError> {
        let root = self.code.graph.root();
        let mut steps = Vec::new();
        for (from, to, measure, step) in std::mem::take(&mut self.edges) {
            let edge = Edge {
                from: self.vertex(line, from, root)?,
                to: self.vertex(line, to, root)?,
                measure,
            };
            self.code.graph.edges.push(edge);
            steps.extend(step);
        }
        for leak in &self.leaks {
            let block = self.blocks.get(leak).copied();
            let block =
                block.ok_or_else(|| line.wrong(format!("block {leak} of a 'leak' line")))?;
            self.code.graph.blocks[block].leaks = true;
        }
        self.code.reading = match (self.code.strategy, self.numbering) {
            (Strategy::Edge, _) => Reading::Edges,
            (Strategy::Pc, Some((base, paths))) if steps.len() == self.code.graph.edges.len() => {
                Reading::Paths(Numbering { steps, base, paths })
            }
            (Strategy::Pc, Some(_)) => {
                return Err(
                    line.wrong("steps vV or xV,R on all edges of a code with a 'path' line")
                );
            }
            // Code without any event has no counters.
            _ => Reading::Direct(self.direct),
        };
        Ok(self.code)
    }

    fn vertex(&self, line: &Line<'_>, end: End, root: usize) -> Result<usize, EventsError> {
        match end {
            End::Outside => Ok(root),
            End::Block(id) => {
                let block = self.blocks.get(&id).copied();
                block.ok_or_else(|| line.wrong(format!("block {id} of an 'edge' line")))
            }
        }
    }
}

fn kind_of(line: &Line<'_>, text: &str, types: usize) -> Result<usize, EventsError> {
    let kind: usize = line.parse(text, "the index of a type")?;
    if kind < types {
        Ok(kind)
    } else {
        Err(line.wrong(format!("a type below {types}")))
    }
}

/// `METHOD:BCI:LINE`.
fn frame(line: &Line<'_>, text: &str) -> Result<Frame, EventsError> {
    let mut parts = text.rsplitn(3, ':');
    let (number, bci, method) = (parts.next(), parts.next(), parts.next());
    let (Some(number), Some(bci), Some(method)) = (number, bci, method) else {
        return Err(line.wrong("a frame METHOD:BCI:LINE"));
    };
    Ok(Frame {
        method: method.to_owned(),
        bci: line.parse(bci, "a frame's bytecode index")?,
        line: line.optional(number, "a frame's line, or -")?,
    })
}

fn end_of(line: &Line<'_>, text: &str, outside: &str) -> Result<End, EventsError> {
    if text == outside {
        return Ok(End::Outside);
    }
    let block = line.parse(text, &format!("a block, or '{outside}'"))?;
    Ok(End::Block(block))
}

/// `-`, `z`, `cN`, `-cN`, `rN`, `iN*S`, `vV`, `xV,R`.
fn measure(line: &Line<'_>, text: &str) -> Result<(Measure, Option<Step>), EventsError> {
    let what = "what measures the edge: - z cN -cN rN iN*S vV xV,R";
    let counter = |number: &str, scale: i64, held: bool| {
        let counter = line.index(number, what)?;
        Ok((
            Measure::Counter {
                counter,
                scale,
                held,
            },
            None,
        ))
    };
    let plain = text.strip_prefix('-').unwrap_or(text);
    if matches!(text, "-" | "z") {
        return Ok((Measure::Open, None));
    }
    if let Some(number) = plain.strip_prefix('c') {
        return counter(number, 1, false);
    }
    if let Some(number) = text.strip_prefix('r') {
        return counter(number, 1, true);
    }
    if let Some((number, scale)) = text.strip_prefix('i').and_then(|rest| rest.split_once('*')) {
        return match line.parse(scale, what)? {
            0 => Err(line.wrong("a stride that is not 0")),
            scale => counter(number, scale, true),
        };
    }
    if let Some(value) = text.strip_prefix('v') {
        return Ok((Measure::Open, Some(Step::Add(line.parse(value, what)?))));
    }
    if let Some((last, first)) = text.strip_prefix('x').and_then(|rest| rest.split_once(',')) {
        let (last, first) = (line.parse(last, what)?, line.parse(first, what)?);
        return Ok((Measure::Open, Some(Step::Cut { last, first })));
    }
    Err(line.wrong(what))
}
