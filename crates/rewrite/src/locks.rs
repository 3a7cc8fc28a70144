//! Tests: where a stack has overflowed, no lock stays held. A handler that gives one back calls nothing of ours before it has.

use std::borrow::Cow;

use crate::bytes::{Reader, Write};
use crate::class::{Attribute, Class, Member, PUBLIC, STATIC};
use crate::code::Code;
use crate::limits::{Alone, Ids, NAME, class_file};
use crate::opcode::{MONITOREXIT, PUTFIELD, is_call};
use crate::options::{Checks, Mode, Options};
use crate::outcome::Outcome;
use crate::pool::{METHOD, Pool};
use crate::rewrite::rewrite;

/// What javac makes of `static void run(Object lock) { synchronized (lock) { run(lock); Thread.yield(); } }`, the argument of the call left
/// out. The constants are those of [`class`].
fn code(own: u16, foreign: u16) -> Vec<u8> {
    // aload_0, monitorenter, two calls
    let mut code = vec![0x2a, 0xc2, 0xb8];
    code.u2(own);
    code.u1(0xb8);
    code.u2(foreign);
    // aload_0, monitorexit, return; astore_1, aload_0, monitorexit, aload_1, athrow
    code.extend([0x2a, 0xc3, 0xb1, 0x4c, 0x2a, 0xc3, 0x2b, 0xbf]);
    let mut body = Vec::new();
    // Operands on the stack, and variables.
    body.u2(2);
    body.u2(2);
    body.u4(code.len() as u32);
    body.extend_from_slice(&code);
    // The block and the handler itself are covered by the handler, whatever is thrown.
    body.u2(2);
    for place in [2, 10, 11, 0, 11, 14, 11, 0] {
        body.u2(place);
    }
    body.u2(0);
    body
}

/// A class with that method.
fn class() -> Vec<u8> {
    let descriptor = b"(Ljava/lang/Object;)V";
    let mut pool = Pool::read(&mut Reader::new(&[0, 1])).expect("an empty pool");
    let this = pool.add_class(NAME.as_bytes()).expect("room");
    let parent = pool.add_class(b"java/lang/Object").expect("room");
    let thread = pool.add_class(b"java/lang/Thread").expect("room");
    let own = pool.add_member(METHOD, this, b"run", descriptor);
    let foreign = pool.add_member(METHOD, thread, b"yield", b"()V");
    let body = code(own.expect("room"), foreign.expect("room"));
    let run = Member {
        access: PUBLIC | STATIC,
        name: pool.add_utf8(b"run").expect("room"),
        descriptor: pool.add_utf8(descriptor).expect("room"),
        attributes: vec![Attribute {
            name: pool.add_utf8(b"Code").expect("room"),
            body: Cow::Owned(body),
        }],
    };
    class_file(pool, [this, parent], vec![run], 0)
}

/// Opcodes of each handler of the counted method, up to where it gives the lock back.
fn handlers(bytes: &[u8]) -> Vec<Vec<u8>> {
    let class = Class::read(bytes).expect("a class file");
    // Behind the old signature, which calls it.
    let counted = class.methods.last().expect("methods");
    let at = counted.find(&class.pool, b"Code").expect("attributes");
    let code = Code::read(&counted.attributes[at.expect("code")].body).expect("code");
    let opcodes = |from: usize| {
        let all = code.instructions[from..].iter().map(|one| one.opcode);
        all.take_while(|opcode| *opcode != MONITOREXIT).collect()
    };
    let handlers = code.handlers.iter();
    handlers.map(|handler| opcodes(handler.target)).collect()
}

#[test]
fn a_handler_that_gives_a_lock_back_calls_nothing_before() {
    let plain = class();
    let checks = [
        Checks::Calls,
        Checks::EveryBlock,
        Checks::Paths { max_path: 1 },
        Checks::Paths { max_path: 1000 },
    ];
    let sampled = checks.map(|checks| Options {
        checks,
        ..Options::default()
    });
    let exact = Options {
        mode: Mode::Exact,
        ..Options::default()
    };
    for options in sampled.into_iter().chain([exact]) {
        let rewritten = match rewrite(&plain, &options, &Alone, &mut Ids(0)) {
            Outcome::Rewritten { bytes, .. } => bytes,
            Outcome::LeftAlone { reason } => panic!("{reason}"),
        };
        let handlers = handlers(&rewritten);
        assert_eq!(handlers.len(), 2);
        for opcodes in handlers {
            // The context is reset there: by a store.
            assert!(opcodes.contains(&PUTFIELD), "{options:?}: {opcodes:x?}");
            let calls = opcodes.iter().any(|opcode| is_call(*opcode));
            assert!(!calls, "{options:?}: {opcodes:x?}");
        }
    }
}
