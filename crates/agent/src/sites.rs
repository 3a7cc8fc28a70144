//! Sites: a class is loaded without, and gets them when the JVM has verified it and nothing of it has run; those that are
//! there when the JVM is ready get them then. Where the verifier refuses a class with its sites, or its loader hides what they need,
//! the class is left as it was.
//! What was done, every compilation of a method with a site, and every thread of the program is a line in a file.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use proofmark_rewrite::{
    FIELDS_CLASS, Site, Sited, escaped, fields_class, gate_name, gate_of, insert_sites,
};
use rustix::thread::gettid;
use rustix::time::{ClockId, clock_gettime};

use crate::configuration::{Configuration, Wanted};
use crate::events::Made;
use crate::jni::Jni;
use crate::jvmti::{
    Capability, ClassPointer, Compiled, Event, Events, Jvmti, LoadedClass, MethodPointer,
};
use crate::loaders::Loaders;
use crate::threads::ledger;

mod put;

/// Name of the file in the configuration's directory.
const FILE: &str = "sites";

/// The agent, and what it needs of the JVM.
pub(crate) fn agent(configuration: Configuration) -> Made {
    let path = configuration.directory.join(FILE);
    let file = File::options().create(true).append(true).open(&path);
    if let Err(error) = &file {
        eprintln!("proofmark dose: {}: {error}", path.display());
    }
    let mut wanted: HashMap<String, Vec<Wanted>> = HashMap::new();
    for (class, one) in configuration.sites {
        wanted.entry(class).or_default().push(one);
    }
    let agent = Sites {
        wanted,
        exits: configuration.exits,
        not_program: configuration.not_program,
        ready: AtomicBool::new(false),
        begun: AtomicBool::new(false),
        gates: AtomicBool::new(true),
        file: Mutex::new(file.ok()),
        state: Mutex::default(),
        loaders: Loaders::default(),
    };
    let capabilities = vec![
        Capability::AllClassHooks,
        Capability::CompiledMethodLoad,
        Capability::RetransformClasses,
    ];
    let events = vec![
        Event::Init,
        Event::ClassFileLoadHook,
        Event::ClassPrepare,
        Event::CompiledMethodLoad,
        Event::ThreadStart,
        Event::ThreadEnd,
    ];
    (Box::new(agent), capabilities, events)
}

struct Sites {
    /// By internal name of the class.
    wanted: HashMap<String, Vec<Wanted>>,
    exits: Option<String>,
    /// What names of threads begin with that are not the program's.
    not_program: Vec<String>,
    /// The class with the sites' fields is there.
    ready: AtomicBool,
    /// The classes of the JVM's start have their sites. Before, a class that is given some may be prepared for that.
    begun: AtomicBool,
    /// Sites may be gated: the JVM has a compiler. An interpreter would have to call their gates.
    gates: AtomicBool,
    file: Mutex<Option<File>>,
    state: Mutex<State>,
    loaders: Loaders,
}

/// Class, name and descriptor.
type Name = (String, String, String);

/// A site in a method: its number, begin and end of its loop. Both are 0 where the method is only watched.
type Inside = (u16, u16, u16);

/// What is known of methods.
#[derive(Default)]
struct State {
    /// Sites that are in a class.
    loops: HashMap<Name, Vec<Inside>>,
    /// All sites, by the JVM's name of the method.
    known: HashMap<MethodPointer, Vec<Inside>>,
    /// Sites whose gates are open.
    open: BTreeSet<u16>,
    /// Classes that cannot have their sites.
    alone: BTreeSet<String>,
}

impl Sites {
    /// Appends lines to the file, in one piece.
    fn say(&self, lines: &str) {
        let mut file = self
            .file
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(file) = file.as_mut()
            && let Err(error) = file.write_all(lines.as_bytes())
        {
            eprintln!("proofmark dose: the agent cannot write: {error}");
        }
    }

    /// The calling thread is one of the program's.
    fn own_thread(&self) {
        let thread = gettid().as_raw_pid();
        self.say(&format!("thread\t{thread}\n"));
        ledger().begin(thread);
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Remembers and reports what became of a class.
    fn note(&self, class: &str, sites: &[Site], sited: &Sited) {
        let method = |index: u16| {
            let site = sites.iter().find(|site| site.index == index);
            site.map_or(String::new(), |site| site.method.clone())
        };
        let mut lines = String::new();
        let mut state = self.state();
        for one in &sited.placed {
            let key = (class.to_owned(), method(one.index), one.descriptor.clone());
            let line = one.line.map_or(String::new(), |line| line.to_string());
            let _ = writeln!(
                lines,
                "placed\t{}\t{}\t{line}\t{}\t{}",
                one.index,
                escaped(&one.descriptor),
                one.begin,
                one.end
            );
            let loops = state.loops.entry(key).or_default();
            loops.retain(|(index, ..)| *index != one.index);
            loops.push((one.index, one.begin, one.end));
        }
        for one in &sited.refused {
            let reason = escaped(&one.reason.to_string());
            let _ = writeln!(
                lines,
                "refused\t{}\t{}\t{reason}",
                one.index,
                escaped(&one.descriptor)
            );
        }
        state.known.clear();
        drop(state);
        self.say(&lines);
    }

    /// The sites of a method.
    fn sites_of(&self, jvmti: Jvmti, method: MethodPointer) -> Vec<Inside> {
        let mut state = self.state();
        if let Some(known) = state.known.get(&method) {
            return known.clone();
        }
        let mut found = Vec::new();
        if let Some(key) = jvmti.method_name(method) {
            found = state.loops.get(&key).cloned().unwrap_or_default();
            let wanted = self.wanted.get(&key.0);
            let wanted = wanted.filter(|_| !state.alone.contains(&key.0));
            for one in wanted.into_iter().flatten() {
                let site = &one.site;
                let named = site.method == key.1
                    && site
                        .descriptor
                        .as_ref()
                        .is_none_or(|descriptor| *descriptor == key.2);
                if named && found.iter().all(|(index, ..)| *index != site.index) {
                    found.push((site.index, 0, 0));
                }
            }
        }
        state.known.insert(method, found.clone());
        found
    }
}

impl Events for Sites {
    fn ready(&self, jvmti: Jvmti, jni: Jni) {
        // The thread that runs the program; it began before threads had names.
        self.own_thread();
        let most = self
            .wanted
            .values()
            .flatten()
            .map(|one| one.site.index + 1)
            .max();
        let defined =
            fields_class(most.unwrap_or(0)).is_ok_and(|class| jni.define_boot_class(&class));
        if !defined {
            eprintln!("proofmark dose: {FIELDS_CLASS} cannot be defined");
            return;
        }
        let info = jvmti.system_property(c"java.vm.info").unwrap_or_default();
        let compiles = !info.contains("interpreted");
        self.gates
            .store(compiles && self.define_gates(jni), Ordering::Relaxed);
        self.ready.store(true, Ordering::Release);
        let Some(there) = jvmti.loaded(|class| !self.placed_in(class).is_empty()) else {
            let classes: Vec<String> = self.wanted.keys().cloned().collect();
            let why = "the JVM does not say which classes it has loaded";
            classes
                .iter()
                .for_each(|class| self.leave_alone(class, why));
            return;
        };
        for class in there {
            self.put_into(jvmti, jni, class);
        }
        self.begun.store(true, Ordering::Release);
    }

    fn class(&self, class: LoadedClass<'_>) {
        let Some(name) = class.name.filter(|_| self.ready.load(Ordering::Acquire)) else {
            return;
        };
        if let Some(index) = gate_of(name) {
            return self.gate_class(index, class);
        }
        let mut placed = self.placed_in(name);
        if !class.again && !self.may_have(name, class.loader(), !placed.is_empty()) {
            placed.clear();
        }
        // One that had them when it is verified for the first time could not be taken back.
        let sites = if class.again { &placed[..] } else { &[] };
        let exits = self
            .exits
            .as_deref()
            .filter(|own| !class.is_boot() && !is_ours(name, own));
        if placed.is_empty() && exits.is_none() {
            return;
        }
        // The JVM keeps the file of a class that is replaced; of others it makes one up when they are changed.
        let kept = (!class.again && !placed.is_empty()).then_some(class.bytes);
        match insert_sites(class.bytes, sites, exits) {
            Ok(sited) => {
                self.note(name, sites, &sited);
                if let Some(bytes) = sited.bytes.as_deref().or(kept) {
                    class.replace(bytes);
                }
            }
            Err(reason) => {
                let reason = escaped(&reason.to_string());
                let lines = sites
                    .iter()
                    .map(|site| format!("refused\t{}\t\t{reason}\n", site.index));
                self.say(&lines.collect::<String>());
            }
        }
    }

    fn prepared(&self, jvmti: Jvmti, jni: Jni, class: ClassPointer) {
        let begun = self.begun.load(Ordering::Acquire);
        let gets = |name: String| !self.placed_in(&name).is_empty();
        if begun && jvmti.name(class).is_some_and(gets) {
            self.put_into(jvmti, jni, class);
        }
    }

    fn thread_begins(&self, name: Option<&str>) {
        let others = |name: &str| self.not_program.iter().any(|other| name.starts_with(other));
        // Those without a name began while the JVM started.
        if name.is_some_and(|name| !others(name)) {
            self.own_thread();
        }
    }

    fn thread_ends(&self) {
        ledger().end(gettid().as_raw_pid());
    }

    fn gate(&self, jvmti: Jvmti, site: u16, open: bool) -> bool {
        if !self.gates.load(Ordering::Relaxed) {
            return true;
        }
        let changed = match (&mut self.state().open, open) {
            (all, true) => all.insert(site),
            (all, false) => all.remove(&site),
        };
        let gate = gate_name(site);
        let changes = |class| jvmti.retransform(class).is_ok();
        !changed
            || jvmti
                .loaded(|class| class == gate)
                .is_some_and(|all| all.into_iter().all(changes))
    }

    fn compiled(&self, jvmti: Jvmti, compiled: &Compiled) {
        let mut inside = BTreeSet::new();
        let mut inlined = BTreeSet::new();
        let mut revealed = BTreeSet::new();
        inside.extend(self.sites_of(jvmti, compiled.root).iter().map(|one| one.0));
        for frames in &compiled.places {
            for (depth, frame) in frames.iter().enumerate() {
                for (index, begin, end) in self.sites_of(jvmti, frame.method) {
                    inside.insert(index);
                    if depth + 1 < frames.len() {
                        inlined.insert(index);
                    }
                    let within = (i32::from(begin)..i32::from(end)).contains(&frame.at);
                    if depth == 0 && within {
                        revealed.insert(index);
                    }
                }
            }
        }
        if inside.is_empty() {
            return;
        }
        let now = clock_gettime(ClockId::Monotonic);
        let ns = now.tv_sec * 1_000_000_000 + now.tv_nsec;
        let list = |set: &BTreeSet<u16>| {
            let words: Vec<String> = set.iter().map(u16::to_string).collect();
            words.join(",")
        };
        self.say(&format!(
            "compiled\t{ns}\t{}\t{}\t{}\n",
            list(&inside),
            list(&inlined),
            list(&revealed)
        ));
    }
}

/// The harness itself must be able to end the JVM.
fn is_ours(class: &str, exits: &str) -> bool {
    let package = exits.rsplit_once('/').map_or("", |(package, _)| package);
    class
        .rsplit_once('/')
        .is_some_and(|(own, _)| own == package)
}
