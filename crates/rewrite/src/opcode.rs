//! What the rewriter must know of each instruction.

pub(crate) const ACONST_NULL: u8 = 0x01;
pub(crate) const ICONST_0: u8 = 0x03;
pub(crate) const ILOAD: u8 = 0x15;
pub(crate) const LLOAD: u8 = 0x16;
pub(crate) const DLOAD: u8 = 0x18;
pub(crate) const ALOAD: u8 = 0x19;
pub(crate) const ILOAD_0: u8 = 0x1a;
pub(crate) const ALOAD_3: u8 = 0x2d;
pub(crate) const ISTORE: u8 = 0x36;
pub(crate) const LSTORE: u8 = 0x37;
pub(crate) const DSTORE: u8 = 0x39;
pub(crate) const ASTORE: u8 = 0x3a;
pub(crate) const ISTORE_0: u8 = 0x3b;
pub(crate) const ASTORE_3: u8 = 0x4e;
pub(crate) const DUP: u8 = 0x59;
pub(crate) const DUP2: u8 = 0x5c;
pub(crate) const LADD: u8 = 0x61;
pub(crate) const LSUB: u8 = 0x65;
pub(crate) const IINC: u8 = 0x84;
pub(crate) const I2L: u8 = 0x85;
pub(crate) const GOTO: u8 = 0xa7;
pub(crate) const JSR: u8 = 0xa8;
pub(crate) const RET: u8 = 0xa9;
pub(crate) const TABLESWITCH: u8 = 0xaa;
pub(crate) const LOOKUPSWITCH: u8 = 0xab;
pub(crate) const IRETURN: u8 = 0xac;
pub(crate) const RETURN: u8 = 0xb1;
pub(crate) const GETFIELD: u8 = 0xb4;
pub(crate) const PUTFIELD: u8 = 0xb5;
pub(crate) const INVOKEVIRTUAL: u8 = 0xb6;
pub(crate) const INVOKESPECIAL: u8 = 0xb7;
pub(crate) const INVOKESTATIC: u8 = 0xb8;
pub(crate) const INVOKEINTERFACE: u8 = 0xb9;
pub(crate) const INVOKEDYNAMIC: u8 = 0xba;
pub(crate) const NEW: u8 = 0xbb;
pub(crate) const ATHROW: u8 = 0xbf;
pub(crate) const MONITOREXIT: u8 = 0xc3;
pub(crate) const MULTIANEWARRAY: u8 = 0xc5;
pub(crate) const WIDE: u8 = 0xc4;
pub(crate) const GOTO_W: u8 = 0xc8;
pub(crate) const JSR_W: u8 = 0xc9;

/// Length in bytes of every instruction of fixed length; 0 for switches, `wide` and unknown opcodes.
pub(crate) fn length(opcode: u8) -> usize {
    match opcode {
        0x10 | 0x12 | ILOAD..=ALOAD | ISTORE..=ASTORE | RET | 0xbc => 2,
        0x11 | 0x13 | 0x14 | IINC | 0x99..=JSR | 0xb2..=INVOKESTATIC => 3,
        0xbb | 0xbd | 0xc0 | 0xc1 | 0xc6 | 0xc7 => 3,
        0xc5 => 4,
        INVOKEINTERFACE | INVOKEDYNAMIC | GOTO_W | JSR_W => 5,
        TABLESWITCH | LOOKUPSWITCH | WIDE => 0,
        0..=0xc3 => 1,
        _ => 0,
    }
}

/// Branches that may also fall through.
pub(crate) fn is_conditional(opcode: u8) -> bool {
    matches!(opcode, 0x99..=0xa6 | 0xc6 | 0xc7)
}

pub(crate) fn is_return(opcode: u8) -> bool {
    (IRETURN..=RETURN).contains(&opcode)
}

/// Whether the instruction stores to a local variable; `iinc`, which leaves its type as it is, does not count.
pub(crate) fn is_store(opcode: u8) -> bool {
    matches!(opcode, ISTORE..=ASTORE | ISTORE_0..=ASTORE_3)
}

/// Whether the next instruction is not reached by falling through.
pub(crate) fn is_final(opcode: u8) -> bool {
    matches!(opcode, GOTO | GOTO_W | RET | TABLESWITCH..=RETURN | ATHROW)
}

/// Whether the instruction ends a basic block.
pub(crate) fn ends_block(opcode: u8) -> bool {
    is_conditional(opcode) || is_final(opcode) || matches!(opcode, JSR | JSR_W)
}

pub(crate) fn is_call(opcode: u8) -> bool {
    (INVOKEVIRTUAL..=INVOKEDYNAMIC).contains(&opcode)
}

/// Whether the instruction can throw an exception, load a class or run a static initialiser.
pub(crate) fn can_throw(opcode: u8) -> bool {
    match opcode {
        // Constants of the pool may be classes, method handles or dynamic: they can be resolved only at run time.
        0x12..=0x14 => true,
        // Loads from and stores to arrays, integer division.
        0x2e..=0x35 | 0x4f..=0x56 | 0x6c | 0x6d | 0x70 | 0x71 => true,
        // Fields, calls, allocation, casts, monitors.
        0xb2..=0xc3 | 0xc5 => true,
        _ => false,
    }
}

/// Slots that an instruction takes from the operand stack and puts there; not for constants, fields, calls and
/// `multianewarray`, whose numbers the constant pool or the instruction says.
pub(crate) fn stack(opcode: u8) -> (usize, usize) {
    // Types go round: int, long, float, double.
    let wide = !opcode.is_multiple_of(2);
    let both = if wide { 2 } else { 1 };
    match opcode {
        0x01..=0x08 | 0x0b..=0x0d | 0x10 | 0x11 => (0, 1),
        0x09 | 0x0a | 0x0e | 0x0f => (0, 2),
        0x15 | 0x17 | 0x19 | 0x1a..=0x1d | 0x22..=0x25 | 0x2a..=0x2d => (0, 1),
        0x16 | 0x18 | 0x1e..=0x21 | 0x26..=0x29 => (0, 2),
        0x2f | 0x31 => (2, 2),
        0x2e..=0x35 => (2, 1),
        0x36 | 0x38 | 0x3a | 0x3b..=0x3e | 0x43..=0x46 | 0x4b..=0x4e => (1, 0),
        0x37 | 0x39 | 0x3f..=0x42 | 0x47..=0x4a => (2, 0),
        0x50 | 0x52 => (4, 0),
        0x4f..=0x56 => (3, 0),
        // pop, pop2, dup, dup_x1, dup_x2, dup2, dup2_x1, dup2_x2, swap
        0x57 => (1, 0),
        0x58 => (2, 0),
        DUP => (1, 2),
        0x5a => (2, 3),
        0x5b => (3, 4),
        DUP2 => (2, 4),
        0x5d => (3, 5),
        0x5e => (4, 6),
        0x5f => (2, 2),
        // Arithmetic; shifts take an int; logic.
        0x60..=0x73 | 0x7e..=0x83 => (2 * both, both),
        0x74..=0x77 => (both, both),
        0x78..=0x7d => (1 + both, both),
        // Conversions and comparisons.
        0x85 | 0x87 | 0x8c | 0x8d => (1, 2),
        0x88 | 0x89 | 0x8e | 0x90 => (2, 1),
        0x8a | 0x8f => (2, 2),
        0x86 | 0x8b | 0x91..=0x93 => (1, 1),
        0x95 | 0x96 => (2, 1),
        0x94 | 0x97 | 0x98 => (4, 1),
        // Branches and returns of one value, of two.
        0x99..=0x9e | 0xc6 | 0xc7 | TABLESWITCH | LOOKUPSWITCH | 0xac | 0xae | 0xb0 => (1, 0),
        0x9f..=0xa6 | 0xad | 0xaf => (2, 0),
        // new, arrays, casts, throw, monitors
        0xbb => (0, 1),
        0xbc..=0xbe | 0xc0 | 0xc1 => (1, 1),
        ATHROW | 0xc2 | 0xc3 => (1, 0),
        _ => (0, 0),
    }
}
