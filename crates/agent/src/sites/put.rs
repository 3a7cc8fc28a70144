//! Which sites a class gets, and that others get none.

use std::sync::atomic::Ordering;

use proofmark_rewrite::{FIELDS_CLASS, Site, gate_class, gate_name};

use super::Sites;
use crate::jni::Jni;
use crate::jvmti::{ClassPointer, Jvmti, LoadedClass};

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

    /// Puts its sites into a class that the JVM has verified as it is. Where its loader hides what they need, or the JVM refuses the
    /// class with them, it stays so.
    ///
    /// No lock of the agent is held while a loader is asked, whose code may load and prepare other classes. The JVM holds that of the
    /// class that is prepared, as it does while its verifier asks the same loader for other classes.
    pub(super) fn put_into(&self, jvmti: Jvmti, jni: Jni, class: ClassPointer) {
        let name = jvmti.name(class).unwrap_or_default();
        let mut others = needed(&self.placed_in(&name)).into_iter();
        let why = match others.find(|other| !jvmti.sees(jni, class, other)) {
            Some(hidden) => Some(hides(&hidden)),
            None => jvmti.retransform(class).err().map(|one| one.to_string()),
        };
        if let Some(why) = why {
            self.leave_alone(&name, &why);
        }
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

/// Internal names of our classes that code with these sites refers to.
fn needed(sites: &[Site]) -> Vec<String> {
    let gated = sites.iter().filter(|site| site.gated);
    let gates = gated.map(|site| gate_name(site.index));
    std::iter::once(FIELDS_CLASS.to_owned())
        .chain(gates)
        .collect()
}

/// Why a class is left alone whose loader does not find this one.
fn hides(needed: &str) -> String {
    let needed = needed.replace('/', ".");
    format!("its class loader hides {needed}, which sites need, and so the class is left alone")
}

#[cfg(test)]
mod tests {
    use proofmark_rewrite::{Place, Work};

    use super::*;

    #[test]
    fn a_gated_site_needs_its_gate_too() {
        let site = |index, gated| Site {
            index,
            method: "work".into(),
            descriptor: None,
            place: Place::Entry,
            work: Work::Count,
            gated,
        };
        let names = needed(&[site(0, false), site(7, true)]);
        assert_eq!(
            names,
            ["java/lang/ProofmarkSites", "java/lang/ProofmarkGate7"]
        );
        assert!(hides(&names[0]).starts_with("its class loader hides java.lang.ProofmarkSites, "));
    }
}
