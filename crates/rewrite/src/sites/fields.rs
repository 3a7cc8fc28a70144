//! The class whose static fields say how many turns the sites make, and hold what turns work on.

use std::borrow::Cow;

use crate::Reason;
use crate::bytes::{Reader, Write};
use crate::class::{Attribute, Class, FINAL, Member, PUBLIC, STATIC, SYNTHETIC, write_attributes};
use crate::pool::Pool;

/// Internal name of the class. All modules see the JDK's package, and all loaders that pass its
/// names on.
pub const FIELDS_CLASS: &str = "java/lang/ProofmarkSites";
/// Name of its method that sites call, which HotSpot is told not to inline.
pub const CALLED: &str = "called";
/// Most sites in one JVM.
pub const MOST_SITES: u16 = 1024;
/// A field that no site ever writes, which no compiler knows.
pub(super) const SINK: &str = "sink";
/// Fields of the arrays that copies are made from and into; the harness makes them, as all that follow, before any site
/// makes a turn. What is filled is the second one.
pub(super) const COPIED_FROM: &str = "from";
pub(super) const COPIED_INTO: &str = "into";
/// The field of an array each of whose numbers is the place of another one, so that following them leads through all of
/// it; and of the place that was reached.
pub(super) const CHAIN: &str = "chain";
pub(super) const CHAIN_AT: &str = "at";
/// The field of the numbers that are added to.
pub(super) const VECTOR: &str = "vector";
/// The field of the object that is locked.
pub(super) const LOCK: &str = "lock";
/// Types of these fields.
pub(super) const BYTES: &str = "[B";
pub(super) const NUMBERS: &str = "[I";
pub(super) const OBJECT: &str = "Ljava/lang/Object;";

/// Descriptor of the method that sites call.
pub(super) const CALLED_DESCRIPTOR: &str = "(II)I";
/// Multiplications in one step of it: so many that calling it takes little of the time.
const CALLED_SQUARES: usize = 32;
/// What the JVM does not inline, if its own loader loads it.
const NOT_INLINED: &[u8] = b"Ljdk/internal/vm/annotation/DontInline;";

/// Name of a site's field.
pub(super) fn field_name(index: u16) -> String {
    format!("k{index}")
}

/// The class file of [`FIELDS_CLASS`] with fields for so many sites, all 0: `public static int k0, k1, ...`, the fields of
/// what turns work on, and the method [`CALLED`].
///
/// # Errors
/// [`Reason::TooMany`] for more than [`MOST_SITES`].
pub fn fields_class(sites: u16) -> Result<Vec<u8>, Reason> {
    if sites > MOST_SITES {
        return Err(Reason::TooMany);
    }
    // A pool with nothing in it.
    let mut pool = Pool::read(&mut Reader::new(&[0, 1]))?;
    let this = pool.add_class(FIELDS_CLASS.as_bytes())?;
    let parent = pool.add_class(b"java/lang/Object")?;
    let turns = (0..sites).map(|index| (field_name(index), "I"));
    let others = [
        (SINK, "I"),
        (COPIED_FROM, BYTES),
        (COPIED_INTO, BYTES),
        (CHAIN, NUMBERS),
        (CHAIN_AT, "I"),
        (VECTOR, NUMBERS),
        (LOCK, OBJECT),
    ];
    let others = others.map(|(name, descriptor)| (name.to_owned(), descriptor));
    let mut fields = Vec::with_capacity(usize::from(sites) + others.len());
    for (name, descriptor) in turns.chain(others) {
        fields.push(Member {
            access: PUBLIC | STATIC,
            name: pool.add_utf8(name.as_bytes())?,
            descriptor: pool.add_utf8(descriptor.as_bytes())?,
            attributes: Vec::<Attribute<'_>>::new(),
        });
    }
    let called = called(&mut pool)?;
    let class = Class {
        minor: 0,
        major: 52,
        pool,
        access: PUBLIC | FINAL | SYNTHETIC | 0x0020,
        this,
        parent,
        interfaces: Vec::new(),
        fields,
        methods: vec![called],
        attributes: Vec::new(),
    };
    class.write(32 * (usize::from(sites) + 16))
}

/// `@DontInline public static int called(int x, int steps) { do { x *= x, 32 times } while (--steps > 0); return x; }`
fn called<'a>(pool: &mut Pool<'a>) -> Result<Member<'a>, Reason> {
    const ILOAD_0: u8 = 0x1a;
    const ILOAD_1: u8 = 0x1b;
    const ISTORE_0: u8 = 0x3b;
    const DUP: u8 = 0x59;
    const IMUL: u8 = 0x68;
    const IINC: u8 = 0x84;
    const IFGT: u8 = 0x9d;
    const IRETURN: u8 = 0xac;
    let mut bytes = vec![ILOAD_0];
    bytes.extend([DUP, IMUL].repeat(CALLED_SQUARES));
    // Steps are a byte behind the variable: -1.
    bytes.extend([ISTORE_0, IINC, 1, 0xff, ILOAD_1]);
    let back = -(bytes.len() as i16);
    bytes.u1(IFGT);
    bytes.extend(back.to_be_bytes());
    bytes.extend([ILOAD_0, IRETURN]);
    let mut code = Vec::new();
    // Operands on the stack, and variables.
    code.u2(2);
    code.u2(2);
    code.u4(bytes.len() as u32);
    code.extend(bytes);
    // No handlers.
    code.u2(0);
    // One frame, at the start: what is there when the method is entered.
    let frames = attribute(b"StackMapTable", vec![0, 1, 0], pool)?;
    write_attributes(&[frames], &mut code)?;
    let mut annotations = Vec::new();
    annotations.u2(1);
    annotations.u2(pool.add_utf8(NOT_INLINED)?);
    // It says nothing more.
    annotations.u2(0);
    Ok(Member {
        access: PUBLIC | STATIC,
        name: pool.add_utf8(CALLED.as_bytes())?,
        descriptor: pool.add_utf8(CALLED_DESCRIPTOR.as_bytes())?,
        attributes: vec![
            attribute(b"Code", code, pool)?,
            attribute(b"RuntimeVisibleAnnotations", annotations, pool)?,
        ],
    })
}

fn attribute<'a>(name: &[u8], body: Vec<u8>, pool: &mut Pool<'a>) -> Result<Attribute<'a>, Reason> {
    Ok(Attribute {
        name: pool.add_utf8(name)?,
        body: Cow::Owned(body),
    })
}
