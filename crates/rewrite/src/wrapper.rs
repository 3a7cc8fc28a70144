//! Methods that lead from the old signature to the extended one and back.

use std::borrow::Cow;

use crate::Reason;
use crate::bytes::{Reader, Write};
use crate::class::{Attribute, JAVA_6, write_attributes};
use crate::code::Code;
use crate::descriptor;
use crate::frames::{self, Frame, Type};
use crate::layout::access;
use crate::opcode;
use crate::options::Mode;
use crate::pool::Pool;
use crate::runtime::{Runtime, Symbol};

/// The method that a wrapper calls.
pub(crate) struct Callee<'c> {
    /// How it is invoked.
    pub(crate) opcode: u8,
    /// Its constant.
    pub(crate) slot: u16,
    /// The descriptor without the additional parameters.
    pub(crate) descriptor: &'c [u8],
    /// Type of `this` at entry of the wrapper, none for static methods.
    pub(crate) this: Option<Type>,
}

impl Callee<'_> {
    fn slots(&self) -> Result<u16, Reason> {
        Ok(descriptor::slots(self.descriptor)? as u16 + u16::from(self.this.is_some()))
    }

    /// Pushes `this` and the old parameters.
    fn push_arguments(&self, out: &mut Vec<u8>) -> Result<(), Reason> {
        let mut local = 0;
        if self.this.is_some() {
            access(opcode::ALOAD, 0, out);
            local = 1;
        }
        for parameter in descriptor::parameters(self.descriptor)? {
            access(load(parameter), local, out);
            local += descriptor::slots_of(parameter) as u16;
        }
        Ok(())
    }

    /// Invokes; the arguments, `more` slots of them additional, are on the stack.
    fn invoke(&self, more: u16, out: &mut Vec<u8>) -> Result<(), Reason> {
        out.u1(self.opcode);
        out.u2(self.slot);
        if self.opcode == opcode::INVOKEINTERFACE {
            let count = u8::try_from(self.slots()? + more).map_err(|_| Reason::TooManySlots)?;
            out.extend_from_slice(&[count, 0]);
        }
        Ok(())
    }

    fn return_opcode(&self) -> u8 {
        match descriptor::result(self.descriptor) {
            b"V" => opcode::RETURN,
            result => load(result) - opcode::ILOAD + opcode::IRETURN,
        }
    }
}

fn load(one: &[u8]) -> u8 {
    match one.first() {
        Some(b'J') => opcode::LLOAD,
        Some(b'F') => opcode::LLOAD + 1,
        Some(b'D') => opcode::DLOAD,
        Some(b'L' | b'[') => opcode::ALOAD,
        _ => opcode::ILOAD,
    }
}

/// Code of a wrapper: the old signature, which enters counted code.
///
/// `line` is the source line that stack traces show for it. A constructor's wrapper cannot have an exception handler: the
/// verifier allows no frame there that fits before and after the call of the other constructor. The runtime notices at
/// the next call that the exception has left it.
pub(crate) fn forward(
    callee: &Callee<'_>,
    line: Option<u16>,
    major: u16,
    pool: &mut Pool<'_>,
    runtime: &mut Runtime,
) -> Result<Vec<u8>, Reason> {
    let entry = callee.slots()?;
    let more = runtime.parameter_slots() as u16;
    let mut code = Vec::new();
    runtime.emit(Symbol::Enter, pool, &mut code)?;
    access(opcode::ASTORE, entry, &mut code);
    let start = code.len();
    callee.push_arguments(&mut code)?;
    if runtime.mode == Mode::Sampling {
        access(opcode::ALOAD, entry, &mut code);
        runtime.emit(Symbol::FrameContext, pool, &mut code)?;
        access(opcode::ALOAD, entry, &mut code);
        access(opcode::ALOAD, entry, &mut code);
        runtime.emit(Symbol::FrameContext, pool, &mut code)?;
        runtime.emit(Symbol::Count, pool, &mut code)?;
    } else {
        access(opcode::ALOAD, entry, &mut code);
    }
    callee.invoke(more, &mut code)?;
    let end = code.len();
    access(opcode::ALOAD, entry, &mut code);
    runtime.emit(Symbol::Exit, pool, &mut code)?;
    code.u1(callee.return_opcode());
    let handler = code.len();
    let guarded = callee.this != Some(Type::UninitializedThis);
    if guarded {
        access(opcode::ALOAD, entry, &mut code);
        runtime.emit(Symbol::Exit, pool, &mut code)?;
        code.u1(opcode::ATHROW);
    }
    let mut attributes = Vec::new();
    if guarded && major >= JAVA_6 {
        let mut class = |name: &[u8]| pool.add_class(name);
        let parameters = frames::parameters(callee.descriptor, callee.this, &mut class)?;
        let throwable = Type::Object(class(b"java/lang/Throwable")?);
        let mut locals = parameters.clone();
        locals.push(Type::Object(runtime.entry_class(pool)?));
        let frame = Frame {
            at: handler as u32,
            locals,
            stack: vec![throwable],
        };
        let mut body = Vec::new();
        frames::encode(&[frame], &parameters, &mut body)?;
        attributes.push(attribute(b"StackMapTable", body, pool)?);
    }
    if let Some(line) = line {
        let mut body = Vec::new();
        [1, 0, line].into_iter().for_each(|word| body.u2(word));
        attributes.push(attribute(b"LineNumberTable", body, pool)?);
    }
    let mut out = Vec::new();
    out.u2(entry + more + 2);
    out.u2(entry + 1);
    out.u4(code.len() as u32);
    out.extend_from_slice(&code);
    if guarded {
        for word in [1, start, end, handler, 0] {
            out.u2(word as u16);
        }
    } else {
        out.u2(0);
    }
    write_attributes(&attributes, &mut out)?;
    Ok(out)
}

/// Code of a reverse wrapper: the extended signature, which calls what is not counted.
pub(crate) fn reverse(
    callee: &Callee<'_>,
    pool: &mut Pool<'_>,
    runtime: &mut Runtime,
) -> Result<Vec<u8>, Reason> {
    let entry = callee.slots()?;
    let mut code = Vec::new();
    access(opcode::ALOAD, entry, &mut code);
    if runtime.mode == Mode::Sampling {
        access(opcode::ALOAD, entry + 1, &mut code);
        access(opcode::LLOAD, entry + 2, &mut code);
    }
    runtime.emit(Symbol::Pass, pool, &mut code)?;
    callee.push_arguments(&mut code)?;
    callee.invoke(0, &mut code)?;
    access(opcode::ALOAD, entry, &mut code);
    runtime.emit(Symbol::Back, pool, &mut code)?;
    if runtime.mode == Mode::Sampling {
        code.u1(POP2);
    }
    code.u1(callee.return_opcode());
    let mut out = Vec::new();
    out.u2(entry + 4);
    out.u2(entry + runtime.parameter_slots() as u16);
    out.u4(code.len() as u32);
    out.extend_from_slice(&code);
    out.u2(0);
    out.u2(0);
    Ok(out)
}

const POP2: u8 = 0x58;

fn attribute<'a>(name: &[u8], body: Vec<u8>, pool: &mut Pool<'a>) -> Result<Attribute<'a>, Reason> {
    Ok(Attribute {
        name: pool.add_utf8(name)?,
        body: Cow::Owned(body),
    })
}

/// First source line of the code in a `Code` attribute; none without a table of lines.
pub(crate) fn first_line(code: &[u8], pool: &Pool<'_>) -> Result<Option<u16>, Reason> {
    let code = Code::read(code)?;
    for attribute in &code.attributes {
        if pool.utf8(attribute.name)? == b"LineNumberTable" {
            return Ok(first_row(&attribute.body));
        }
    }
    Ok(None)
}

fn first_row(table: &[u8]) -> Option<u16> {
    let mut reader = Reader::new(table);
    let rows = reader.table(|reader| Ok((reader.u2()?, reader.u2()?)));
    let first = rows.ok()?.into_iter().min_by_key(|&(at, _)| at);
    first.map(|(_, line)| line)
}
