//! Fields of values, followed into constant pools.

use super::Chunk;
use crate::import::jfr::value::Value;

impl Chunk<'_> {
    /// The field of a structure, looked up in its pool if need be.
    pub(in crate::import::jfr) fn get<'v>(
        &'v self,
        value: &'v Value,
        name: &str,
    ) -> Option<&'v Value> {
        self.raw(value, name).map(|v| self.resolve(v))
    }

    /// The field of a structure as it is stored.
    pub(in crate::import::jfr) fn raw<'v>(
        &'v self,
        value: &'v Value,
        name: &str,
    ) -> Option<&'v Value> {
        let Value::Object(class, fields) = self.resolve(value) else {
            return None;
        };
        let at = self
            .types
            .get(class)?
            .fields
            .iter()
            .position(|f| *f.name == *name)?;
        fields.get(at)
    }

    /// Follows references to constants; one that is not there is [`Value::Null`].
    pub(in crate::import::jfr) fn resolve<'v>(&'v self, value: &'v Value) -> &'v Value {
        let mut value = value;
        for _ in 0..4 {
            let Value::Ref { class, index } = value else {
                return value;
            };
            value = self.pools.get(&(*class, *index)).unwrap_or(&Value::Null);
        }
        &Value::Null
    }

    /// A whole-number field.
    pub(in crate::import::jfr) fn int(&self, value: &Value, name: &str) -> Option<i64> {
        match self.get(value, name)? {
            Value::Int(v) => Some(*v),
            _ => None,
        }
    }

    /// A text field; symbols are structures with one string.
    pub(in crate::import::jfr) fn text<'v>(
        &'v self,
        value: &'v Value,
        name: &str,
    ) -> Option<&'v str> {
        match self.get(value, name)? {
            Value::Text(text) => Some(text),
            symbol @ Value::Object(..) => match self.get(symbol, "string")? {
                Value::Text(text) => Some(text),
                _ => None,
            },
            _ => None,
        }
    }
}
