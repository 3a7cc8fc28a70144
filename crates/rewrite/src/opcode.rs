//! What the rewriter must know of each instruction.

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
pub(crate) const ATHROW: u8 = 0xbf;
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
