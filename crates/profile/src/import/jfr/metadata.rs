//! The metadata event of a chunk: which types there are and what fields they have.

use std::borrow::Cow;
use std::rc::Rc;

use super::cursor::{Broken, Cursor, Text};
use crate::hash::Numbered;

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
pub(super) type Types = Numbered<i64, Type>;

/// Reads the metadata event at the cursor.
pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Types, Broken> {
    cursor.int()?; // size
    if cursor.long()? != 0 {
        return Err(cursor.broken("the metadata event was expected here"));
    }
    for _ in 0..3 {
        cursor.long()?; // start, duration, id
    }
    let mut strings = Strings::read(cursor)?;
    let mut types = Types::default();
    read_element(cursor, &mut strings, &mut types, 0)?;
    Ok(types)
}

/// The strings of the metadata. Many types and fields can share one as their name, so that is kept once.
struct Strings<'a> {
    texts: Vec<Cow<'a, str>>,
    names: Vec<Option<Rc<str>>>,
}

impl<'a> Strings<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Result<Self, Broken> {
        let count = cursor.count()?;
        let mut texts = Vec::with_capacity(count);
        for _ in 0..count {
            texts.push(match cursor.string()? {
                Text::Here(text) => text,
                Text::Null => Cow::Borrowed(""),
                Text::Pooled(_) => {
                    let what = "a string was expected in the metadata, not a reference";
                    return Err(cursor.broken(what));
                }
            });
        }
        Ok(Self {
            names: vec![None; texts.len()],
            texts,
        })
    }

    /// The string whose number is at the cursor.
    fn next(&self, cursor: &mut Cursor<'_>) -> Result<usize, Broken> {
        let index = usize::try_from(cursor.int()?).ok();
        let found = index.filter(|&i| i < self.texts.len());
        found.ok_or(cursor.broken("the number of a string was expected in the metadata"))
    }

    fn name(&mut self, index: usize) -> Rc<str> {
        let text = &self.texts[index];
        self.names[index]
            .get_or_insert_with(|| Rc::from(&**text))
            .clone()
    }
}

/// The attributes that matter, as numbers of strings.
#[derive(Default)]
struct Attributes {
    name: Option<usize>,
    id: Option<usize>,
    class: Option<usize>,
    pool: Option<usize>,
    dimension: Option<usize>,
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
    strings: &mut Strings<'_>,
    types: &mut Types,
    depth: usize,
) -> Result<Element, Broken> {
    if depth > MAX_DEPTH {
        return Err(cursor.broken("metadata of at most 16 levels was expected"));
    }
    let tag = strings.next(cursor)?;
    let mut attributes = Attributes::default();
    for _ in 0..cursor.count()? {
        let (key, value) = (strings.next(cursor)?, strings.next(cursor)?);
        let place = match &*strings.texts[key] {
            "name" => &mut attributes.name,
            "id" => &mut attributes.id,
            "class" => &mut attributes.class,
            "constantPool" => &mut attributes.pool,
            "dimension" => &mut attributes.dimension,
            _ => continue,
        };
        *place = Some(value);
    }
    let mut fields = Vec::new();
    for _ in 0..cursor.count()? {
        match read_element(cursor, strings, types, depth + 1)? {
            Element::Field(field) => fields.push(field),
            Element::Class(id, class) => _ = types.insert(id, class),
            Element::Other => {}
        }
    }
    make_element(tag, &attributes, fields, strings)
        .ok_or(cursor.broken("a class or field with number and name was expected"))
}

fn make_element(
    tag: usize,
    attributes: &Attributes,
    fields: Vec<Field>,
    strings: &mut Strings<'_>,
) -> Option<Element> {
    let number = |at: Option<usize>| strings.texts[at?].parse().ok();
    let text = |at: Option<usize>| at.map(|at| &*strings.texts[at]);
    Some(match &*strings.texts[tag] {
        "class" => {
            let id = number(attributes.id)?;
            let name = strings.name(attributes.name?);
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
            class: number(attributes.class)?,
            pooled: text(attributes.pool) == Some("true"),
            array: text(attributes.dimension).is_some_and(|dimension| dimension != "0"),
            name: strings.name(attributes.name?),
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
