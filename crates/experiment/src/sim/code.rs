//! The machine code of a simulated program: units, blocks, and which method owns them.

use std::collections::{BTreeMap, HashMap};

use proofmark_blocks::{Block, BlockKey, Code, CodeMap, CodeMapError, Frame, Span, Unit};

use super::program::Program;
use crate::lab::UnitTable;

/// Units of every program: the clusters are divided among them.
const UNITS: usize = 2;
/// Bytes of a block's own code, and of what is inserted into it.
const BYTES: (u32, u32) = (64, 4);

/// Owners of the blocks of a program, each once, in order.
#[must_use]
pub fn method_names(program: &Program) -> Vec<String> {
    let mut names: Vec<String> = (0..program.blocks.len())
        .map(|at| owner(program, at))
        .collect();
    names.sort();
    names.dedup();
    names
}

/// The method that owns a block: every cluster is one method's.
pub(super) fn owner(program: &Program, block: usize) -> String {
    match program.blocks[block].cluster {
        u32::MAX => format!("sim.{}.rest()V", program.name),
        cluster => format!("sim.{}.loop{cluster}()V", program.name),
    }
}

/// What the compiler believes of the cost of blocks, and how often it expects them to be executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Believed {
    /// What is so, but for the rounding of a hundredth of a cycle.
    Truth,
    /// Every block takes one cycle and is executed as often as its unit is entered.
    AllAlike,
    /// It does not tell.
    Nothing,
}

impl Believed {
    /// Cycles of an execution of a block, and executions of it; `entries`: executions of the first block of its unit.
    fn of(self, program: &Program, block: usize, entries: f64) -> (Option<u32>, f64) {
        let block = &program.blocks[block];
        match self {
            Believed::Truth => (
                Some((100.0 * block.tau).round() as u32),
                program.executions(block) / entries,
            ),
            Believed::AllAlike => (Some(1), 1.0),
            Believed::Nothing => (None, 1.0),
        }
    }
}

/// What one process knows of its code.
#[derive(Debug, Clone)]
pub(super) struct Compiled {
    pub map: CodeMap,
    /// Where each block of the program is.
    pub keys: Vec<BlockKey>,
    /// Executions per iteration.
    pub executions: HashMap<BlockKey, f64>,
    /// Instructions per block of the program, by code.
    pub inserted: BTreeMap<u32, BTreeMap<usize, u32>>,
    methods: Vec<String>,
}

impl Compiled {
    /// Compiles a program; a `mirrored` process numbers its units the other way round. Units whose name is in `other`
    /// are compiled differently from everywhere else.
    pub fn of(
        program: &Program,
        mirrored: bool,
        other: &[String],
        believed: Believed,
    ) -> Result<Self, CodeMapError> {
        let methods = method_names(program);
        let mut compiled = Compiled {
            map: CodeMap::new(),
            keys: Vec::new(),
            executions: HashMap::new(),
            inserted: BTreeMap::new(),
            methods,
        };
        let number = |unit: usize| if mirrored { UNITS - 1 - unit } else { unit };
        for place in 0..UNITS {
            let unit = described(program, number(place), (&compiled.methods, other), believed);
            compiled.map.add_unit(unit)?;
        }
        for (at, block) in program.blocks.iter().enumerate() {
            let key = BlockKey {
                unit: number(unit_of(program, at)) as u32,
                block: at as u32,
            };
            compiled.keys.push(key);
            compiled.executions.insert(key, program.executions(block));
        }
        for unit in 0..UNITS as u32 {
            compiled.add(program, unit, BTreeMap::new())?;
        }
        Ok(compiled)
    }

    /// The code of a unit under a table.
    pub fn compile(&mut self, program: &Program, table: &UnitTable) -> Result<u32, CodeMapError> {
        let counts = table.counts.iter().filter(|(_, count)| *count > 0);
        let counts = counts.map(|(block, count)| (*block as usize, *count));
        self.add(program, table.unit, counts.collect())
    }

    fn add(
        &mut self,
        program: &Program,
        unit: u32,
        counts: BTreeMap<usize, u32>,
    ) -> Result<u32, CodeMapError> {
        let id = self.inserted.len() as u32;
        let mut spans = Vec::new();
        let mut start = 0;
        for at in (0..program.blocks.len()).filter(|at| self.keys[*at].unit == unit) {
            let owner = owner(program, at);
            let position = self.methods.iter().position(|method| *method == owner);
            let mut push = |bytes: u32, inserted: bool| {
                spans.push(Span {
                    start,
                    block: Some(at as u32),
                    position: position.map(|at| at as u32),
                    inserted,
                });
                start += bytes;
            };
            if let Some(count) = counts.get(&at) {
                push(BYTES.1 * count, true);
            }
            push(BYTES.0, false);
        }
        self.map.add_code(&Code {
            id,
            unit,
            size: start,
            spans,
            debug: Vec::new(),
        })?;
        self.inserted.insert(id, counts);
        Ok(id)
    }
}

fn unit_of(program: &Program, block: usize) -> usize {
    match program.blocks[block].cluster {
        u32::MAX => 0,
        cluster => cluster as usize % UNITS,
    }
}

/// Name of a unit of a program.
pub(super) fn unit_name(program: &Program, unit: usize) -> String {
    format!("sim.{}.run{unit}()V", program.name)
}

/// Control goes round through the blocks of a cluster, and from its last one to the next cluster of the unit.
/// `methods` has positions, the units that are compiled differently are those in `other`.
fn described(
    program: &Program,
    unit: usize,
    (methods, other): (&[String], &[String]),
    believed: Believed,
) -> Unit {
    let own: Vec<usize> = (0..program.blocks.len())
        .filter(|at| unit_of(program, *at) == unit)
        .collect();
    let name = unit_name(program, unit);
    let first = own.first().map(|at| &program.blocks[*at]);
    let entries = first.map_or(1.0, |block| program.executions(block));
    let block = |at: &usize| {
        let (cycles, frequency) = believed.of(program, *at, entries);
        let cluster = program.blocks[*at].cluster;
        let of_cluster = |other: &&usize| program.blocks[**other].cluster == cluster;
        let header = own.iter().find(of_cluster).copied().unwrap_or(*at);
        let next = own.iter().find(|other| {
            **other > header && !of_cluster(other) && program.blocks[**other].cluster != u32::MAX
        });
        let mut successors = vec![program.behind(*at) as u32];
        if *at == header {
            successors.extend(next.map(|at| *at as u32));
        }
        successors.retain(|to| own.contains(&(*to as usize)));
        successors.dedup();
        Block {
            id: *at as u32,
            successors,
            loop_header: Some(header as u32),
            loop_depth: 1,
            frequency,
            cycles,
            operations: vec!["MOVE".into(); (2.0 * program.blocks[*at].tau).ceil() as usize],
        }
    };
    let frame = |method: &String| {
        vec![Frame {
            method: method.clone(),
            bci: 0,
            line: None,
        }]
    };
    let signature = if other.contains(&name) {
        "other"
    } else {
        "as ever"
    };
    Unit {
        signature: signature.into(),
        blocks: own.iter().map(block).collect(),
        positions: methods.iter().map(frame).collect(),
        name,
    }
}
