//! Classes that the JVM loads, and those that it has loaded.

use std::ffi::{CStr, c_char, c_int, c_uchar};
use std::ptr;

use jni_sys::JNIEnv;
use proofmark_rewrite::from_modified_utf8;

use super::{Jvmti, Loader, OK, Object, Refusal, Table, function};
use crate::jni::{Jni, Kept};

/// Numbers of functions that are only used here.
const GET_CLASS_LOADER: usize = 57;
const GET_LOADED_CLASSES: usize = 78;
const RETRANSFORM_CLASSES: usize = 152;

/// A class of the running program: valid in the callback that handed it out.
#[derive(Clone, Copy)]
pub(crate) struct ClassPointer(Object);

/// A class that is about to be defined, or to be changed.
pub(crate) struct LoadedClass<'a> {
    jvmti: Jvmti,
    jni: Jni,
    loader: Object,
    /// Internal name, where the JVM knows it.
    pub(crate) name: Option<&'a str>,
    /// The class file.
    pub(crate) bytes: &'a [u8],
    /// It is there and is to be changed.
    pub(crate) again: bool,
    size_out: *mut c_int,
    bytes_out: *mut *mut c_uchar,
}

impl LoadedClass<'_> {
    /// Whether the boot loader defines it.
    pub(crate) fn is_boot(&self) -> bool {
        self.loader.is_null()
    }

    /// Whether that loader defines it.
    pub(crate) fn is_of(&self, loader: Kept) -> bool {
        self.jni.is_same(self.loader, loader)
    }

    /// The loader that defines it, or did.
    pub(crate) fn loader(&self) -> Loader {
        Loader::new(self.jvmti, self.jni, self.loader)
    }

    /// Gives the JVM another class file in its place; false if there is no memory.
    pub(crate) fn replace(self, bytes: &[u8]) -> bool {
        let Some(memory) = self.jvmti.copied(bytes) else {
            return false;
        };
        // SAFETY: both are the JVM's out parameters of this call of the hook; the memory is its own.
        unsafe {
            *self.size_out = bytes.len() as c_int;
            *self.bytes_out = memory;
        }
        true
    }
}

#[allow(clippy::too_many_arguments, reason = "the JVM's signature")]
pub(super) extern "system" fn on_class(
    jvmti: *mut Table,
    jni: *mut JNIEnv,
    redefined: Object,
    loader: Object,
    name: *const c_char,
    _domain: Object,
    size: c_int,
    bytes: *const c_uchar,
    size_out: *mut c_int,
    bytes_out: *mut *mut c_uchar,
) {
    let Ok(size) = usize::try_from(size) else {
        return;
    };
    // SAFETY: the JVM lends us `size` bytes and a name with a zero at its end, or null, for this call.
    let (name, bytes) = unsafe {
        let name = (!name.is_null()).then(|| CStr::from_ptr(name));
        (name, std::slice::from_raw_parts(bytes, size))
    };
    // Names that are no text could be taken for others.
    let name = name.map(|name| from_modified_utf8(name.to_bytes()));
    let name = name.filter(|name| !name.contains(char::REPLACEMENT_CHARACTER));
    crate::events::with(|events| {
        events.class(LoadedClass {
            jvmti: Jvmti(jvmti),
            jni: Jni(jni),
            loader,
            name: name.as_deref(),
            bytes,
            again: !redefined.is_null(),
            size_out,
            bytes_out,
        });
    });
}

pub(super) extern "system" fn on_prepared(
    jvmti: *mut Table,
    jni: *mut JNIEnv,
    _: Object,
    class: Object,
) {
    crate::events::with(|events| events.prepared(Jvmti(jvmti), Jni(jni), ClassPointer(class)));
}

impl Jvmti {
    /// Classes that are loaded and that `wanted` chooses by their internal names; none if the JVM does not say which there are.
    pub(crate) fn loaded(self, wanted: impl Fn(&str) -> bool) -> Option<Vec<ClassPointer>> {
        let (mut count, mut classes): (c_int, *mut Object) = (0, ptr::null_mut());
        let got = call!(
            self,
            GET_LOADED_CLASSES - 1,
            fn(*mut c_int, *mut *mut Object) -> c_int,
            &raw mut count,
            &raw mut classes
        );
        if got != OK || classes.is_null() {
            return None;
        }
        // SAFETY: the JVM wrote so many classes there; the memory is ours until we deallocate it.
        let all = unsafe { std::slice::from_raw_parts(classes, count.max(0) as usize) };
        let named = |class: &Object| self.class_name(*class).is_some_and(|name| wanted(&name));
        let chosen = all.iter().copied().filter(named).map(ClassPointer);
        let chosen = chosen.collect();
        call!(
            self,
            function::DEALLOCATE - 1,
            fn(*mut c_uchar) -> c_int,
            classes.cast()
        );
        Some(chosen)
    }

    /// Hands the file of a class that is there to the hook again. Where the JVM refuses what it gives, the class stays as it was.
    pub(crate) fn retransform(self, class: ClassPointer) -> Result<(), Refusal> {
        let changed = call!(
            self,
            RETRANSFORM_CLASSES - 1,
            fn(c_int, *const Object) -> c_int,
            1,
            &raw const class.0
        );
        match changed {
            OK => Ok(()),
            error => Err(Refusal(error)),
        }
    }

    /// The loader of a class; none if the JVM does not say it.
    pub(crate) fn loader(self, jni: Jni, class: ClassPointer) -> Option<Loader> {
        let mut loader: Object = ptr::null_mut();
        let got = call!(
            self,
            GET_CLASS_LOADER - 1,
            fn(Object, *mut Object) -> c_int,
            class.0,
            &raw mut loader
        );
        (got == OK).then(|| Loader::new(self, jni, loader))
    }

    /// `com/acme/Main` of a class.
    pub(crate) fn name(self, class: ClassPointer) -> Option<String> {
        self.class_name(class.0)
    }

    /// The same, of a class as the JVM hands it out.
    pub(super) fn class_name(self, class: Object) -> Option<String> {
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
fn internal_name(signature: &str) -> String {
    let class = signature.strip_prefix('L').unwrap_or(signature);
    class.strip_suffix(';').unwrap_or(class).to_owned()
}
