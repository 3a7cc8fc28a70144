//! The loop of a site as bytecode.

use crate::Reason;
use crate::bytes::Write;
use crate::layout::access;
use crate::opcode::{GOTO, IINC, ILOAD, INVOKESTATIC, ISTORE, WIDE};
use crate::pool::{FIELD, METHOD, Pool};

use super::fields::{FIELDS_CLASS, SINK, field_name};
use super::gate::{OPEN, OPEN_DESCRIPTOR, gate_name};
use super::turn::{self, Done};
use super::{Site, Work};

const ICONST_0: u8 = 0x03;
const ICONST_1: u8 = 0x04;
const BIPUSH: u8 = 0x10;
const DUP: u8 = 0x59;
const IADD: u8 = 0x60;
const IUSHR: u8 = 0x7c;
const IAND: u8 = 0x7e;
const IFEQ: u8 = 0x99;
const IFNE: u8 = 0x9a;
const IF_ICMPGE: u8 = 0xa2;
const GETSTATIC: u8 = 0xb2;
const PUTSTATIC: u8 = 0xb3;
const NOP: u8 = 0x00;

/// Bits of the field that say how many turns a site makes; those above are the value that it squares.
const TURN_BITS: u8 = 6;

/// Local variables of a site, all of them `int`: turns, value, counter, and the counter of a loop inside of a turn.
pub(super) const LOCALS: u16 = 4;
/// Those of them that hold something outside of a turn.
pub(super) const HELD: u16 = 3;
/// Operands that it has on the stack at most.
pub(super) const STACK: u16 = 5;

/// Positions in a site's code, relative to its start. All but the inner one are the same in code without branches.
#[derive(Clone, Copy)]
pub(super) struct Body {
    /// The loop's head.
    pub(super) head: u32,
    /// The head of a loop inside of a turn, if there is one.
    pub(super) inner: Option<u32>,
    /// Behind the loop.
    pub(super) end: u32,
    /// The last instruction, where the site's variables are no longer needed.
    pub(super) last: u32,
}

impl Body {
    /// Whether there are branches in it, whose targets need frames.
    pub(super) fn branches(&self) -> bool {
        self.head != self.last
    }
}

/// Writes a site. `first` is its first local variable.
pub(super) fn write(
    site: &Site,
    first: u16,
    pool: &mut Pool<'_>,
    out: &mut Vec<u8>,
) -> Result<Body, Reason> {
    match site.work {
        Work::Turns { turn, steps } => {
            let done = turn::write(turn, steps, first, pool)?;
            turns(site, &done, first, pool, out)
        }
        Work::Count => count(site.index, pool, out),
    }
}

/// `K++`.
fn count(index: u16, pool: &mut Pool<'_>, out: &mut Vec<u8>) -> Result<Body, Reason> {
    let class = pool.add_class(FIELDS_CLASS.as_bytes())?;
    let field = pool.add_member(FIELD, class, field_name(index).as_bytes(), b"I")?;
    let start = out.len();
    constant(GETSTATIC, field, out);
    out.extend_from_slice(&[ICONST_1, IADD]);
    constant(PUTSTATIC, field, out);
    let end = (out.len() - start) as u32;
    Ok(Body {
        head: end,
        inner: None,
        end,
        last: end,
    })
}

/// `if (Gate.open() && K != 0) { n = K & 63; x = K >>> 6; for (i = 0; i < n; i++) { TURN } if (x == 0) sink = x; }`. At rest it is a
/// comparison with memory and a branch; nothing where it is gated and its gate is closed. Turns leave x as it is or square it, and squares of odd numbers are odd: if the
/// field's upper bits are, as they should be, the value is never 0, which no compiler knows.
fn turns(
    site: &Site,
    turn: &Done,
    first: u16,
    pool: &mut Pool<'_>,
    out: &mut Vec<u8>,
) -> Result<Body, Reason> {
    let class = pool.add_class(FIELDS_CLASS.as_bytes())?;
    let turns = pool.add_member(FIELD, class, field_name(site.index).as_bytes(), b"I")?;
    let sink = pool.add_member(FIELD, class, SINK.as_bytes(), b"I")?;
    let [n, x, i] = [first, first + 1, first + 2];
    let start = out.len();
    let here = |out: &Vec<u8>| (out.len() - start) as u32;
    let mut over_all = Vec::new();
    if site.gated {
        let gate = pool.add_class(gate_name(site.index).as_bytes())?;
        let open = pool.add_member(METHOD, gate, OPEN.as_bytes(), OPEN_DESCRIPTOR.as_bytes())?;
        constant(INVOKESTATIC, open, out);
        over_all.push(out.len());
        constant(IFEQ, 0, out);
    }
    constant(GETSTATIC, turns, out);
    over_all.push(out.len());
    constant(IFEQ, 0, out);
    constant(GETSTATIC, turns, out);
    out.extend_from_slice(&[DUP, BIPUSH, super::MOST_TURNS as u8, IAND]);
    access(ISTORE, n, out);
    out.extend_from_slice(&[BIPUSH, TURN_BITS, IUSHR]);
    access(ISTORE, x, out);
    out.u1(ICONST_0);
    access(ISTORE, i, out);
    let head = here(out);
    access(ILOAD, i, out);
    access(ILOAD, n, out);
    let leave = out.len();
    constant(IF_ICMPGE, 0, out);
    let inner = turn.inner.map(|inside| here(out) + inside);
    out.extend_from_slice(&turn.bytes);
    increment(i, out);
    let back = start as i64 + i64::from(head) - out.len() as i64;
    constant(GOTO, distance(back)? as u16, out);
    let end = here(out);
    let over = distance((out.len() - leave) as i64)?.to_be_bytes();
    out[leave + 1..leave + 3].copy_from_slice(&over);
    access(ILOAD, x, out);
    let skip = out.len();
    constant(IFNE, 0, out);
    access(ILOAD, x, out);
    constant(PUTSTATIC, sink, out);
    over_all.push(skip);
    for branch in over_all {
        let over = distance((out.len() - branch) as i64)?.to_be_bytes();
        out[branch + 1..branch + 3].copy_from_slice(&over);
    }
    let last = here(out);
    // The branch must not go to the next instruction, which may have a frame of its own.
    out.u1(NOP);
    Ok(Body {
        head,
        inner,
        end,
        last,
    })
}

/// An instruction with 16 bits behind it.
pub(super) fn constant(opcode: u8, bits: u16, out: &mut Vec<u8>) {
    out.u1(opcode);
    out.u2(bits);
}

/// Adds 1 to a variable.
pub(super) fn increment(local: u16, out: &mut Vec<u8>) {
    match u8::try_from(local) {
        Ok(local) => out.extend_from_slice(&[IINC, local, 1]),
        Err(_) => {
            out.extend_from_slice(&[WIDE, IINC]);
            out.u2(local);
            out.u2(1);
        }
    }
}

/// How far a branch goes.
pub(super) fn distance(bytes: i64) -> Result<i16, Reason> {
    i16::try_from(bytes).map_err(|_| Reason::TooLarge)
}
