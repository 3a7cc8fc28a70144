//! Which sites a class gets, and that others get none.

use std::sync::atomic::Ordering;

use proofmark_rewrite::{FIELDS_CLASS, Site, gate_class, gate_name};

use super::Sites;
use crate::jni::Jni;
use crate::jvmti::{ClassPointer, Jvmti, LoadedClass, Loader};
use crate::loaders::Hidden;

impl Sites {
    /// The sites that a class gets.
    pub(super) fn placed_in(&self, class: &str) -> Vec<Site> {
        let Some(wanted) = self.wanted.get(class) else {
            return Vec::new();
        };
        if self.state().alone.contains(class) {
            return Vec::new();
        }
        let gates = self.gates.load(Ordering::Relaxed);
        let placed = wanted.iter().filter(|one| one.placed);
        placed
            .map(|one| Site {
                gated: one.site.gated && gates,
                ..one.site.clone()
            })
            .collect()
    }

    /// Whether a class can have sites: its loader does not hide what they need. Where it does, the class is left alone.
    ///
    /// No lock of the agent is held while a loader is asked, whose code may load and prepare other classes.
    pub(super) fn can_have(&self, class: &str, loader: Loader) -> bool {
        let Some(hidden) = self.loaders.hidden_elsewhere(loader, &self.needed()) else {
            return true;
        };
        self.leave_alone(class, &hides(&hidden));
        false
    }

    /// Whether a class that is defined can have the sites that it `has`. Its loader is asked already where a class of the same package has
    /// some: when classes of its own wait for each other, another thread may hold the loader's locks.
    pub(super) fn may_have(&self, class: &str, loader: Loader, has: bool) -> bool {
        if has {
            return self.can_have(class, loader);
        }
        let mut wanted = self.wanted.keys();
        if wanted.any(|one| package(one) == package(class)) {
            self.loaders.hidden_elsewhere(loader, &self.needed());
        }
        true
    }

    /// Puts its sites into a class that the JVM has verified as it is. Where its loader hides what they need, or the JVM refuses the
    /// class with them, it stays so.
    ///
    /// Its loader has answered already, unless it is one of the JVM's start or was defined without a name.
    pub(super) fn put_into(&self, jvmti: Jvmti, jni: Jni, class: ClassPointer) {
        let name = jvmti.name(class).unwrap_or_default();
        let loader = jvmti.loader(jni, class);
        if loader.is_some_and(|loader| !self.can_have(&name, loader)) {
            return;
        }
        if let Err(refusal) = jvmti.retransform(class) {
            self.leave_alone(&name, &refusal.to_string());
        }
    }

    /// Internal names of our classes that code with sites refers to. One gate stands for all: their names differ in a number only.
    fn needed(&self) -> Vec<String> {
        let gates = self.gates.load(Ordering::Relaxed);
        let all = self.wanted.values().flatten();
        let gated = all.filter(|one| gates && one.placed && one.site.gated);
        names(gated.map(|one| one.site.index))
    }

    /// Says that a class has none of its sites; it is given none any more.
    pub(super) fn leave_alone(&self, class: &str, why: &str) {
        let sites = self.placed_in(class);
        let mut state = self.state();
        state.alone.insert(class.to_owned());
        state.loops.retain(|(own, ..), _| own != class);
        state.known.clear();
        drop(state);
        let lines = sites
            .iter()
            .map(|site| format!("withdrawn\t{}\t{why}\n", site.index));
        self.say(&lines.collect::<String>());
    }

    /// Defines the gates, all of them closed; whether that worked.
    pub(super) fn define_gates(&self, jni: Jni) -> bool {
        let sites = self.wanted.values().flatten().map(|one| &one.site);
        let mut gated = sites.filter(|site| site.gated);
        gated.all(|site| {
            gate_class(site.index, false).is_ok_and(|class| jni.define_boot_class(&class))
        })
    }

    /// Puts the gate's present state in place of its class.
    pub(super) fn gate_class(&self, index: u16, class: LoadedClass<'_>) {
        let open = self.state().open.contains(&index);
        if let Ok(bytes) = gate_class(index, open) {
            class.replace(&bytes);
        }
    }
}

/// The class with the fields, and the gate with the largest number of these.
fn names(gated: impl Iterator<Item = u16>) -> Vec<String> {
    let gate = gated.max().map(gate_name);
    std::iter::once(FIELDS_CLASS.to_owned())
        .chain(gate)
        .collect()
}

/// Why a class is left alone whose loader does not find one of ours.
fn hides(hidden: &Hidden) -> String {
    match hidden {
        Hidden::Class(needed) => {
            let needed = needed.replace('/', ".");
            format!("its class loader hides {needed}, which sites need, and so the class is left alone")
        }
        Hidden::Silent => "its class loader did not say in time whether it finds what sites need, and so the class is left alone".to_owned(),
    }
}

/// The package of an internal name: `java/util`; nothing of a class without one.
fn package(class: &str) -> &str {
    class.rsplit_once('/').map_or("", |(package, _)| package)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gated_sites_need_a_gate_too() {
        let fields = "java/lang/ProofmarkSites";
        assert_eq!(names([].into_iter()), [fields]);
        let gates = names([7, 12, 0].into_iter());
        assert_eq!(gates, [fields, "java/lang/ProofmarkGate12"]);
        let hidden = Hidden::Class(gates[0].clone());
        assert!(hides(&hidden).starts_with("its class loader hides java.lang.ProofmarkSites, "));
    }
}
