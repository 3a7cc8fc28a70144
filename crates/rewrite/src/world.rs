//! What is known of the other classes of the program, and which calls may use the extended signature.
//!
//! The old signature of a method is always right. The extended one is used only where it certainly resolves: the
//! method is found, going up from the owner that the call names, in a class that is known and gets extended methods.

use std::borrow::Cow;
use std::sync::Arc;

use foldhash::{HashSet, HashSetExt};

use crate::Reason;
use crate::descriptor;
use crate::summary::{Summary, key};
use crate::text::from_modified_utf8;

/// How a class is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Treatment {
    /// Bodies move to the extended methods, the old signatures become wrappers. For applications and libraries.
    Whole,
    /// Old methods stay as they are; counted copies with the extended signature stand beside them. For the JDK: what
    /// calls it from code that is not rewritten runs as fast as ever and is not counted.
    Copy,
    /// Not counted; extended methods that the class overrides are passed on to its own. For the rest of the JDK.
    Bridges,
    /// Not changed at all.
    Not,
}

/// The classes around the one that is rewritten.
pub trait World {
    /// How the class of that internal name is treated. It must depend on the name alone.
    fn treatment(&self, class: &str) -> Treatment;

    /// What is known of the class of that internal name; none if nothing is known. More knowledge makes the rewritten
    /// program faster, it never changes its profile.
    fn summary(&self, class: &str) -> Option<Arc<Summary>>;
}

/// Gives out method ids.
pub trait MethodIds {
    /// A number above 0 and below 2^31 for a method, given by the internal name of its class, its name and descriptor.
    fn id(&mut self, class: &str, name: &str, descriptor: &str) -> u32;
}

/// The world as seen from one class.
pub(crate) struct Surroundings<'w> {
    pub(crate) world: &'w dyn World,
    pub(crate) own: Arc<Summary>,
    pub(crate) treatment: Treatment,
    /// Slots that the additional parameters take.
    pub(crate) more_slots: usize,
}

impl Surroundings<'_> {
    /// How a class is treated, and what is known of it.
    pub(crate) fn look(&self, class: &str) -> (Treatment, Option<Arc<Summary>>) {
        if class == self.own.name {
            (self.treatment, Some(self.own.clone()))
        } else {
            (self.world.treatment(class), self.world.summary(class))
        }
    }

    /// Whether a method has room for the additional parameters; `this` is counted as if it were there.
    pub(crate) fn fits(&self, descriptor: &[u8]) -> Result<bool, Reason> {
        Ok(descriptor::slots(descriptor)? + 1 + self.more_slots <= descriptor::SLOTS)
    }

    /// Whether a call of the method, named by its owner, certainly resolves to an extended method.
    pub(crate) fn is_extended(
        &self,
        owner: &[u8],
        name: &[u8],
        descriptor: &[u8],
    ) -> Result<bool, Reason> {
        if owner.first() == Some(&b'[') || !self.fits(descriptor)? {
            return Ok(false);
        }
        let only_owner = name == b"<init>";
        let owner = from_modified_utf8(owner);
        Ok(self.find(owner, &key(name, descriptor), only_owner))
    }

    /// Whether the class overrides an extended method of a super type.
    pub(crate) fn overrides_extended(
        &self,
        name: &[u8],
        descriptor: &[u8],
    ) -> Result<bool, Reason> {
        if name == b"<init>" || !self.fits(descriptor)? {
            return Ok(false);
        }
        let key = key(name, descriptor);
        let above = self.own.parent.iter().chain(&self.own.interfaces);
        // Unlike a call, an override is found also behind a super type that overrides it, too, without being extended.
        let mut pending: Vec<String> = above.cloned().collect();
        let mut seen = HashSet::new();
        while let Some(class) = pending.pop() {
            if !seen.insert(class.clone()) {
                continue;
            }
            let (treatment, Some(summary)) = self.look(&class) else {
                continue;
            };
            if extended(treatment, &summary, &key) == Some(true) {
                return Ok(true);
            }
            pending.extend(summary.interfaces.iter().chain(&summary.parent).cloned());
        }
        Ok(false)
    }

    /// The first class that declares the method, super classes before interfaces, decides.
    fn find(&self, owner: Cow<'_, str>, key: &[u8], only_first: bool) -> bool {
        let mut seen = HashSet::new();
        let mut pending: Vec<String> = Vec::new();
        let mut next = Some(owner);
        while let Some(class) = next {
            if let (treatment, Some(summary)) = self.look(&class) {
                match extended(treatment, &summary, key) {
                    Some(extended) => return extended,
                    None if only_first => return false,
                    // The last one is taken next.
                    None => {
                        pending.extend(summary.interfaces.iter().chain(&summary.parent).cloned());
                    }
                }
            }
            seen.insert(class.into_owned());
            while pending.last().is_some_and(|class| seen.contains(class)) {
                pending.pop();
            }
            next = pending.pop().map(Cow::Owned);
        }
        false
    }
}

/// None if the class does not declare the method, else whether it is extended there.
pub(crate) fn extended(treatment: Treatment, summary: &Summary, key: &[u8]) -> Option<bool> {
    if !summary.declares(key) {
        return None;
    }
    let able = summary.refused.is_none();
    Some(match treatment {
        Treatment::Whole => able,
        Treatment::Copy => able && summary.copyable(key),
        Treatment::Bridges | Treatment::Not => false,
    })
}
