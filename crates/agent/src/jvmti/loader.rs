//! A class loader of the running program.

use std::ffi::c_int;
use std::ptr;

use super::{Jvmti, OK, Object, Table};
use crate::jni::{Jni, Weak};

/// Number of a function that is only used here.
const GET_CURRENT_THREAD: usize = 18;

/// What the names of the JDK's own loaders begin with, which all ask the boot loader for what it has.
const LOADERS_OF_THE_JDK: &str = "jdk/internal/loader/";

/// A class loader: valid in the callback that handed it out.
#[derive(Clone, Copy)]
pub(crate) struct Loader {
    jvmti: Jvmti,
    jni: Jni,
    object: Object,
}

impl Loader {
    /// The loader that is this object; null is the boot loader.
    pub(super) fn new(jvmti: Jvmti, jni: Jni, object: Object) -> Self {
        Self { jvmti, jni, object }
    }

    /// Whether it is one of the JDK's own, which find every class of the boot loader.
    pub(crate) fn is_of_the_jdk(self) -> bool {
        let kind = self.kind();
        self.object.is_null() || kind.is_some_and(|name| name.starts_with(LOADERS_OF_THE_JDK))
    }

    /// Internal name of its class; none of the boot loader, and where the JVM does not say it.
    pub(crate) fn kind(self) -> Option<String> {
        if self.object.is_null() {
            return None;
        }
        self.jvmti.class_name(self.jni.class_of(self.object))
    }

    /// Whether it finds a class of that internal name. Its Java code runs for that, which may load other classes.
    pub(crate) fn finds(self, class: &str) -> bool {
        self.jni.finds(self.object, class)
    }

    /// Whether this thread holds the loader's own lock, as it does while one that knows no other lock loads a class.
    pub(crate) fn is_locked_here(self) -> bool {
        let mut thread: Object = ptr::null_mut();
        let got = call!(
            self.jvmti,
            GET_CURRENT_THREAD - 1,
            fn(*mut Object) -> c_int,
            &raw mut thread
        );
        got == OK && !thread.is_null() && self.jni.holds_lock(thread, self.object)
    }

    /// Hands whether it finds a class of an internal name to what is done in a thread of its own, which holds none of the program's
    /// locks. Where there can be no such thread, nothing is done.
    pub(crate) fn elsewhere(self, done: impl FnOnce(&dyn Fn(&str) -> bool) + Send + 'static) {
        self.jni.elsewhere(self.object, done);
    }

    /// Remembers it without keeping it from collection.
    pub(crate) fn remembered(self) -> Option<Weak> {
        self.jni.weak(self.object)
    }

    /// Whether it is the remembered one.
    pub(crate) fn is(self, weak: Weak) -> bool {
        self.jni.is_remembered(self.object, weak)
    }

    /// Gives a remembered loader up if it was collected, or is this one; whether it still is remembered.
    pub(crate) fn keeps(self, weak: Weak) -> bool {
        let gone = self.jni.is_remembered(ptr::null_mut(), weak) || self.is(weak);
        if gone {
            self.jni.forget(weak);
        }
        !gone
    }
}
