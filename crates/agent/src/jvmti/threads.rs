//! Threads that begin and end, their CPU time, and the harness's questions about it ([`crate::threads`]).

use std::ffi::{c_char, c_int, c_uchar};
use std::ptr;

use jni_sys::JNIEnv;

use super::{Jvmti, OK, Object, Table};
use crate::threads;

/// Number of a function that is only used here.
const GET_THREAD_INFO: usize = 9;

/// `jvmtiThreadInfo`.
#[repr(C)]
struct Information {
    name: *mut c_char,
    priority: c_int,
    is_daemon: c_uchar,
    group: Object,
    loader: Object,
}

pub(super) extern "system" fn on_start(jvmti: *mut Table, _: *mut JNIEnv, thread: Object) {
    let name = Jvmti(jvmti).thread_name(thread);
    crate::events::with(|events| events.thread_begins(name.as_deref()));
}

pub(super) extern "system" fn on_end(_: *mut Table, _: *mut JNIEnv, _: Object) {
    crate::events::with(|events| events.thread_ends());
}

impl Jvmti {
    /// The Java name of a thread; none while the JVM starts.
    fn thread_name(self, thread: Object) -> Option<String> {
        let mut information = Information {
            name: ptr::null_mut(),
            priority: 0,
            is_daemon: 0,
            group: ptr::null_mut(),
            loader: ptr::null_mut(),
        };
        let got = call!(
            self,
            GET_THREAD_INFO - 1,
            fn(Object, *mut Information) -> c_int,
            thread,
            &raw mut information
        );
        (got == OK).then(|| self.taken(information.name))
    }
}

/// `struct timespec` of 64-bit systems.
#[repr(C)]
struct Time {
    s: i64,
    ns: i64,
}

unsafe extern "C" {
    fn clock_gettime(clock: c_int, time: *mut Time) -> c_int;
}

/// Marks of the number of a clock, as the kernel and `pthread_getcpuclockid` have them: of a single thread, and by the
/// scheduler, which is exact to the nanosecond whether or not the thread runs just now.
const OF_A_THREAD: c_int = 4;
const BY_THE_SCHEDULER: c_int = 2;

/// CPU time of a thread of this process, by its kernel's id, ns; none if it has ended.
pub(crate) fn cpu_ns(thread: c_int) -> Option<u64> {
    let clock = (!thread << 3) | OF_A_THREAD | BY_THE_SCHEDULER;
    let mut time = Time { s: 0, ns: 0 };
    // SAFETY: the C library's function; it writes one time where there is room for one.
    let got = unsafe { clock_gettime(clock, &raw mut time) };
    let ns = time.s * 1_000_000_000 + time.ns;
    u64::try_from(ns).ok().filter(|_| got == 0)
}

/// `proofmark.harness.AllThreads.cpuTime()`
#[unsafe(no_mangle)]
pub extern "system" fn Java_proofmark_harness_AllThreads_cpuTime(_: *mut JNIEnv, _: Object) -> i64 {
    threads::ledger().total_ns().cast_signed()
}

/// `proofmark.harness.AllThreads.mark()`
#[unsafe(no_mangle)]
pub extern "system" fn Java_proofmark_harness_AllThreads_mark(_: *mut JNIEnv, _: Object) {
    threads::ledger().mark();
}

/// `proofmark.harness.AllThreads.busy()`
#[unsafe(no_mangle)]
pub extern "system" fn Java_proofmark_harness_AllThreads_busy(_: *mut JNIEnv, _: Object) -> c_int {
    threads::ledger().since_mark().threads.cast_signed()
}

/// `proofmark.harness.AllThreads.busiest()`
#[unsafe(no_mangle)]
pub extern "system" fn Java_proofmark_harness_AllThreads_busiest(_: *mut JNIEnv, _: Object) -> i64 {
    threads::ledger().since_mark().busiest_ns.cast_signed()
}
