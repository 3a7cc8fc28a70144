//! JVMTI and JNI, as far as the agent needs them: functions by their number in the interfaces' tables, which the
//! specifications fix. All unsafe code of the agent is here; what leaves this module is safe to call in the callback
//! that handed it out.

use std::ffi::{CStr, CString, c_char, c_int, c_uchar, c_void};
use std::path::Path;
use std::ptr;

/// Capabilities, by their bit in `jvmtiCapabilities`.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub(crate) enum Capability {
    SingleStep = 16,
    /// Asked for with [`Capability::SingleStep`]: only then does the interpreter not run pairs of bytecodes as one.
    Breakpoints = 19,
    AllClassHooks = 26,
    EarlyStart = 41,
    EarlyClassHooks = 42,
}

/// Events, by their number.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub(crate) enum Event {
    Init = 50,
    Death = 51,
    ClassFileLoadHook = 54,
    Start = 57,
    SingleStep = 60,
    DataDumpRequest = 71,
}

const FIRST_EVENT: i32 = 50;
const EVENTS: usize = 40;
const VERSION: c_int = 0x3001_0000; // JVMTI 1.1; later ones are compatible.
const OK: c_int = 0;

/// Numbers of functions in the table of JVMTI.
mod function {
    pub(super) const SET_EVENT_NOTIFICATION_MODE: usize = 2;
    pub(super) const ALLOCATE: usize = 46;
    pub(super) const DEALLOCATE: usize = 47;
    pub(super) const GET_CLASS_SIGNATURE: usize = 48;
    pub(super) const GET_METHOD_NAME: usize = 64;
    pub(super) const GET_METHOD_DECLARING_CLASS: usize = 65;
    pub(super) const SET_EVENT_CALLBACKS: usize = 122;
    pub(super) const GET_SYSTEM_PROPERTY: usize = 131;
    pub(super) const ADD_CAPABILITIES: usize = 142;
    pub(super) const ADD_TO_BOOT_CLASS_PATH: usize = 149;
}

/// Places of functions in the table of JNI.
mod jni {
    pub(super) const DEFINE_CLASS: usize = 5;
    pub(super) const FIND_CLASS: usize = 6;
    pub(super) const EXCEPTION_DESCRIBE: usize = 16;
    pub(super) const EXCEPTION_CLEAR: usize = 17;
    pub(super) const NEW_GLOBAL_REF: usize = 21;
    pub(super) const IS_SAME_OBJECT: usize = 24;
    pub(super) const GET_STATIC_METHOD_ID: usize = 113;
    pub(super) const CALL_STATIC_OBJECT_METHOD: usize = 116;
    pub(super) const CALL_STATIC_VOID_METHOD: usize = 143;
    pub(super) const EXCEPTION_CHECK: usize = 228;
}

type Table = *const *const c_void;
type Object = *mut c_void;

/// A method of the running program, as JVMTI names it: valid until its class is unloaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MethodPointer(usize);

/// An object that is kept from collection for the life of the JVM.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept(usize);

/// The agent's environment.
#[derive(Clone, Copy)]
pub(crate) struct Jvmti(*mut Table);

/// The calling thread's view of Java.
#[derive(Clone, Copy)]
pub(crate) struct Jni(*mut Table);

/// Calls function `$number` of a table, whose first parameter is the table itself.
macro_rules! call {
    ($this:expr, $number:expr, fn($($kind:ty),*) -> $result:ty, $($argument:expr),*) => {{
        // SAFETY: the JVM gave us the table, its layout is fixed by the specification, and the signature is that of
        // the function with this number.
        unsafe {
            let function = *(*$this.0).add($number);
            let function: extern "system" fn(*mut Table, $($kind),*) -> $result = std::mem::transmute(function);
            function($this.0, $($argument),*)
        }
    }};
}

impl Jvmti {
    /// Gets capabilities; false if the JVM does not give them now.
    pub(crate) fn add_capabilities(self, wanted: &[Capability]) -> bool {
        let mut bits = [0_u8; 16];
        for &capability in wanted {
            let bit = capability as usize;
            bits[bit / 8] |= 1 << (bit % 8);
        }
        call!(
            self,
            function::ADD_CAPABILITIES - 1,
            fn(*const u8) -> c_int,
            bits.as_ptr()
        ) == OK
    }

    /// Sets the callbacks and switches their events on, for all threads.
    fn listen(self, callbacks: &[(Event, *const c_void)]) -> bool {
        let mut table = [ptr::null::<c_void>(); EVENTS];
        for &(event, function) in callbacks {
            table[(event as i32 - FIRST_EVENT) as usize] = function;
        }
        let size = size_of_val(&table) as c_int;
        let set = call!(
            self,
            function::SET_EVENT_CALLBACKS - 1,
            fn(*const *const c_void, c_int) -> c_int,
            table.as_ptr(),
            size
        );
        set == OK && callbacks.iter().all(|&(event, _)| self.enable(event, true))
    }

    /// Switches an event on or off, for all threads.
    pub(crate) fn enable(self, event: Event, on: bool) -> bool {
        // The variadic thread parameter: null for all threads.
        call!(
            self,
            function::SET_EVENT_NOTIFICATION_MODE - 1,
            fn(c_int, c_int, Object) -> c_int,
            c_int::from(on),
            event as c_int,
            ptr::null_mut()
        ) == OK
    }

    /// Puts a jar at the end of the boot class path.
    pub(crate) fn add_to_boot_class_path(self, jar: &Path) -> bool {
        let Ok(path) = CString::new(jar.to_string_lossy().as_bytes()) else {
            return false;
        };
        call!(
            self,
            function::ADD_TO_BOOT_CLASS_PATH - 1,
            fn(*const c_char) -> c_int,
            path.as_ptr()
        ) == OK
    }

    /// A system property, as the JVM itself has it.
    pub(crate) fn system_property(self, name: &CStr) -> Option<String> {
        let mut value: *mut c_char = ptr::null_mut();
        let got = call!(
            self,
            function::GET_SYSTEM_PROPERTY - 1,
            fn(*const c_char, *mut *mut c_char) -> c_int,
            name.as_ptr(),
            &raw mut value
        );
        (got == OK).then(|| self.taken(value))
    }

    /// `com/acme/Main`, name and descriptor of a method.
    pub(crate) fn method_name(self, method: MethodPointer) -> Option<(String, String, String)> {
        let method = method.0 as Object;
        let (mut class, mut signature) = (ptr::null_mut(), ptr::null_mut());
        let (mut name, mut descriptor) = (ptr::null_mut(), ptr::null_mut());
        let declaring = call!(
            self,
            function::GET_METHOD_DECLARING_CLASS - 1,
            fn(Object, *mut Object) -> c_int,
            method,
            &raw mut class
        );
        if declaring != OK {
            return None;
        }
        let of_class = call!(
            self,
            function::GET_CLASS_SIGNATURE - 1,
            fn(Object, *mut *mut c_char, *mut *mut c_char) -> c_int,
            class,
            &raw mut signature,
            ptr::null_mut()
        );
        let of_method = call!(
            self,
            function::GET_METHOD_NAME - 1,
            fn(Object, *mut *mut c_char, *mut *mut c_char, *mut *mut c_char) -> c_int,
            method,
            &raw mut name,
            &raw mut descriptor,
            ptr::null_mut()
        );
        if of_class != OK || of_method != OK {
            return None;
        }
        let class = self.taken(signature);
        let class = class.strip_prefix('L').unwrap_or(&class);
        let class = class.strip_suffix(';').unwrap_or(class).to_owned();
        Some((class, self.taken(name), self.taken(descriptor)))
    }

    /// Copies a text that the JVM allocated for us, and gives its memory back.
    fn taken(self, text: *mut c_char) -> String {
        if text.is_null() {
            return String::new();
        }
        // SAFETY: JVMTI promises text with a zero at its end, ours until we deallocate it.
        let copy = unsafe { CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned();
        call!(
            self,
            function::DEALLOCATE - 1,
            fn(*mut c_uchar) -> c_int,
            text.cast()
        );
        copy
    }

    /// Memory of the JVM with a copy of `bytes`.
    fn copied(self, bytes: &[u8]) -> Option<*mut c_uchar> {
        let mut memory: *mut c_uchar = ptr::null_mut();
        let size = i64::try_from(bytes.len()).ok()?;
        let got = call!(
            self,
            function::ALLOCATE - 1,
            fn(i64, *mut *mut c_uchar) -> c_int,
            size,
            &raw mut memory
        );
        if got != OK {
            return None;
        }
        // SAFETY: the JVM allocated `bytes.len()` bytes, which nobody else knows.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), memory, bytes.len()) };
        Some(memory)
    }
}

impl Jni {
    /// Calls a static method without parameters and result. An exception is printed; then the answer is false.
    pub(crate) fn call(self, class: &CStr, method: &CStr) -> bool {
        let Some((class, method)) = self.static_method(class, method, c"()V") else {
            return false;
        };
        call!(
            self,
            jni::CALL_STATIC_VOID_METHOD,
            fn(Object, Object, *const c_void) -> (),
            class,
            method,
            ptr::null()
        );
        !self.failed()
    }

    /// What `ClassLoader.getSystemClassLoader()` returns.
    pub(crate) fn system_class_loader(self) -> Option<Kept> {
        let (class, method) = self.static_method(
            c"java/lang/ClassLoader",
            c"getSystemClassLoader",
            c"()Ljava/lang/ClassLoader;",
        )?;
        let loader = call!(
            self,
            jni::CALL_STATIC_OBJECT_METHOD,
            fn(Object, Object, *const c_void) -> Object,
            class,
            method,
            ptr::null()
        );
        if self.failed() || loader.is_null() {
            return None;
        }
        let kept = call!(self, jni::NEW_GLOBAL_REF, fn(Object) -> Object, loader);
        (!kept.is_null()).then_some(Kept(kept as usize))
    }

    /// Defines a class of the boot loader.
    pub(crate) fn define_boot_class(self, bytes: &[u8]) -> bool {
        let Ok(size) = c_int::try_from(bytes.len()) else {
            return false;
        };
        let class = call!(
            self,
            jni::DEFINE_CLASS,
            fn(*const c_char, Object, *const u8, c_int) -> Object,
            ptr::null(),
            ptr::null_mut(),
            bytes.as_ptr(),
            size
        );
        !self.failed() && !class.is_null()
    }

    fn static_method(
        self,
        class: &CStr,
        name: &CStr,
        descriptor: &CStr,
    ) -> Option<(Object, Object)> {
        let class = call!(
            self,
            jni::FIND_CLASS,
            fn(*const c_char) -> Object,
            class.as_ptr()
        );
        if self.failed() || class.is_null() {
            return None;
        }
        let method = call!(
            self,
            jni::GET_STATIC_METHOD_ID,
            fn(Object, *const c_char, *const c_char) -> Object,
            class,
            name.as_ptr(),
            descriptor.as_ptr()
        );
        (!self.failed() && !method.is_null()).then_some((class, method))
    }

    /// Prints and clears a pending exception.
    fn failed(self) -> bool {
        let pending = call!(self, jni::EXCEPTION_CHECK, fn() -> c_uchar,) != 0;
        if pending {
            call!(self, jni::EXCEPTION_DESCRIBE, fn() -> (),);
            call!(self, jni::EXCEPTION_CLEAR, fn() -> (),);
        }
        pending
    }
}

/// A class that is about to be defined.
pub(crate) struct LoadedClass<'a> {
    jvmti: Jvmti,
    jni: Jni,
    loader: Object,
    /// Internal name, where the JVM knows it.
    pub(crate) name: Option<&'a str>,
    /// The class file.
    pub(crate) bytes: &'a [u8],
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
        call!(
            self.jni,
            jni::IS_SAME_OBJECT,
            fn(Object, Object) -> c_uchar,
            self.loader,
            loader.0 as Object
        ) != 0
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

/// What the agent does when the JVM calls.
pub(crate) trait Events {
    /// The JVM begins to run Java code; hardly anything works.
    fn started(&self, jni: Jni);
    /// The JVM is ready, the program has not begun.
    fn ready(&self, jni: Jni);
    /// A class is loaded.
    fn class(&self, class: LoadedClass<'_>);
    /// A bytecode is about to run.
    fn step(&self, method: MethodPointer);
    /// Somebody asks for a profile.
    fn asked(&self, jni: Jni);
    /// The JVM ends.
    fn ends(&self, jvmti: Jvmti, jni: Jni);
}

/// Registers callbacks for the events.
pub(crate) fn register(jvmti: Jvmti, wanted: &[Event]) -> bool {
    let callbacks = wanted.iter().map(|&event| {
        let function = match event {
            Event::Init => on_init as *const c_void,
            Event::Death => on_death as *const c_void,
            Event::ClassFileLoadHook => on_class as *const c_void,
            Event::Start => on_start as *const c_void,
            Event::SingleStep => on_step as *const c_void,
            Event::DataDumpRequest => on_dump as *const c_void,
        };
        (event, function)
    });
    jvmti.listen(&callbacks.collect::<Vec<_>>())
}

extern "system" fn on_start(_: *mut Table, jni: *mut Table) {
    crate::events::with(|events| events.started(Jni(jni)));
}

extern "system" fn on_init(_: *mut Table, jni: *mut Table, _: Object) {
    crate::events::with(|events| events.ready(Jni(jni)));
}

extern "system" fn on_death(jvmti: *mut Table, jni: *mut Table) {
    crate::events::with(|events| events.ends(Jvmti(jvmti), Jni(jni)));
}

extern "system" fn on_dump(_: *mut Table) {
    // The event has no JNI environment of its own; the thread that delivers it is attached.
    if let Some(jni) = attached() {
        crate::events::with(|events| events.asked(jni));
    }
}

extern "system" fn on_step(_: *mut Table, _: *mut Table, _: Object, method: Object, _: i64) {
    crate::events::with(|events| events.step(MethodPointer(method as usize)));
}

#[allow(clippy::too_many_arguments, reason = "the JVM's signature")]
extern "system" fn on_class(
    jvmti: *mut Table,
    jni: *mut Table,
    _redefined: Object,
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
    crate::events::with(|events| {
        events.class(LoadedClass {
            jvmti: Jvmti(jvmti),
            jni: Jni(jni),
            loader,
            name: name.and_then(|name| name.to_str().ok()),
            bytes,
            size_out,
            bytes_out,
        });
    });
}

/// The JVM, for threads that come without an environment.
static MACHINE: std::sync::OnceLock<usize> = std::sync::OnceLock::new();

/// Places in JNI's invocation interface.
const GET_ENV: usize = 6;
const JNI_VERSION: c_int = 0x0001_0008;

fn environment(machine: *mut Table, version: c_int) -> Option<*mut Table> {
    let mut environment: *mut c_void = ptr::null_mut();
    struct Machine(*mut Table);
    let machine = Machine(machine);
    let got = call!(
        machine,
        GET_ENV,
        fn(*mut *mut c_void, c_int) -> c_int,
        &raw mut environment,
        version
    );
    (got == OK && !environment.is_null()).then_some(environment.cast())
}

fn attached() -> Option<Jni> {
    let machine = *MACHINE.get()? as *mut Table;
    environment(machine, JNI_VERSION).map(Jni)
}

/// Called by the JVM before it does anything else. A value other than 0 ends it.
///
/// # Safety
/// Only the JVM may call it, with its invocation interface and the agent's options.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Agent_OnLoad(
    machine: *mut Table,
    options: *const c_char,
    _: *mut c_void,
) -> c_int {
    let options = match options.is_null() {
        true => String::new(),
        // SAFETY: the JVM passes text with a zero at its end.
        false => unsafe { CStr::from_ptr(options) }
            .to_string_lossy()
            .into_owned(),
    };
    let _ = MACHINE.set(machine as usize);
    let Some(environment) = environment(machine, VERSION) else {
        eprintln!("proofmark count: this JVM has no JVMTI");
        return 1;
    };
    match crate::events::load(Jvmti(environment), &options) {
        Ok(()) => 0,
        Err(problem) => {
            eprintln!("proofmark count: {problem}");
            1
        }
    }
}
