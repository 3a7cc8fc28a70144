//! Extended methods that a class would inherit from two interfaces at once.
//!
//! Every method of an interface gets an extended one with a body. A class that implements two interfaces with the same method, and
//! inherits the method itself from a class that is not counted, would have two bodies of the extended one, and none of its own: a call
//! of it fails. So such a class gets an extended method that calls the old one.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::Reason;
use crate::class::{Attribute, Class, Member, PUBLIC, SYNTHETIC};
use crate::frames::Type;
use crate::opcode;
use crate::runtime::Runtime;
use crate::summary::Summary;
use crate::world::{Surroundings, Treatment, extended};
use crate::wrapper::{self, Callee};

/// A class or an interface that is known, and how it is treated.
type Known = (Treatment, Arc<Summary>);

/// The extended methods that a class needs for this, none for most.
pub(crate) fn bridges<'a>(
    class: &mut Class<'a>,
    surroundings: &Surroundings<'_>,
    runtime: &mut Runtime,
) -> Result<Vec<Member<'a>>, Reason> {
    let mut bridges = Vec::new();
    for key in conflicting(surroundings) {
        let parenthesis = key.iter().position(|byte| *byte == b'(');
        let (name, descriptor) = key.split_at(parenthesis.unwrap_or(key.len()));
        if surroundings.fits(descriptor)? {
            bridges.push(bridge(name, descriptor, class, runtime)?);
        }
    }
    Ok(bridges)
}

fn bridge<'a>(
    name: &[u8],
    descriptor: &[u8],
    class: &mut Class<'a>,
    runtime: &mut Runtime,
) -> Result<Member<'a>, Reason> {
    let opcode = match class.is_interface() {
        true => opcode::INVOKEINTERFACE,
        // A sub class may come here by `super`: the method that this very class has is meant.
        false => opcode::INVOKESPECIAL,
    };
    let callee = Callee {
        opcode,
        slot: class.own_method(name, descriptor)?,
        descriptor,
        this: Some(Type::Object(class.this)),
    };
    let body = wrapper::reverse(&callee, &mut class.pool, runtime)?;
    let code = Attribute {
        name: class.pool.add_utf8(b"Code")?,
        body: Cow::Owned(body),
    };
    Ok(Member {
        access: PUBLIC | SYNTHETIC,
        name: class.pool.add_utf8(name)?,
        descriptor: class.pool.add_utf8(&runtime.extend(descriptor))?,
        attributes: vec![code],
    })
}

/// Names and descriptors of these methods, sorted.
fn conflicting(surroundings: &Surroundings<'_>) -> Vec<Vec<u8>> {
    let own = &surroundings.own;
    if own.interfaces.is_empty() {
        return Vec::new();
    }
    let mut classes = Vec::new();
    let mut next = Some(own.name.clone());
    while let Some((treatment, Some(class))) = next.map(|name| surroundings.look(&name)) {
        next = class.parent.clone();
        classes.push((treatment, class));
    }
    let named = classes.iter().flat_map(|(_, class)| &class.interfaces);
    let interfaces = above(named.cloned().collect(), surroundings);
    let mut declared: BTreeMap<&[u8], Vec<&Known>> = BTreeMap::new();
    for interface in &interfaces {
        for key in interface.1.virtual_keys() {
            if extended(interface.0, &interface.1, key) == Some(true) {
                declared.entry(key).or_default().push(interface);
            }
        }
    }
    let own_one = |key: &[u8]| {
        let mut inherited = classes.iter();
        own.declares(key)
            || inherited.any(|(treatment, class)| extended(*treatment, class, key) == Some(true))
    };
    let all = declared
        .into_iter()
        .filter(|(key, by)| by.len() > 1 && !own_one(key) && nearest(by, surroundings) > 1);
    all.map(|(key, _)| key.to_vec()).collect()
}

/// These interfaces and all above them that are known, each once.
fn above(mut pending: Vec<String>, surroundings: &Surroundings<'_>) -> Vec<Known> {
    let mut found: Vec<Known> = Vec::new();
    while let Some(name) = pending.pop() {
        if found.iter().any(|(_, one)| one.name == name) {
            continue;
        }
        if let (treatment, Some(one)) = surroundings.look(&name) {
            pending.extend(one.interfaces.iter().cloned());
            found.push((treatment, one));
        }
    }
    found
}

/// How many of these interfaces have none of the others below them.
fn nearest(interfaces: &[&Known], surroundings: &Surroundings<'_>) -> usize {
    let below = |one: &Known| {
        let others = interfaces.iter().filter(|other| other.1.name != one.1.name);
        others
            .map(|other| above(other.1.interfaces.clone(), surroundings))
            .any(|over| over.iter().any(|it| it.1.name == one.1.name))
    };
    interfaces.iter().filter(|one| !below(one)).count()
}
