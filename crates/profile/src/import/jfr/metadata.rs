//! The metadata event of a chunk: which types there are and what fields they have.

use std::collections::HashMap;
use std::rc::Rc;

use super::cursor::{Broken, Cursor, Text};

/// Elements nest four deep in real files.
const MAX_DEPTH: usize = 16;

/// How values of a type are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    Int,
    Long,
    Short,
    Char,
    Byte,
    Float,
    Double,
    String,
    /// One value per field.
    Fields,
}

/// A field of a type.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: Rc<str>,
    pub(super) class: i64,
    pub(super) pooled: bool,
    pub(super) array: bool,
}

/// A type: an event, a structure or a primitive.
#[derive(Debug)]
pub(super) struct Type {
    pub(super) name: Rc<str>,
    pub(super) storage: Storage,
    pub(super) fields: Vec<Field>,
}

/// Types by their number.
pub(super) type Types = HashMap<i64, Type>;

/// Reads the metadata event at the cursor.
pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Types, Broken> {
    cursor.int()?; // size
    if cursor.long()? != 0 {
        return Err(cursor.broken("the metadata event was expected here"));
    }
    for _ in 0..3 {
        cursor.long()?; // start, duration, id
    }
    let strings = read_strings(cursor)?;
    let mut types = Types::new();
    read_element(cursor, &strings, &mut types, 0)?;
    Ok(types)
}

/// Many types and fields can share one string, so it is kept once.
fn read_strings(cursor: &mut Cursor<'_>) -> Result<Vec<Rc<str>>, Broken> {
    let count = cursor.count()?;
    let mut strings = Vec::with_capacity(count);
    for _ in 0..count {
        strings.push(match cursor.string()? {
            Text::Here(text) => text.into(),
            Text::Null => "".into(),
            Text::Pooled(_) => {
                return Err(cursor.broken("a string was expected in the metadata, not a reference"));
            }
        });
    }
    Ok(strings)
}

/// What an element turned out to be.
enum Element {
    Class(i64, Type),
    Field(Field),
    Other,
}

/// Reads one element and, depth first, its children; classes go to `types`.
fn read_element(
    cursor: &mut Cursor<'_>,
    strings: &[Rc<str>],
    types: &mut Types,
    depth: usize,
) -> Result<Element, Broken> {
    if depth > MAX_DEPTH {
        return Err(cursor.broken("metadata of at most 16 levels was expected"));
    }
    let tag = text(cursor, strings)?;
    let mut attributes = HashMap::new();
    for _ in 0..cursor.count()? {
        let key: &str = text(cursor, strings)?;
        attributes.insert(key, text(cursor, strings)?);
    }
    let mut fields = Vec::new();
    for _ in 0..cursor.count()? {
        match read_element(cursor, strings, types, depth + 1)? {
            Element::Field(field) => fields.push(field),
            Element::Class(id, class) => _ = types.insert(id, class),
            Element::Other => {}
        }
    }
    make_element(tag, &attributes, fields)
        .ok_or(cursor.broken("a class or field with number and name was expected"))
}

fn text<'s>(cursor: &mut Cursor<'_>, strings: &'s [Rc<str>]) -> Result<&'s Rc<str>, Broken> {
    let index = usize::try_from(cursor.int()?).ok();
    let found = index.and_then(|i| strings.get(i));
    found.ok_or(cursor.broken("the number of a string was expected in the metadata"))
}

fn make_element(
    tag: &str,
    attributes: &HashMap<&str, &Rc<str>>,
    fields: Vec<Field>,
) -> Option<Element> {
    let name = || attributes.get("name").map(|&n| n.clone());
    let is = |key: &str, value: &str| attributes.get(key).is_some_and(|v| ***v == *value);
    Some(match tag {
        "class" => {
            let id = attributes.get("id")?.parse().ok()?;
            let name = name()?;
            Element::Class(
                id,
                Type {
                    storage: storage(&name),
                    name,
                    fields,
                },
            )
        }
        "field" => Element::Field(Field {
            name: name()?,
            class: attributes.get("class")?.parse().ok()?,
            pooled: is("constantPool", "true"),
            array: attributes.contains_key("dimension") && !is("dimension", "0"),
        }),
        _ => Element::Other,
    })
}

fn storage(name: &str) -> Storage {
    match name {
        "int" => Storage::Int,
        "long" => Storage::Long,
        "short" => Storage::Short,
        "char" => Storage::Char,
        "byte" | "boolean" => Storage::Byte,
        "float" => Storage::Float,
        "double" => Storage::Double,
        "java.lang.String" => Storage::String,
        _ => Storage::Fields,
    }
}
