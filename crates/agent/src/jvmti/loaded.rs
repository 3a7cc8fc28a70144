//! Classes that the JVM has loaded.

use std::ffi::{c_char, c_int, c_uchar};
use std::ptr;

use super::{Jvmti, OK, Object, Table, function};

/// Numbers of functions that are only used here.
const GET_LOADED_CLASSES: usize = 78;
const RETRANSFORM_CLASSES: usize = 152;

impl Jvmti {
    /// Hands the class files of loaded classes to the hook again; `wanted` chooses them by their internal names. False
    /// if the JVM refuses.
    pub(crate) fn retransform(self, wanted: impl Fn(&str) -> bool) -> bool {
        let (mut count, mut classes): (c_int, *mut Object) = (0, ptr::null_mut());
        let got = call!(
            self,
            GET_LOADED_CLASSES - 1,
            fn(*mut c_int, *mut *mut Object) -> c_int,
            &raw mut count,
            &raw mut classes
        );
        if got != OK || classes.is_null() {
            return false;
        }
        // SAFETY: the JVM wrote so many classes there; the memory is ours until we deallocate it.
        let all = unsafe { std::slice::from_raw_parts(classes, count.max(0) as usize) };
        let named = |class: &Object| self.class_name(*class).is_some_and(|name| wanted(&name));
        let chosen: Vec<Object> = all.iter().copied().filter(named).collect();
        call!(
            self,
            function::DEALLOCATE - 1,
            fn(*mut c_uchar) -> c_int,
            classes.cast()
        );
        chosen.is_empty()
            || call!(
                self,
                RETRANSFORM_CLASSES - 1,
                fn(c_int, *const Object) -> c_int,
                chosen.len() as c_int,
                chosen.as_ptr()
            ) == OK
    }

    fn class_name(self, class: Object) -> Option<String> {
        let mut signature = ptr::null_mut();
        let of_class = call!(
            self,
            function::GET_CLASS_SIGNATURE - 1,
            fn(Object, *mut *mut c_char, *mut *mut c_char) -> c_int,
            class,
            &raw mut signature,
            ptr::null_mut()
        );
        (of_class == OK).then(|| internal_name(&self.taken(signature)))
    }
}

/// `com/acme/Main` of `Lcom/acme/Main;`.
pub(super) fn internal_name(signature: &str) -> String {
    let class = signature.strip_prefix('L').unwrap_or(signature);
    class.strip_suffix(';').unwrap_or(class).to_owned()
}
