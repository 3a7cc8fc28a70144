//! The harness's word to open or close a gate.

use std::ffi::{c_int, c_uchar, c_void};
use std::sync::OnceLock;

use jni_sys::JNIEnv;

use super::{Jvmti, Table};

/// The agent's environment: the harness's thread comes without one.
static ENVIRONMENT: OnceLock<usize> = OnceLock::new();

/// Remembers the environment.
pub(super) fn keep(jvmti: Jvmti) {
    let _ = ENVIRONMENT.set(jvmti.0 as usize);
}

/// `proofmark.harness.Gates.set(int, boolean)`
#[unsafe(no_mangle)]
extern "system" fn Java_proofmark_harness_Gates_set(
    _: *mut JNIEnv,
    _: *mut c_void,
    site: c_int,
    open: c_uchar,
) -> c_uchar {
    let mut done = false;
    if let (Some(&environment), Ok(site)) = (ENVIRONMENT.get(), u16::try_from(site)) {
        let jvmti = Jvmti(environment as *mut Table);
        crate::events::with(|events| done = events.gate(jvmti, site, open != 0));
    }
    c_uchar::from(done)
}
