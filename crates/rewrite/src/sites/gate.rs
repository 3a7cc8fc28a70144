//! Gates: whether the code of a site is there at all.
//!
//! A site at rest is a load, a comparison and a branch, which is much in a method of a few cycles. So a gated site first asks
//! a method of a class of its own, which returns a constant. JIT compilers put it in place of the call, and the code of a
//! closed site is gone. To open or close a gate, the JVM is given another file of that class: it throws away the machine code
//! that relied on the constant, and compiles it anew.

use std::borrow::Cow;

use crate::Reason;
use crate::bytes::{Reader, Write};
use crate::class::{Attribute, Class, FINAL, Member, PUBLIC, STATIC, SYNTHETIC};
use crate::pool::Pool;

/// What the names of gates begin with; the site's number follows. All loaders and modules see the JDK's package.
const PREFIX: &str = "java/lang/ProofmarkGate";
/// The method that is asked.
pub(super) const OPEN: &str = "open";
/// Its descriptor: it answers 1 where the gate is open, else 0.
pub(super) const OPEN_DESCRIPTOR: &str = "()I";
/// Put in place of every call, however deep, if the JVM's own loader loads the class.
const INLINED: &[u8] = b"Ljdk/internal/vm/annotation/ForceInline;";

const ICONST_0: u8 = 0x03;
const IRETURN: u8 = 0xac;

/// Internal name of the gate of a site with this number.
#[must_use]
pub fn gate_name(index: u16) -> String {
    format!("{PREFIX}{index}")
}

/// Number of the site whose gate has this internal name; none if it is no gate.
#[must_use]
pub fn gate_of(class: &str) -> Option<u16> {
    class.strip_prefix(PREFIX)?.parse().ok()
}

/// The class file of a gate: `@ForceInline public static int open() { return 0; }`, or 1.
///
/// # Errors
/// None in practice: the file is small.
pub fn gate_class(index: u16, open: bool) -> Result<Vec<u8>, Reason> {
    // A pool with nothing in it.
    let mut pool = Pool::read(&mut Reader::new(&[0, 1]))?;
    let this = pool.add_class(gate_name(index).as_bytes())?;
    let parent = pool.add_class(b"java/lang/Object")?;
    let mut code = Vec::new();
    // An operand on the stack, no variable.
    code.u2(1);
    code.u2(0);
    code.u4(2);
    code.extend([ICONST_0 + u8::from(open), IRETURN]);
    // No handlers, no attributes.
    code.u2(0);
    code.u2(0);
    let mut annotations = Vec::new();
    annotations.u2(1);
    annotations.u2(pool.add_utf8(INLINED)?);
    // It says nothing more.
    annotations.u2(0);
    let mut attribute = |name: &[u8], body| -> Result<Attribute<'_>, Reason> {
        Ok(Attribute {
            name: pool.add_utf8(name)?,
            body: Cow::Owned(body),
        })
    };
    let attributes = vec![
        attribute(b"Code", code)?,
        attribute(b"RuntimeVisibleAnnotations", annotations)?,
    ];
    let asked = Member {
        access: PUBLIC | STATIC,
        name: pool.add_utf8(OPEN.as_bytes())?,
        descriptor: pool.add_utf8(OPEN_DESCRIPTOR.as_bytes())?,
        attributes,
    };
    let class = Class {
        minor: 0,
        major: 52,
        pool,
        access: PUBLIC | FINAL | SYNTHETIC | 0x0020,
        this,
        parent,
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: vec![asked],
        attributes: Vec::new(),
    };
    class.write(256)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_known_by_their_names() {
        assert_eq!(gate_of(&gate_name(1023)), Some(1023));
        for other in ["java/lang/ProofmarkGate", "java/lang/ProofmarkGateX", "a/B"] {
            assert_eq!(gate_of(other), None, "{other}");
        }
    }

    #[test]
    fn an_open_gate_differs_from_a_closed_one_in_a_byte() {
        let [closed, open] = [false, true].map(|open| gate_class(7, open).unwrap());
        let differ = |at: &usize| closed[*at] != open[*at];
        let apart: Vec<usize> = (0..closed.len()).filter(differ).collect();
        assert_eq!((closed.len(), apart.len()), (open.len(), 1));
        assert_eq!(closed[apart[0]..][..2], [ICONST_0, IRETURN]);
    }
}
