//! Values of events and constant pools.

use super::cursor::{Broken, Cursor, Text};
use super::metadata::{Field, Storage, Types};

/// Structures nest three deep in real files.
const MAX_DEPTH: usize = 16;

/// A decoded value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Int(i64),
    Float(f64),
    Text(String),
    /// An entry of a constant pool.
    Ref {
        class: i64,
        index: i64,
    },
    /// A structure: its type and its fields in the type's order.
    Object(i64, Vec<Value>),
    Array(Vec<Value>),
}

/// Reads a value of the type `class`.
pub(super) fn read(cursor: &mut Cursor<'_>, class: i64, types: &Types) -> Result<Value, Broken> {
    read_nested(cursor, class, types, 0)
}

fn read_nested(
    cursor: &mut Cursor<'_>,
    class: i64,
    types: &Types,
    depth: usize,
) -> Result<Value, Broken> {
    cursor.spend()?;
    if depth > MAX_DEPTH {
        return Err(cursor.broken("a value of at most 16 levels was expected"));
    }
    let ty = types
        .get(&class)
        .ok_or(cursor.broken("a value of a declared type was expected"))?;
    Ok(match ty.storage {
        Storage::Int => Value::Int(cursor.int()?),
        Storage::Long => Value::Int(cursor.long()?),
        Storage::Short | Storage::Char => Value::Int(cursor.short()?),
        Storage::Byte => Value::Int(i64::from(cursor.byte()? as i8)),
        Storage::Float => Value::Float(cursor.float()?),
        Storage::Double => Value::Float(cursor.double()?),
        Storage::String => match cursor.string()? {
            Text::Null => Value::Null,
            Text::Here(text) => Value::Text(text.into_owned()),
            Text::Pooled(index) => Value::Ref { class, index },
        },
        Storage::Fields => {
            let mut fields = Vec::with_capacity(ty.fields.len());
            for field in &ty.fields {
                fields.push(read_field(cursor, field, types, depth + 1)?);
            }
            Value::Object(class, fields)
        }
    })
}

fn read_field(
    cursor: &mut Cursor<'_>,
    field: &Field,
    types: &Types,
    depth: usize,
) -> Result<Value, Broken> {
    if !field.array {
        return read_single(cursor, field, types, depth);
    }
    let mut elements = Vec::new();
    for _ in 0..cursor.count()? {
        elements.push(read_single(cursor, field, types, depth)?);
    }
    Ok(Value::Array(elements))
}

fn read_single(
    cursor: &mut Cursor<'_>,
    field: &Field,
    types: &Types,
    depth: usize,
) -> Result<Value, Broken> {
    if field.pooled {
        return Ok(Value::Ref {
            class: field.class,
            index: cursor.long()?,
        });
    }
    read_nested(cursor, field.class, types, depth)
}

/// Moves behind a value of the type `class`.
pub(super) fn skip(
    cursor: &mut Cursor<'_>,
    class: i64,
    types: &Types,
    depth: usize,
) -> Result<(), Broken> {
    let fields = types.get(&class).filter(|ty| ty.storage == Storage::Fields);
    let Some(ty) = fields.filter(|_| depth < MAX_DEPTH) else {
        return read_nested(cursor, class, types, depth).map(drop);
    };
    cursor.spend()?;
    for field in &ty.fields {
        let count = if field.array { cursor.count()? } else { 1 };
        for _ in 0..count {
            if field.pooled {
                cursor.long()?;
            } else {
                skip(cursor, field.class, types, depth + 1)?;
            }
        }
    }
    Ok(())
}
