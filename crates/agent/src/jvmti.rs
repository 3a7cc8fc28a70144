//! JVMTI, as far as the agent needs it: functions by their number in its table, which the specification fixes. All unsafe
//! code of the agent is here and in [`crate::jni`]; what leaves these modules is safe to call in the callback that handed
//! it out.

use std::ffi::{CStr, CString, c_char, c_int, c_uchar, c_void};
use std::path::Path;
use std::ptr;

use jni_sys::{JNIEnv, JavaVM};
use proofmark_rewrite::from_modified_utf8;

use crate::jni::{self, Jni};

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

mod compiled;
mod gates;
mod loaded;
mod loader;
mod refusal;
mod stepped;
mod threads;

pub(crate) use compiled::Compiled;
pub(crate) use loaded::{ClassPointer, LoadedClass};
pub(crate) use loader::Loader;
use refusal::Refusal;
pub(crate) use threads::cpu_ns;

/// Capabilities, by their bit in `jvmtiCapabilities`.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub(crate) enum Capability {
    Bytecodes = 3,
    SingleStep = 16,
    /// Asked for with [`Capability::SingleStep`]: only then does the interpreter not run pairs of bytecodes as one.
    Breakpoints = 19,
    MethodExit = 25,
    AllClassHooks = 26,
    CompiledMethodLoad = 27,
    RetransformClasses = 37,
    EarlyStart = 41,
    EarlyClassHooks = 42,
}

/// Events, by their number.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub(crate) enum Event {
    Init = 50,
    Death = 51,
    ThreadStart = 52,
    ThreadEnd = 53,
    ClassFileLoadHook = 54,
    ClassPrepare = 56,
    Start = 57,
    SingleStep = 60,
    MethodExit = 66,
    CompiledMethodLoad = 68,
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

type Table = *const *const c_void;
type Object = jni_sys::jobject;

/// A method of the running program, as JVMTI names it: valid until its class is unloaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MethodPointer(usize);

/// The agent's environment.
#[derive(Clone, Copy)]
pub(crate) struct Jvmti(*mut Table);

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
        let mut class = ptr::null_mut();
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
        let class = self.class_name(class)?;
        let of_method = call!(
            self,
            function::GET_METHOD_NAME - 1,
            fn(Object, *mut *mut c_char, *mut *mut c_char, *mut *mut c_char) -> c_int,
            method,
            &raw mut name,
            &raw mut descriptor,
            ptr::null_mut()
        );
        (of_method == OK).then(|| (class, self.taken(name), self.taken(descriptor)))
    }

    /// Copies a text that the JVM allocated for us, and gives its memory back.
    fn taken(self, text: *mut c_char) -> String {
        if text.is_null() {
            return String::new();
        }
        // SAFETY: JVMTI promises text with a zero at its end, ours until we deallocate it.
        let bytes = unsafe { CStr::from_ptr(text) }.to_bytes();
        let copy = from_modified_utf8(bytes).into_owned();
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

/// What the agent does when the JVM calls.
pub(crate) trait Events {
    /// The JVM begins to run Java code; hardly anything works.
    fn started(&self, _jni: Jni) {}
    /// The JVM is ready, the program has not begun.
    fn ready(&self, jvmti: Jvmti, jni: Jni);
    /// A class is loaded, or is to be changed.
    fn class(&self, class: LoadedClass<'_>);
    /// The JVM has verified a class and nothing of it has run.
    fn prepared(&self, _jvmti: Jvmti, _jni: Jni, _class: ClassPointer) {}
    /// The calling thread begins to run Java code; its name, where the JVM says it.
    fn thread_begins(&self, _name: Option<&str>) {}
    /// The calling thread has run its Java code.
    fn thread_ends(&self) {}
    /// A bytecode is about to run.
    fn step(&self, _method: MethodPointer) {}
    /// A method was compiled.
    fn compiled(&self, _jvmti: Jvmti, _compiled: &Compiled) {}
    /// A site's code is to be there, or not; whether that was done.
    fn gate(&self, _jvmti: Jvmti, _site: u16, _open: bool) -> bool {
        false
    }
    /// Somebody asks for a profile.
    fn asked(&self, _jni: Jni) {}
    /// The JVM ends.
    fn ends(&self, _jvmti: Jvmti, _jni: Jni) {}
}

/// Registers callbacks for the events.
pub(crate) fn register(jvmti: Jvmti, wanted: &[Event]) -> bool {
    let callbacks = wanted.iter().map(|&event| {
        let function = match event {
            Event::Init => on_init as *const c_void,
            Event::Death => on_death as *const c_void,
            Event::ThreadStart => threads::on_start as *const c_void,
            Event::ThreadEnd => threads::on_end as *const c_void,
            Event::ClassFileLoadHook => loaded::on_class as *const c_void,
            Event::ClassPrepare => loaded::on_prepared as *const c_void,
            Event::Start => on_start as *const c_void,
            Event::SingleStep => stepped::on_step as *const c_void,
            Event::MethodExit => stepped::on_exit as *const c_void,
            Event::CompiledMethodLoad => compiled::on_compiled as *const c_void,
            Event::DataDumpRequest => on_dump as *const c_void,
        };
        (event, function)
    });
    jvmti.listen(&callbacks.collect::<Vec<_>>())
}

extern "system" fn on_start(_: *mut Table, jni: *mut JNIEnv) {
    crate::events::with(|events| events.started(Jni(jni)));
}

extern "system" fn on_init(jvmti: *mut Table, jni: *mut JNIEnv, _: Object) {
    crate::events::with(|events| events.ready(Jvmti(jvmti), Jni(jni)));
}

extern "system" fn on_death(jvmti: *mut Table, jni: *mut JNIEnv) {
    crate::events::with(|events| events.ends(Jvmti(jvmti), Jni(jni)));
}

extern "system" fn on_dump(_: *mut Table) {
    // The event has no JNI environment of its own; the thread that delivers it is attached.
    if let Some(jni) = jni::attached() {
        crate::events::with(|events| events.asked(jni));
    }
}

/// Called by the JVM before it does anything else. A value other than 0 ends it.
///
/// # Safety
/// Only the JVM may call it, with its invocation interface and the agent's options.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Agent_OnLoad(
    machine: *mut JavaVM,
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
    jni::keep(machine);
    let Some(environment) = jni::environment(machine, VERSION) else {
        eprintln!("proofmark: this JVM has no JVMTI");
        return 1;
    };
    gates::keep(Jvmti(environment.cast()));
    match crate::events::load(Jvmti(environment.cast()), &options) {
        Ok(()) => 0,
        Err(problem) => {
            eprintln!("proofmark: {problem}");
            1
        }
    }
}
