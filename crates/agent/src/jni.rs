//! JNI, as far as the agent needs it, by the types of jni-sys.

use std::ffi::{CStr, CString, c_int, c_void};
use std::ptr;

use jni_sys::{
    JNI_FALSE, JNI_OK, JNI_VERSION_1_4, JNIEnv, JavaVM, JavaVMAttachArgs, jmethodID, jobject,
    jvalue,
};

/// An object that is kept from collection for the life of the JVM.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept(usize);

/// An object that may be collected.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weak(usize);

/// The calling thread's view of Java.
#[derive(Clone, Copy)]
pub(crate) struct Jni(pub(crate) *mut JNIEnv);

/// Calls a function of JNI by its name.
macro_rules! jni {
    ($this:expr, $function:ident $(, $argument:expr)*) => {{
        // SAFETY: the JVM gave us the environment of this thread, and every JVM has the functions of version 1.2.
        unsafe { ((**$this.0).v1_2.$function)($this.0 $(, $argument)*) }
    }};
}

impl Jni {
    /// Calls a static method without parameters and result. An exception is printed; then the answer is false.
    pub(crate) fn call(self, class: &CStr, method: &CStr) -> bool {
        let Some((class, method)) = self.static_method(class, method, c"()V") else {
            return false;
        };
        jni!(self, CallStaticVoidMethodA, class, method, ptr::null());
        !self.failed()
    }

    /// What `ClassLoader.getSystemClassLoader()` returns.
    pub(crate) fn system_class_loader(self) -> Option<Kept> {
        let (class, method) = self.static_method(
            c"java/lang/ClassLoader",
            c"getSystemClassLoader",
            c"()Ljava/lang/ClassLoader;",
        )?;
        let loader = jni!(self, CallStaticObjectMethodA, class, method, ptr::null());
        if self.failed() || loader.is_null() {
            return None;
        }
        let kept = jni!(self, NewGlobalRef, loader);
        (!kept.is_null()).then_some(Kept(kept as usize))
    }

    /// Defines a class of the boot loader.
    pub(crate) fn define_boot_class(self, bytes: &[u8]) -> bool {
        let Ok(size) = c_int::try_from(bytes.len()) else {
            return false;
        };
        let boot = ptr::null_mut();
        let class = jni!(
            self,
            DefineClass,
            ptr::null(),
            boot,
            bytes.as_ptr().cast(),
            size
        );
        !self.failed() && !class.is_null()
    }

    /// The class of an object.
    pub(crate) fn class_of(self, object: jobject) -> jobject {
        jni!(self, GetObjectClass, object)
    }

    /// Whether a class loader finds a class of that internal name, asked as the JVM asks it. Its Java code runs for that; where it
    /// throws, the answer is no.
    pub(crate) fn finds(self, loader: jobject, class: &str) -> bool {
        let Ok(name) = CString::new(class.replace('/', ".")) else {
            return false;
        };
        // `FindClass` would ask the loader of the Java code that runs just now for `java.lang.Class`.
        let classes = self.class_of(self.class_of(loader));
        let descriptor = c"(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;";
        let for_name = jni!(
            self,
            GetStaticMethodID,
            classes,
            c"forName".as_ptr(),
            descriptor.as_ptr()
        );
        if self.threw() || for_name.is_null() {
            return false;
        }
        let name = jni!(self, NewStringUTF, name.as_ptr());
        if self.threw() || name.is_null() {
            return false;
        }
        let arguments = [
            jvalue { l: name },
            jvalue { z: JNI_FALSE },
            jvalue { l: loader },
        ];
        let found = jni!(
            self,
            CallStaticObjectMethodA,
            classes,
            for_name,
            arguments.as_ptr()
        );
        !self.threw() && !found.is_null()
    }

    fn static_method(
        self,
        class: &CStr,
        name: &CStr,
        descriptor: &CStr,
    ) -> Option<(jobject, jmethodID)> {
        let class = jni!(self, FindClass, class.as_ptr());
        if self.failed() || class.is_null() {
            return None;
        }
        let method = jni!(
            self,
            GetStaticMethodID,
            class,
            name.as_ptr(),
            descriptor.as_ptr()
        );
        (!self.failed() && !method.is_null()).then_some((class, method))
    }

    /// Prints and clears a pending exception.
    fn failed(self) -> bool {
        if jni!(self, ExceptionCheck) {
            jni!(self, ExceptionDescribe);
        }
        self.threw()
    }

    /// Clears a pending exception.
    fn threw(self) -> bool {
        let pending = jni!(self, ExceptionCheck);
        if pending {
            jni!(self, ExceptionClear);
        }
        pending
    }

    /// Whether the calling thread, which is this object, holds the lock of another one; of nothing it holds none.
    pub(crate) fn holds_lock(self, thread: jobject, object: jobject) -> bool {
        if object.is_null() {
            return false;
        }
        let class = self.class_of(thread);
        let method = jni!(
            self,
            GetStaticMethodID,
            class,
            c"holdsLock".as_ptr(),
            c"(Ljava/lang/Object;)Z".as_ptr()
        );
        if self.threw() || method.is_null() {
            return false;
        }
        let arguments = [jvalue { l: object }];
        let holds = jni!(
            self,
            CallStaticBooleanMethodA,
            class,
            method,
            arguments.as_ptr()
        );
        // Asked whatever was answered: what is left pending is thrown at the program, or ends the JVM.
        let threw = self.threw();
        holds && !threw
    }

    /// Whether both are the same object.
    pub(crate) fn is_same(self, object: jobject, kept: Kept) -> bool {
        jni!(self, IsSameObject, object, kept.0 as jobject)
    }

    /// Remembers an object without keeping it from collection; none if there is no memory.
    pub(crate) fn weak(self, object: jobject) -> Option<Weak> {
        let weak = jni!(self, NewWeakGlobalRef, object);
        (!self.threw() && !weak.is_null()).then_some(Weak(weak as usize))
    }

    /// Whether an object is the remembered one. A null object is the same as one that was collected.
    pub(crate) fn is_remembered(self, object: jobject, weak: Weak) -> bool {
        jni!(self, IsSameObject, object, weak.0 as jobject)
    }

    /// Gives up what was remembered, which nobody may use any more.
    pub(crate) fn forget(self, weak: Weak) {
        jni!(self, DeleteWeakGlobalRef, weak.0 as jobject);
    }
}

/// Name of a thread that asks a class loader, as the JVM shows it.
const ASKING: &CStr = c"proofmark-asks";

impl Jni {
    /// Hands [`Self::finds`] of this loader to what is done in a thread of its own.
    pub(crate) fn elsewhere(
        self,
        loader: jobject,
        done: impl FnOnce(&dyn Fn(&str) -> bool) + Send + 'static,
    ) {
        let Some(&machine) = MACHINE.get() else {
            return;
        };
        let loader = jni!(self, NewGlobalRef, loader) as usize;
        let asking = move || {
            as_thread(machine as *mut JavaVM, |jni| {
                done(&|class| jni.finds(loader as jobject, class));
                jni!(jni, DeleteGlobalRef, loader as jobject);
            });
        };
        // Without a thread there is no answer.
        let _ = std::thread::Builder::new().spawn(asking);
    }
}

/// Does something as a thread of the JVM that does not keep it from ending.
fn as_thread(machine: *mut JavaVM, done: impl FnOnce(Jni)) {
    let mut environment: *mut c_void = ptr::null_mut();
    let mut arguments = JavaVMAttachArgs {
        version: JNI_VERSION_1_4,
        name: ASKING.as_ptr().cast_mut(),
        group: ptr::null_mut(),
    };
    // SAFETY: the JVM gave us its invocation interface; it reads the arguments during the call.
    let got = unsafe {
        let attach = (**machine).v1_4.AttachCurrentThreadAsDaemon;
        attach(machine, &raw mut environment, (&raw mut arguments).cast())
    };
    if got != JNI_OK || environment.is_null() {
        return;
    }
    done(Jni(environment.cast()));
    // SAFETY: this thread was attached above, and runs no Java code any more.
    unsafe { ((**machine).v1_2.DetachCurrentThread)(machine) };
}

/// The JVM, for threads that come without an environment.
static MACHINE: std::sync::OnceLock<usize> = std::sync::OnceLock::new();

/// Remembers the JVM.
pub(crate) fn keep(machine: *mut JavaVM) {
    let _ = MACHINE.set(machine as usize);
}

/// The environment of a version, if the JVM has it for this thread.
pub(crate) fn environment(machine: *mut JavaVM, version: c_int) -> Option<*mut c_void> {
    let mut environment: *mut c_void = ptr::null_mut();
    // SAFETY: the JVM gave us its invocation interface, and every JVM has the functions of version 1.2.
    let got = unsafe { ((**machine).v1_2.GetEnv)(machine, &raw mut environment, version) };
    (got == JNI_OK && !environment.is_null()).then_some(environment)
}

/// JNI for this thread, which the JVM knows already.
pub(crate) fn attached() -> Option<Jni> {
    let machine = *MACHINE.get()? as *mut JavaVM;
    environment(machine, jni_sys::JNI_VERSION_1_8).map(|jni| Jni(jni.cast()))
}
