//! Machine code -> instructions.

use iced_x86::{
    Decoder, DecoderOptions, Instruction as Raw, Mnemonic, OpKind, Register, RoundingControl,
};

use super::{Flow, Instruction};

/// The instructions of code that lies at this address; none where some bytes are no instruction.
#[must_use]
pub fn disassembled(bytes: &[u8], address: u64) -> Option<Vec<Instruction>> {
    let mut all = Vec::new();
    for raw in Decoder::with_ip(64, bytes, address, DecoderOptions::NONE) {
        if raw.is_invalid() {
            return None;
        }
        all.push(instruction(&raw));
    }
    Some(all)
}

/// Addresses that code mentions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mentioned {
    /// Targets of its jumps.
    pub jumped: Vec<u64>,
    /// What it names by a distance from itself.
    pub places: Vec<u64>,
    /// Its immediate values and displacements, which may be addresses.
    pub numbers: Vec<u64>,
}

/// The addresses that code at this address mentions, as far as its bytes are instructions.
#[must_use]
pub fn mentioned(bytes: &[u8], address: u64) -> Mentioned {
    let mut all = Mentioned::default();
    let raw = Decoder::with_ip(64, bytes, address, DecoderOptions::NONE);
    for raw in raw.into_iter().take_while(|raw| !raw.is_invalid()) {
        if let Flow::Jump(target) | Flow::Branch(target) = flow(&raw) {
            all.jumped.push(target);
        }
        all.places.extend(place(&raw));
        for at in 0..raw.op_count() {
            match raw.op_kind(at) {
                OpKind::Memory if !raw.is_ip_rel_memory_operand() => {
                    all.numbers.push(raw.memory_displacement64());
                }
                _ => all.numbers.extend(raw.try_immediate(at)),
            }
        }
    }
    all
}

fn instruction(raw: &Raw) -> Instruction {
    let mut numbers = Vec::new();
    let operands: Vec<String> = (0..raw.op_count())
        .map(|at| operand(raw, at, &mut numbers))
        .collect();
    let name = format!("{:?}", raw.mnemonic()).to_ascii_lowercase();
    let shape = [
        prefixes(raw),
        name,
        " ".to_owned(),
        operands.join(", "),
        vector(raw),
    ];
    Instruction {
        address: raw.ip(),
        length: raw.len() as u32,
        shape: shape.concat().trim_end().to_owned(),
        idle: is_idle(raw),
        nothing: raw.mnemonic() == Mnemonic::Nop,
        numbers,
        place: place(raw),
        flow: flow(raw),
    }
}

/// Prefixes that change what an instruction does. Others pad it or speak to the branch predictor.
fn prefixes(raw: &Raw) -> String {
    let all = [
        (raw.has_lock_prefix(), "lock "),
        (raw.has_rep_prefix(), "rep "),
        (raw.has_repne_prefix(), "repne "),
        (raw.has_xacquire_prefix(), "xacquire "),
        (raw.has_xrelease_prefix(), "xrelease "),
    ];
    let there = all.into_iter().filter(|(there, _)| *there);
    there.map(|(_, name)| name).collect()
}

fn operand(raw: &Raw, at: u32, numbers: &mut Vec<u64>) -> String {
    match raw.op_kind(at) {
        OpKind::Register => name(raw.op_register(at)),
        OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64 => "target".to_owned(),
        OpKind::Memory => memory(raw, numbers),
        kind => match raw.try_immediate(at) {
            Ok(number) => {
                numbers.push(number);
                "#".to_owned()
            }
            // Of string instructions.
            Err(_) => format!("{}{kind:?}", segment(raw)),
        },
    }
}

fn memory(raw: &Raw, numbers: &mut Vec<u64>) -> String {
    let (size, segment) = (raw.memory_size(), segment(raw));
    if raw.is_ip_rel_memory_operand() {
        return format!("{size:?} {segment}[place]");
    }
    numbers.push(raw.memory_displacement64());
    let [base, index] = [raw.memory_base(), raw.memory_index()].map(name);
    let scale = raw.memory_index_scale();
    format!("{size:?} {segment}[{base}+{index}*{scale}+#]")
}

/// The segments that have addresses of their own; the others are padding where they are written.
fn segment(raw: &Raw) -> String {
    match raw.segment_prefix() {
        one @ (Register::FS | Register::GS) => format!("{}:", name(one)),
        _ => String::new(),
    }
}

fn name(register: Register) -> String {
    format!("{register:?}").to_ascii_lowercase()
}

/// What instructions on wide registers have besides.
fn vector(raw: &Raw) -> String {
    let mut text = String::new();
    if raw.has_op_mask() {
        text.push_str(&format!(" {{{}}}", name(raw.op_mask())));
    }
    if raw.zeroing_masking() {
        text.push_str(" {z}");
    }
    if raw.is_broadcast() {
        text.push_str(" {broadcast}");
    }
    if raw.rounding_control() != RoundingControl::None {
        text.push_str(&format!(" {{{:?}}}", raw.rounding_control()));
    }
    if raw.suppress_all_exceptions() {
        text.push_str(" {sae}");
    }
    text
}

fn is_near(raw: &Raw) -> bool {
    let near = [
        OpKind::NearBranch16,
        OpKind::NearBranch32,
        OpKind::NearBranch64,
    ];
    raw.op_count() > 0 && near.contains(&raw.op_kind(0))
}

fn flow(raw: &Raw) -> Flow {
    let target = raw.near_branch_target();
    match raw.mnemonic() {
        Mnemonic::Call => Flow::Next,
        Mnemonic::Jmp if is_near(raw) => Flow::Jump(target),
        Mnemonic::Jmp => Flow::Indirect,
        Mnemonic::Ret
        | Mnemonic::Retf
        | Mnemonic::Iret
        | Mnemonic::Iretd
        | Mnemonic::Iretq
        | Mnemonic::Ud2
        | Mnemonic::Hlt => Flow::Leaves,
        _ if is_near(raw) => Flow::Branch(target),
        _ => Flow::Next,
    }
}

fn place(raw: &Raw) -> Option<u64> {
    let mut operands = 0..raw.op_count();
    let relative = operands.any(|at| raw.op_kind(at) == OpKind::Memory);
    (relative && raw.is_ip_rel_memory_operand()).then(|| raw.ip_rel_memory_address())
}

/// Whether registers, flags and memory stay what they are: `nop`, `pause`, `sfence`, `mov r8, r8`, `lea r8, [r8]`.
fn is_idle(raw: &Raw) -> bool {
    let first = raw.op0_register();
    let wide = (Register::RAX..=Register::R15).contains(&first);
    let both = raw.op_count() == 2 && raw.op_kind(0) == OpKind::Register && wide;
    match raw.mnemonic() {
        Mnemonic::Nop | Mnemonic::Pause | Mnemonic::Sfence => true,
        Mnemonic::Mov => both && raw.op_kind(1) == OpKind::Register && raw.op_register(1) == first,
        Mnemonic::Lea => {
            both && raw.memory_base() == first
                && raw.memory_index() == Register::None
                && raw.memory_displacement64() == 0
        }
        _ => false,
    }
}
