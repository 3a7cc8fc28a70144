//! What the JVM says of a method that it compiled: which methods are inlined into it, and for which places of the
//! machine code it knows the position in the program.

use std::ffi::{c_int, c_void};

use super::{Jvmti, MethodPointer, Object, Table};

/// Machine code of a method.
pub(crate) struct Compiled {
    /// The method itself.
    pub(crate) root: MethodPointer,
    /// Per place with debug information the frames there, innermost first.
    pub(crate) places: Vec<Vec<InlinedFrame>>,
}

/// One frame of a place in the machine code.
#[derive(Clone, Copy)]
pub(crate) struct InlinedFrame {
    pub(crate) method: MethodPointer,
    /// Bytecode index.
    pub(crate) at: c_int,
}

/// `jvmtiCompiledMethodLoadRecordHeader`.
#[repr(C)]
struct Record {
    kind: c_int,
    major: c_int,
    minor: c_int,
    next: *const Record,
}

/// The kind of a record that is followed by [`Inlining`].
const INLINE_INFO: c_int = 2;

/// `jvmtiCompiledMethodLoadInlineRecord`.
#[repr(C)]
struct Inlining {
    header: Record,
    places: c_int,
    place: *const Place,
}

/// `PCStackInfo`.
#[repr(C)]
struct Place {
    pc: *const c_void,
    frames: c_int,
    methods: *const Object,
    indices: *const c_int,
}

#[allow(clippy::too_many_arguments, reason = "the JVM's signature")]
pub(super) extern "system" fn on_compiled(
    jvmti: *mut Table,
    method: Object,
    _size: c_int,
    _code: *const c_void,
    _map_length: c_int,
    _map: *const c_void,
    information: *const c_void,
) {
    let compiled = Compiled {
        root: MethodPointer(method as usize),
        places: places(information.cast()),
    };
    crate::events::with(|events| events.compiled(Jvmti(jvmti), &compiled));
}

fn places(mut record: *const Record) -> Vec<Vec<InlinedFrame>> {
    let mut found = Vec::new();
    while !record.is_null() {
        // SAFETY: the JVM lends us a chain of records, each of the size that its kind says, for the time of the event;
        // arrays have the lengths that stand beside them.
        unsafe {
            if (*record).kind == INLINE_INFO {
                let inlining = record.cast::<Inlining>();
                for place in slice((*inlining).place, (*inlining).places) {
                    let methods = slice(place.methods, place.frames);
                    let indices = slice(place.indices, place.frames);
                    let frames = methods.iter().zip(indices);
                    let frames = frames.map(|(&method, &at)| InlinedFrame {
                        method: MethodPointer(method as usize),
                        at,
                    });
                    found.push(frames.collect());
                }
            }
            record = (*record).next;
        }
    }
    found
}

/// # Safety
/// `first` must be null or stand at so many values.
unsafe fn slice<'a, T>(first: *const T, count: c_int) -> &'a [T] {
    match usize::try_from(count) {
        // SAFETY: as the caller promises.
        Ok(count) if !first.is_null() => unsafe { std::slice::from_raw_parts(first, count) },
        _ => &[],
    }
}
