//! What a site does in a turn of its loop, as bytecode.
//!
//! What a turn works on lies in fields of one class, so that it needs no more variables than a counter.

use crate::Reason;
use crate::bytes::Write;
use crate::layout::access;
use crate::opcode::{ILOAD, INVOKESTATIC, ISTORE};
use crate::pool::{FIELD, METHOD, Pool};

use super::DoseKind;
use super::body::{constant, distance, increment};
use super::fields::{
    BYTES, CALLED, CALLED_DESCRIPTOR, CHAIN, CHAIN_AT, COPIED_FROM, COPIED_INTO, FIELDS_CLASS,
    LOCK, NUMBERS, OBJECT, VECTOR,
};

const ICONST_0: u8 = 0x03;
const SIPUSH: u8 = 0x11;
const IALOAD: u8 = 0x2e;
const IASTORE: u8 = 0x4f;
const BASTORE: u8 = 0x54;
const POP: u8 = 0x57;
const DUP: u8 = 0x59;
const DUP2: u8 = 0x5c;
const SWAP: u8 = 0x5f;
const IADD: u8 = 0x60;
const IMUL: u8 = 0x68;
const IF_ICMPLT: u8 = 0xa1;
const GETSTATIC: u8 = 0xb2;
const PUTSTATIC: u8 = 0xb3;
const NEWARRAY: u8 = 0xbc;
const MONITORENTER: u8 = 0xc2;
const MONITOREXIT: u8 = 0xc3;

/// The type of the elements of a new array: `byte`.
const OF_BYTES: u8 = 8;

/// Bytes that a step of a copy is long, of a fill, and of a new array: about as much time as a step of arithmetic.
pub const COPIED: u16 = 64;
/// Numbers that a step adds to: so many that the least turn fills some vectors.
pub const ADDED: u16 = 32;
/// Most steps of a turn. Two arrays of so many times [`COPIED`] bytes lie in the cache next to a processor, as does one of
/// so many times [`ADDED`] numbers.
pub const MOST_STEPS: u16 = 256;
/// Steps in the time of a dependent load that misses the nearest cache, and of a lock that is taken and given back.
const SLOW: u16 = 2;

/// The code of a turn.
pub(super) struct Done {
    pub(super) bytes: Vec<u8>,
    /// Where a loop inside of it has its head, from its start.
    pub(super) inner: Option<u32>,
}

/// Variables of a site that a turn may use.
#[derive(Clone, Copy)]
struct Variables {
    /// An odd number.
    x: u16,
    /// The number of the turn, from 0.
    i: u16,
    /// The turn's own.
    j: u16,
}

/// Writes a turn of so many steps. `first` is the first local variable of its site.
pub(super) fn write(
    turn: DoseKind,
    steps: u16,
    first: u16,
    pool: &mut Pool<'_>,
) -> Result<Done, Reason> {
    let variables = Variables {
        x: first + 1,
        i: first + 2,
        j: first + 3,
    };
    let steps = steps.min(MOST_STEPS);
    let straight = match turn {
        DoseKind::Arithmetic => squares(steps, variables),
        DoseKind::Copy => copy(steps, pool)?,
        DoseKind::Allocate => allocate(steps, variables),
        DoseKind::Load => loads(steps, pool)?,
        DoseKind::Call => call(steps, variables, pool)?,
        DoseKind::Lock => locks(steps, pool)?,
        DoseKind::Fill => return fill(steps, variables, pool),
        DoseKind::Vector => return vector(steps, variables, pool),
    };
    Ok(Done {
        bytes: straight,
        inner: None,
    })
}

/// A field of the class that all sites see.
fn field(name: &str, descriptor: &str, pool: &mut Pool<'_>) -> Result<u16, Reason> {
    let class = pool.add_class(FIELDS_CLASS.as_bytes())?;
    pool.add_member(FIELD, class, name.as_bytes(), descriptor.as_bytes())
}

/// `steps` times `x *= x`. A step is one multiplication that waits for the one before and two bytes of code, so that
/// methods with sites are inlined as they were.
fn squares(steps: u16, Variables { x, .. }: Variables) -> Vec<u8> {
    let mut out = Vec::new();
    access(ILOAD, x, &mut out);
    for _ in 0..steps {
        out.extend_from_slice(&[DUP, IMUL]);
    }
    access(ISTORE, x, &mut out);
    out
}

/// `System.arraycopy(from, 0, into, 0, 64 * steps)`: a call of a stub of the JVM, which is no method.
fn copy(steps: u16, pool: &mut Pool<'_>) -> Result<Vec<u8>, Reason> {
    let from = field(COPIED_FROM, BYTES, pool)?;
    let into = field(COPIED_INTO, BYTES, pool)?;
    let system = pool.add_class(b"java/lang/System")?;
    let descriptor = b"(Ljava/lang/Object;ILjava/lang/Object;II)V";
    let method = pool.add_member(METHOD, system, b"arraycopy", descriptor)?;
    let mut out = Vec::new();
    for array in [from, into] {
        constant(GETSTATIC, array, &mut out);
        out.u1(ICONST_0);
    }
    constant(SIPUSH, COPIED * steps, &mut out);
    constant(INVOKESTATIC, method, &mut out);
    Ok(out)
}

/// `new byte[64 * steps][i] = (byte) x`. Compilers keep the array in memory: at which place it is written is not known.
fn allocate(steps: u16, Variables { x, i, .. }: Variables) -> Vec<u8> {
    let mut out = Vec::new();
    // A turn's number is below 64.
    constant(SIPUSH, COPIED * steps.max(1), &mut out);
    out.extend_from_slice(&[NEWARRAY, OF_BYTES]);
    access(ILOAD, i, &mut out);
    access(ILOAD, x, &mut out);
    out.u1(BASTORE);
    out
}

/// `steps / 2` times `at = chain[at]`: each load waits for the one before, and goes on where the site's last turn, or that
/// of another one, was.
fn loads(steps: u16, pool: &mut Pool<'_>) -> Result<Vec<u8>, Reason> {
    let chain = field(CHAIN, NUMBERS, pool)?;
    let at = field(CHAIN_AT, "I", pool)?;
    let mut out = Vec::new();
    constant(GETSTATIC, chain, &mut out);
    constant(GETSTATIC, at, &mut out);
    for _ in 0..(steps / SLOW).max(1) {
        out.extend_from_slice(&[DUP2, IALOAD, SWAP, POP]);
    }
    constant(PUTSTATIC, at, &mut out);
    out.u1(POP);
    Ok(out)
}

/// `x = called(x, steps)`.
fn call(
    steps: u16,
    Variables { x, .. }: Variables,
    pool: &mut Pool<'_>,
) -> Result<Vec<u8>, Reason> {
    let class = pool.add_class(FIELDS_CLASS.as_bytes())?;
    let (name, descriptor) = (CALLED.as_bytes(), CALLED_DESCRIPTOR.as_bytes());
    let method = pool.add_member(METHOD, class, name, descriptor)?;
    let mut out = Vec::new();
    access(ILOAD, x, &mut out);
    constant(SIPUSH, steps, &mut out);
    constant(INVOKESTATIC, method, &mut out);
    access(ISTORE, x, &mut out);
    Ok(out)
}

/// `steps / 2` times `synchronized (lock) {}`. The field is read each time, so that no compiler knows that it is the
/// same object and takes it once for all. Nothing in between can throw: what is locked is unlocked on every way.
fn locks(steps: u16, pool: &mut Pool<'_>) -> Result<Vec<u8>, Reason> {
    let lock = field(LOCK, OBJECT, pool)?;
    let mut out = Vec::new();
    for _ in 0..(steps / SLOW).max(1) {
        constant(GETSTATIC, lock, &mut out);
        out.extend_from_slice(&[DUP, MONITORENTER, MONITOREXIT]);
    }
    Ok(out)
}

/// `for (j = 0; j < 64 * steps; j++) into[j] = (byte) x`: HotSpot calls a stub in its place where it has a good one
/// (OptimizeFill), else it is a loop over vectors.
fn fill(steps: u16, variables: Variables, pool: &mut Pool<'_>) -> Result<Done, Reason> {
    let into = field(COPIED_INTO, BYTES, pool)?;
    let mut body = Vec::new();
    constant(GETSTATIC, into, &mut body);
    access(ILOAD, variables.j, &mut body);
    access(ILOAD, variables.x, &mut body);
    body.u1(BASTORE);
    repeated(&body, variables.j, COPIED * steps)
}

/// `for (j = 0; j < 32 * steps; j++) vector[j] += x`
fn vector(steps: u16, variables: Variables, pool: &mut Pool<'_>) -> Result<Done, Reason> {
    let numbers = field(VECTOR, NUMBERS, pool)?;
    let mut body = Vec::new();
    constant(GETSTATIC, numbers, &mut body);
    access(ILOAD, variables.j, &mut body);
    body.extend_from_slice(&[DUP2, IALOAD]);
    access(ILOAD, variables.x, &mut body);
    body.extend_from_slice(&[IADD, IASTORE]);
    repeated(&body, variables.j, ADDED * steps)
}

/// `j = 0; do { BODY } while (++j < times)`
fn repeated(body: &[u8], j: u16, times: u16) -> Result<Done, Reason> {
    let mut out = vec![ICONST_0];
    access(ISTORE, j, &mut out);
    let head = out.len();
    out.extend_from_slice(body);
    increment(j, &mut out);
    access(ILOAD, j, &mut out);
    constant(SIPUSH, times, &mut out);
    let back = distance(head as i64 - out.len() as i64)?;
    constant(IF_ICMPLT, back as u16, &mut out);
    Ok(Done {
        bytes: out,
        inner: Some(head as u32),
    })
}
