//! Bytecodes that the JVM executes, one by one.
//!
//! HotSpot leaves out a single step at the method and the bytecode index of the step before: it takes it for the same
//! one, told twice. A `return` that leads to the same `return` one activation further up (`return f(n - 1)` in `f`) is
//! such a step, and is found by the events of methods that end.

use std::ffi::{c_int, c_uchar};
use std::ptr;

use jni_sys::{JNIEnv, jvalue};

use super::{Jvmti, MethodPointer, OK, Object, Table, function};

/// Numbers of functions that are only used here.
const GET_FRAME_LOCATION: usize = 19;
const GET_BYTECODES: usize = 75;

/// Bytes of most calls, and of `invokeinterface` and `invokedynamic`.
const CALL: i64 = 3;
const LONG_CALL: i64 = 5;

pub(super) extern "system" fn on_step(
    _: *mut Table,
    _: *mut JNIEnv,
    _: Object,
    method: Object,
    _: i64,
) {
    crate::events::with(|events| events.step(MethodPointer(method as usize)));
}

#[allow(clippy::too_many_arguments, reason = "the JVM's signature")]
pub(super) extern "system" fn on_exit(
    jvmti: *mut Table,
    _: *mut JNIEnv,
    _: Object,
    method: Object,
    by_exception: c_uchar,
    _: jvalue,
) {
    let method = MethodPointer(method as usize);
    if by_exception == 0 && Jvmti(jvmti).returns_to_itself(method) {
        crate::events::with(|events| events.step(method));
    }
}

impl Jvmti {
    /// Whether the `return` at which the calling thread is, in that method, is also what it executes next.
    fn returns_to_itself(self, method: MethodPointer) -> bool {
        let Some((_, call)) = self.frame(1).filter(|&(caller, _)| caller == method) else {
            return false;
        };
        let Some((_, end)) = self.frame(0) else {
            return false;
        };
        match end - call {
            // No call is shorter, so that nothing lies between.
            CALL => true,
            // An `invokeinterface` or `invokedynamic`, or a shorter call and something else.
            LONG_CALL => matches!(self.opcode(method, call), Some(0xb9 | 0xba)),
            _ => false,
        }
    }

    /// Method and bytecode index of an activation of the calling thread; at depth 0 the one that runs.
    fn frame(self, depth: c_int) -> Option<(MethodPointer, i64)> {
        let (mut method, mut at): (Object, i64) = (ptr::null_mut(), 0);
        let got = call!(
            self,
            GET_FRAME_LOCATION - 1,
            fn(Object, c_int, *mut Object, *mut i64) -> c_int,
            ptr::null_mut(),
            depth,
            &raw mut method,
            &raw mut at
        );
        (got == OK).then_some((MethodPointer(method as usize), at))
    }

    /// The bytecode at an index of a method.
    fn opcode(self, method: MethodPointer, at: i64) -> Option<u8> {
        let (mut length, mut code): (c_int, *mut c_uchar) = (0, ptr::null_mut());
        let got = call!(
            self,
            GET_BYTECODES - 1,
            fn(Object, *mut c_int, *mut *mut c_uchar) -> c_int,
            method.0 as Object,
            &raw mut length,
            &raw mut code
        );
        if got != OK || code.is_null() {
            return None;
        }
        // SAFETY: the JVM wrote so many bytes there; the memory is ours until we deallocate it.
        let all = unsafe { std::slice::from_raw_parts(code, length.max(0) as usize) };
        let opcode = usize::try_from(at).ok().and_then(|at| all.get(at).copied());
        call!(
            self,
            function::DEALLOCATE - 1,
            fn(*mut c_uchar) -> c_int,
            code
        );
        opcode
    }
}
