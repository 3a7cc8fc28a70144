//! Where sites can stand, and which types the local variables have there.

use std::collections::BTreeMap;

use crate::Reason;
use crate::class::JAVA_6;
use crate::code::Code;
use crate::frames::{self, Frame, Type};
use crate::opcode;
use crate::pool::Pool;
use crate::throwing::{Around, Follower};

use super::Place;
use super::branches::branches;

/// The part of an instruction's patch that a site goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Only who enters the method comes here.
    Entry,
    /// Everything that reaches the instruction comes here.
    Before,
    /// What falls out of the instruction comes here.
    After,
}

/// Where a site goes.
pub(super) struct Spot {
    pub(super) instruction: usize,
    pub(super) part: Part,
    /// Types of variables and stack there; positions inside are those of the old code.
    pub(super) frame: Frame,
}

/// What is known of a method before sites go into it.
pub(super) struct Ground<'g, 'a> {
    code: &'g Code<'a>,
    frames: BTreeMap<usize, Frame>,
    entry: Vec<Type>,
    this: u16,
    constructor: bool,
    major: u16,
}

impl<'g, 'a> Ground<'g, 'a> {
    /// Reads the stack maps. `entry` are the types of the parameters; `this` is the slot of the method's class.
    pub(super) fn new(
        code: &'g Code<'a>,
        entry: Vec<Type>,
        this: u16,
        major: u16,
        pool: &Pool<'a>,
    ) -> Result<Self, Reason> {
        let mut frames = BTreeMap::new();
        for attribute in &code.attributes {
            if pool.utf8(attribute.name)? == b"StackMapTable" {
                for frame in frames::decode(&attribute.body, &entry)? {
                    frames.insert(code.find_instruction(frame.at as usize)?, frame);
                }
            }
        }
        Ok(Self {
            code,
            frames,
            constructor: entry.contains(&Type::UninitializedThis),
            entry,
            this,
            major,
        })
    }

    /// Finds a place.
    pub(super) fn find(&self, place: Place, pool: &Pool<'a>) -> Result<Spot, Reason> {
        match place {
            Place::Entry if self.constructor => self.behind_super(pool),
            Place::Entry if self.code.is_handler(0) => Err(Reason::HandlerAtStart),
            Place::Entry => Ok(Spot {
                instruction: 0,
                part: Part::Entry,
                frame: self.frame(self.entry.clone()),
            }),
            Place::Loop(number) => self.head(number),
            Place::Branch(number) => self.branch(number, pool),
        }
    }

    fn frame(&self, locals: Vec<Type>) -> Frame {
        Frame {
            at: 0,
            locals,
            stack: Vec::new(),
        }
    }

    fn head(&self, number: u16) -> Result<Spot, Reason> {
        let heads = loop_heads(self.code)?;
        let missing = Reason::NoPlace("it has no such loop");
        let &instruction = heads.get(usize::from(number)).ok_or(missing)?;
        let frame = match self.frames.get(&instruction) {
            Some(frame) => frame.clone(),
            None if self.major < JAVA_6 => self.frame(Vec::new()),
            None => return Err(Reason::NoPlace("its loop has no stack map frame")),
        };
        if frame.locals.contains(&Type::UninitializedThis) {
            return Err(BEFORE_SUPER);
        }
        Ok(Spot {
            instruction,
            part: Part::Before,
            frame,
        })
    }

    fn branch(&self, number: u16, pool: &Pool<'a>) -> Result<Spot, Reason> {
        let all = branches(self.code, pool, &self.frames, &self.entry)?;
        let found = all.into_iter().nth(number.into());
        let (instruction, locals) = found.ok_or(Reason::NoPlace("it has no such branch"))?;
        Ok(Spot {
            instruction,
            part: Part::Before,
            frame: self.frame(locals),
        })
    }

    /// Behind the call that initialises `this`, where what the variables hold is known without computing frames.
    fn behind_super(&self, pool: &Pool<'a>) -> Result<Spot, Reason> {
        let around = Around {
            instance: true,
            leave_stores: false,
        };
        let mut follower = Follower::new(self.code, pool, around);
        let mut locals = Some(self.entry.clone());
        let (mut base, mut made) = (0, 0_usize);
        for (index, instruction) in self.code.instructions.iter().enumerate() {
            if let Some(frame) = self.frames.get(&index) {
                locals = Some(frame.locals.clone());
                let height: usize = frame.stack.iter().map(|one| one.slots()).sum();
                base = height as isize;
                follower.begin();
            }
            let opcode = instruction.opcode;
            follower.step(index, None)?;
            if opcode::is_store(opcode) || opcode::is_final(opcode) {
                locals = None;
            }
            if opcode == opcode::NEW {
                made += 1;
            }
            if opcode != opcode::INVOKESPECIAL
                || pool.member(self.code.constant(index))?.name != b"<init>"
            {
                continue;
            }
            if made > 0 {
                made -= 1;
                continue;
            }
            let empty = base + follower.growth() == 0;
            let mut locals = locals.filter(|_| empty).ok_or(BEFORE_SUPER)?;
            for one in &mut locals {
                if *one == Type::UninitializedThis {
                    *one = Type::Object(self.this);
                }
            }
            return Ok(Spot {
                instruction: index,
                part: Part::After,
                frame: self.frame(locals),
            });
        }
        Err(BEFORE_SUPER)
    }
}

const BEFORE_SUPER: Reason =
    Reason::NoPlace("a constructor without a place right behind the call of the other one");

/// Instructions to which a branch from the same place or from further down goes, in the order of the code.
pub(super) fn loop_heads(code: &Code<'_>) -> Result<Vec<usize>, Reason> {
    let mut heads = std::collections::BTreeSet::new();
    for index in 0..code.instructions.len() {
        code.targets(index, |target| {
            if target <= index {
                heads.insert(target);
            }
        })?;
    }
    Ok(heads.into_iter().collect())
}
