//! The serial version of serializable classes.
//!
//! A class without the field `serialVersionUID` has a version computed from its name, interfaces and members; added
//! methods would change it. So the version of the original is computed (Java Object Serialization Specification, 4.6)
//! and added as a field.

use std::borrow::Cow;
use std::collections::HashSet;

use sha1::{Digest, Sha1};

use crate::Reason;
use crate::bytes::Write;
use crate::class::{
    ABSTRACT, Attribute, Class, ENUM, FINAL, INTERFACE, Member, PRIVATE, PUBLIC, STATIC, SYNTHETIC,
};
use crate::world::Surroundings;

const NAME: &[u8] = b"serialVersionUID";
const TRANSIENT: u16 = 0x0080;
const VOLATILE: u16 = 0x0040;
const SERIALIZABLE: &str = "java/io/Serializable";
const EXTERNALIZABLE: &str = "java/io/Externalizable";

/// The version that the class must be given; none if it has its own or needs none.
pub(crate) fn version(
    class: &Class<'_>,
    surroundings: &Surroundings<'_>,
) -> Result<Option<i64>, Reason> {
    let parent = class.parent_name()?;
    let without = class.is_interface()
        || class.access & ENUM != 0
        || matches!(parent, Some(b"java/lang/Enum" | b"java/lang/Record") | None);
    if without || !is_serializable(surroundings) {
        return Ok(None);
    }
    for field in &class.fields {
        if class.pool.utf8(field.name)? == NAME {
            return Ok(None);
        }
    }
    Ok(Some(compute(class)?))
}

/// Looks through all super types. One that is unknown counts as serializable: a version too many does no harm.
fn is_serializable(surroundings: &Surroundings<'_>) -> bool {
    let own = &surroundings.own;
    let mut pending: Vec<String> = own.interfaces.iter().chain(&own.parent).cloned().collect();
    let mut seen = HashSet::new();
    while let Some(class) = pending.pop() {
        if class == "java/lang/Object" || !seen.insert(class.clone()) {
            continue;
        }
        if class == SERIALIZABLE || class == EXTERNALIZABLE {
            return true;
        }
        match surroundings.world.summary(&class) {
            Some(summary) => {
                pending.extend(summary.interfaces.iter().chain(&summary.parent).cloned());
            }
            None if class.starts_with("java/util/function/") => {}
            None if class == "java/lang/Runnable" || class == "java/lang/Comparable" => {}
            None => return true,
        }
    }
    false
}

fn compute(class: &Class<'_>) -> Result<i64, Reason> {
    let pool = &class.pool;
    let mut hashed = Hashed(Vec::new());
    hashed.text(&dotted(class.name()?));
    hashed.int(class_modifiers(class)?);
    let mut interfaces = Vec::new();
    for &interface in &class.interfaces {
        interfaces.push(dotted(pool.class(interface)?));
    }
    interfaces.sort();
    interfaces
        .iter()
        .for_each(|interface| hashed.text(interface));

    let mut fields = Vec::new();
    for field in &class.fields {
        let shown = PUBLIC | PRIVATE | 0x0004 | STATIC | FINAL | VOLATILE | TRANSIENT;
        let modifiers = field.access & shown;
        let hidden = modifiers & PRIVATE != 0 && modifiers & (STATIC | TRANSIENT) != 0;
        if !hidden {
            fields.push((
                pool.utf8(field.name)?,
                modifiers,
                pool.utf8(field.descriptor)?,
            ));
        }
    }
    fields.sort();
    for (name, modifiers, descriptor) in fields {
        hashed.member(name, modifiers, descriptor);
    }
    hash_methods(class, &mut hashed)?;
    let digest = Sha1::digest(&hashed.0);
    let mut first = [0; 8];
    first.copy_from_slice(&digest[..8]);
    Ok(i64::from_le_bytes(first))
}

/// First the static initialiser, then constructors, then methods.
fn hash_methods(class: &Class<'_>, hashed: &mut Hashed) -> Result<(), Reason> {
    let pool = &class.pool;
    // public, private, protected, static, final, synchronized, native, abstract, strictfp
    let shown = 0x0d3f;
    let mut constructors = Vec::new();
    let mut methods = Vec::new();
    for method in &class.methods {
        let (name, descriptor) = (pool.utf8(method.name)?, pool.utf8(method.descriptor)?);
        let modifiers = method.access & shown;
        match name {
            b"<clinit>" => hashed.member(name, STATIC, b"()V"),
            _ if modifiers & PRIVATE != 0 => {}
            b"<init>" => constructors.push((name, dotted(descriptor), modifiers)),
            _ => methods.push((name, dotted(descriptor), modifiers)),
        }
    }
    for group in [&mut constructors, &mut methods] {
        group.sort();
        for (name, descriptor, modifiers) in group {
            hashed.member(name, *modifiers, descriptor);
        }
    }
    Ok(())
}

/// Modifiers as `Class.getModifiers` gives them: those of nested classes stand in `InnerClasses`.
fn class_modifiers(class: &Class<'_>) -> Result<i32, Reason> {
    let mut access = class.access;
    for attribute in &class.attributes {
        if class.pool.utf8(attribute.name)? == b"InnerClasses" {
            let mut reader = crate::bytes::Reader::new(&attribute.body);
            let rows = reader.table(|reader| {
                let inner = reader.u2()?;
                reader.u4()?;
                Ok((inner, reader.u2()?))
            })?;
            for (inner, flags) in rows {
                if class.pool.class(inner)? == class.name()? {
                    access = flags;
                }
            }
        }
    }
    Ok(i32::from(access & (PUBLIC | FINAL | INTERFACE | ABSTRACT)))
}

fn dotted(name: &[u8]) -> Vec<u8> {
    let dotted = name
        .iter()
        .map(|&byte| if byte == b'/' { b'.' } else { byte });
    dotted.collect()
}

/// What is hashed, in the form of `java.io.DataOutputStream`.
struct Hashed(Vec<u8>);

impl Hashed {
    fn text(&mut self, text: &[u8]) {
        self.0.u2(text.len() as u16);
        self.0.extend_from_slice(text);
    }

    fn int(&mut self, value: i32) {
        self.0.u4(value as u32);
    }

    fn member(&mut self, name: &[u8], modifiers: u16, descriptor: &[u8]) {
        self.text(name);
        self.int(modifiers.into());
        self.text(descriptor);
    }
}

/// Adds the field.
pub(crate) fn add(class: &mut Class<'_>, version: i64) -> Result<(), Reason> {
    let pool = &mut class.pool;
    let value = pool.add_long(version)?;
    let field = Member {
        access: PRIVATE | STATIC | FINAL | SYNTHETIC,
        name: pool.add_utf8(NAME)?,
        descriptor: pool.add_utf8(b"J")?,
        attributes: vec![Attribute {
            name: pool.add_utf8(b"ConstantValue")?,
            body: Cow::Owned(value.to_be_bytes().to_vec()),
        }],
    };
    class.fields.push(field);
    Ok(())
}
