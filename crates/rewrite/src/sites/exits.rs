//! Calls that would end the JVM.

use crate::Reason;
use crate::code::Code;
use crate::opcode;
use crate::pool::{METHOD, Pool};

/// Calls that end the JVM, and the method that is called instead.
pub(super) fn exit_calls(
    code: &Code<'_>,
    class: &str,
    pool: &mut Pool<'_>,
) -> Result<Vec<(usize, u16)>, Reason> {
    let mut found = Vec::new();
    for (index, instruction) in code.instructions.iter().enumerate() {
        if !matches!(
            instruction.opcode,
            opcode::INVOKESTATIC | opcode::INVOKEVIRTUAL
        ) {
            continue;
        }
        let called = pool.member(code.constant(index))?;
        let descriptor: &[u8] = match (called.owner, called.name, called.descriptor) {
            (b"java/lang/System", b"exit", b"(I)V") => b"(I)V",
            (b"java/lang/Runtime", b"exit" | b"halt", b"(I)V") => b"(Ljava/lang/Runtime;I)V",
            _ => continue,
        };
        let owner = pool.add_class(class.as_bytes())?;
        found.push((index, pool.add_member(METHOD, owner, b"exit", descriptor)?));
    }
    Ok(found)
}
