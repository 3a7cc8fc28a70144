//! Parts of a method that are not always run: where branches lead.

use std::collections::{BTreeMap, BTreeSet};

use crate::Reason;
use crate::code::Code;
use crate::frames::{Frame, Type};
use crate::opcode;
use crate::pool::Pool;
use crate::throwing::{Around, Follower};

use super::place::loop_heads;

/// Instructions that such a part begins with, in the order of the code, each with the types of the local variables there. What
/// is run over and over is a loop's, and left out, as are places with operands on the stack, and those where the types are not
/// known without computing frames. `frames` are the method's own, by instruction; `entry` are the types of its parameters.
pub(super) fn branches<'a>(
    code: &Code<'a>,
    pool: &Pool<'a>,
    frames: &BTreeMap<usize, Frame>,
    entry: &[Type],
) -> Result<Vec<(usize, Vec<Type>)>, Reason> {
    let begins = begins(code)?;
    let around = Around {
        // Which operand is `this` does not matter here.
        instance: false,
        leave_stores: false,
    };
    let mut follower = Follower::new(code, pool, around);
    let mut locals = Some(entry.to_vec());
    let mut base = 0;
    let mut found = Vec::new();
    for (index, instruction) in code.instructions.iter().enumerate() {
        if let Some(frame) = frames.get(&index) {
            locals = Some(frame.locals.clone());
            let height: usize = frame.stack.iter().map(|one| one.slots()).sum();
            base = height as isize;
            follower.begin();
        }
        if begins.contains(&index)
            && base + follower.growth() == 0
            && let Some(known) = locals.as_ref().filter(|known| initialised(known))
        {
            found.push((index, known.clone()));
        }
        follower.step(index, None)?;
        if opcode::is_store(instruction.opcode) || opcode::is_final(instruction.opcode) {
            locals = None;
        }
    }
    Ok(found)
}

/// Where branches lead, but for heads of loops.
fn begins(code: &Code<'_>) -> Result<BTreeSet<usize>, Reason> {
    let mut begins = BTreeSet::new();
    for (index, instruction) in code.instructions.iter().enumerate() {
        if opcode::is_conditional(instruction.opcode) {
            begins.insert(index + 1);
        }
        code.targets(index, |target| {
            begins.insert(target);
        })?;
    }
    for head in loop_heads(code)? {
        begins.remove(&head);
    }
    Ok(begins)
}

/// Whether nothing is in the variables whose type changes when a constructor is called.
fn initialised(locals: &[Type]) -> bool {
    let waits = |one: &Type| matches!(one, Type::UninitializedThis | Type::Uninitialized(_));
    !locals.iter().any(waits)
}
