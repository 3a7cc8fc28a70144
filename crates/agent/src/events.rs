//! From the JVM's events to what the agent does.

use std::path::PathBuf;
use std::sync::{Mutex, OnceLock};

use proofmark_classes::{Image, Program, Scope, expand_manifests};
use proofmark_rewrite::escaped;
use rustix::thread::gettid;

use crate::configuration::{Configuration, Task};
use crate::files::write_whole;
use crate::hook::{Hook, Origin};
use crate::jni::{Jni, Kept};
use crate::jvmti::{Capability, Event, Events, Jvmti, LoadedClass, MethodPointer, register};
use crate::loaders::Loaders;
use crate::steps::Steps;

static AGENT: OnceLock<Box<dyn Events + Send + Sync>> = OnceLock::new();

/// The agent that counts.
struct Agent {
    configuration: Configuration,
    hook: Mutex<Hook>,
    steps: Steps,
    loader: OnceLock<Kept>,
    loaders: Loaders,
    /// The kernel's id of the thread that runs `main`.
    main: OnceLock<i32>,
}

/// A file that is there once `main` has returned.
const RETURNED: &str = "returned";

/// Calls `action` if the agent is loaded. A panic must not reach the JVM: it is said, and the class stays as it is.
pub(crate) fn with(action: impl FnOnce(&dyn Events)) {
    let Some(agent) = AGENT.get() else { return };
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| action(agent.as_ref())));
    if done.is_err() {
        eprintln!("proofmark: a defect of the agent, see above; what it was about is left out");
    }
}

/// Reads the configuration and registers with the JVM.
pub(crate) fn load(jvmti: Jvmti, options: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(options)
        .map_err(|error| format!("the agent's configuration {options:?} cannot be read: {error}; only proofmark starts it"))?;
    let configuration = Configuration::parse(&text).map_err(|line| {
        format!("the agent's configuration has a line that it does not know: {line}")
    })?;
    if let Some(lock) = &configuration.owner {
        crate::owner::watch(lock, &configuration.directory)
            .map_err(|error| format!("{}: {error}", lock.display()))?;
    }
    let (agent, capabilities, events) = match configuration.task {
        Task::Sites => crate::sites::agent(configuration),
        Task::Count | Task::Step => counting(jvmti, configuration)?,
    };
    if !jvmti.add_capabilities(&capabilities) {
        return Err("this JVM does not let an agent change classes".into());
    }
    if AGENT.set(agent).is_err() {
        return Err("the agent is loaded twice".into());
    }
    if register(jvmti, &events) {
        Ok(())
    } else {
        Err("this JVM refuses events".into())
    }
}

/// An agent, and what it needs of the JVM.
pub(crate) type Made = (Box<dyn Events + Send + Sync>, Vec<Capability>, Vec<Event>);

fn counting(jvmti: Jvmti, configuration: Configuration) -> Result<Made, String> {
    let mut events = vec![Event::Init, Event::Death, Event::DataDumpRequest];
    let mut capabilities = Vec::new();
    if configuration.task == Task::Count {
        events.push(Event::ThreadEnd);
    }
    match (configuration.task, configuration.scope) {
        (Task::Step, _) => {
            capabilities.extend([
                Capability::SingleStep,
                Capability::Breakpoints,
                Capability::MethodExit,
                Capability::Bytecodes,
            ]);
            events.extend([Event::SingleStep, Event::MethodExit]);
        }
        (_, Scope::Application) => {
            capabilities.push(Capability::AllClassHooks);
            events.push(Event::ClassFileLoadHook);
        }
        (_, Scope::Jdk) => {
            capabilities.extend([
                Capability::AllClassHooks,
                Capability::EarlyStart,
                Capability::EarlyClassHooks,
            ]);
            events.extend([Event::ClassFileLoadHook, Event::Start]);
        }
    }
    if let Some(jar) = &configuration.runtime
        && !jvmti.add_to_boot_class_path(jar)
    {
        return Err(format!(
            "{} cannot be put on the boot class path",
            jar.display()
        ));
    }
    let image = Image::open(&configuration.java_home).map_err(|error| error.to_string())?;
    let program = Program::new(
        &class_path(jvmti),
        image,
        configuration.release,
        configuration.scope,
    )
    .without(&configuration.excluded)
    .with(&configuration.included);
    let agent = Agent {
        hook: Mutex::new(Hook::new(program, configuration.options.clone())),
        steps: Steps::default(),
        loader: OnceLock::new(),
        loaders: Loaders::default(),
        main: OnceLock::new(),
        configuration,
    };
    Ok((Box::new(agent), capabilities, events))
}

/// The program's class path and modules, as the JVM got them.
fn class_path(jvmti: Jvmti) -> Vec<PathBuf> {
    let paths = |name| {
        let value = jvmti.system_property(name).unwrap_or_default();
        std::env::split_paths(&value).collect::<Vec<PathBuf>>()
    };
    let mut all = expand_manifests(&paths(c"java.class.path"));
    for module in paths(c"jdk.module.path") {
        let inside = std::fs::read_dir(&module).into_iter().flatten().flatten();
        all.extend(inside.map(|entry| entry.path()));
        all.push(module);
    }
    all
}

impl Agent {
    fn hook(&self) -> std::sync::MutexGuard<'_, Hook> {
        self.hook
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// What is known of a class's loader, which is asked for the runtime if the class is to be changed. Nothing is locked meanwhile.
    fn origin(&self, class: &LoadedClass<'_>) -> Origin {
        if class.is_boot() {
            return Origin::Known;
        }
        let changes = self.hook().changes(class.name);
        if changes && self.is_left_out(class) {
            Origin::Unasked
        } else if changes && self.is_hidden(class) {
            Origin::Hiding
        } else if self.loader.get().is_some_and(|&own| class.is_of(own)) {
            Origin::Known
        } else {
            Origin::Stranger
        }
    }

    /// Whether the user left a class or its loader out. Loaders of the JDK hide nothing, and are never asked.
    fn is_left_out(&self, class: &LoadedClass<'_>) -> bool {
        let loader = class.loader();
        if loader.is_of_the_jdk() {
            return false;
        }
        let kind = loader.kind();
        let hook = self.hook();
        hook.leaves_out(class.name) || hook.leaves_out(kind.as_deref())
    }

    /// Whether a class's loader hides the runtime.
    fn is_hidden(&self, class: &LoadedClass<'_>) -> bool {
        let needed = [format!("{}Context", self.configuration.options.runtime)];
        let loader = class.loader();
        let said = || {
            let kind = loader.kind().unwrap_or_default();
            let names = [kind.as_str(), class.name.unwrap_or_default()];
            let [kind, class] = names.map(escaped);
            format!("{kind}\t{class}\n")
        };
        let directory = &self.configuration.directory;
        let hides = self.loaders.hidden(loader, &needed, directory, said);
        hides.is_some()
    }

    /// The runtime writes the profile, the agent what it knows of classes and methods.
    fn write(&self, jni: Jni) {
        let name = format!("{}Report", self.configuration.options.runtime);
        if let Ok(class) = std::ffi::CString::new(name)
            && !jni.call(&class, c"write")
        {
            eprintln!("proofmark count: the profile was not written");
        }
        let directory = &self.configuration.directory;
        let (names, classes) = {
            let hook = self.hook();
            (hook.names(), hook.report())
        };
        for (file, text) in [("methods", names), ("classes", classes)] {
            if let Err(error) = write_whole(directory, file, &text) {
                eprintln!(
                    "proofmark count: {}: {error}",
                    directory.join(file).display()
                );
            }
        }
    }
}

impl Events for Agent {
    fn started(&self, jni: Jni) {
        for file in &self.configuration.define {
            let defined = std::fs::read(file).is_ok_and(|bytes| jni.define_boot_class(&bytes));
            if !defined {
                eprintln!(
                    "proofmark count: the runtime class {} cannot be defined",
                    file.display()
                );
            }
        }
    }

    fn ready(&self, _: Jvmti, jni: Jni) {
        // The thread that made the JVM calls main.
        let _ = self.main.set(gettid().as_raw_pid());
        if let Some(loader) = jni.system_class_loader() {
            let _ = self.loader.set(loader);
        }
    }

    fn class(&self, class: LoadedClass<'_>) {
        let origin = self.origin(&class);
        let rewritten = self.hook().class(class.name, class.bytes, origin);
        if let Some(bytes) = rewritten {
            class.replace(&bytes);
        }
    }

    fn thread_ends(&self) {
        if self.main.get() == Some(&gettid().as_raw_pid()) {
            let file = self.configuration.directory.join(RETURNED);
            if let Err(error) = std::fs::write(&file, "") {
                eprintln!("proofmark count: {}: {error}", file.display());
            }
        }
    }

    fn step(&self, method: MethodPointer) {
        self.steps.count(method);
    }

    fn asked(&self, jni: Jni) {
        if self.configuration.task == Task::Count {
            self.write(jni);
        }
    }

    fn ends(&self, jvmti: Jvmti, jni: Jni) {
        match self.configuration.task {
            Task::Count | Task::Sites => self.write(jni),
            Task::Step => {
                jvmti.enable(Event::SingleStep, false);
                jvmti.enable(Event::MethodExit, false);
                let text = self.steps.report(|method| jvmti.method_name(method));
                let file = self.configuration.directory.join("steps");
                if let Err(error) = std::fs::write(&file, text) {
                    eprintln!("proofmark count: {}: {error}", file.display());
                }
            }
        }
    }
}
