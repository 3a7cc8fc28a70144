//! The field `schema` of documents: name and version of their form, as `proofmark-dose/2`.

use serde::{Deserialize, Deserializer};

/// Reads the field as it is written now, or as a number alone, as the first versions of some documents have it: 1 in
/// a `proofmark-dose` is `proofmark-dose/1`.
pub(crate) fn read<'de, D: Deserializer<'de>>(name: &str, from: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Whole(String),
        Number(u32),
    }
    Ok(match Written::deserialize(from)? {
        Written::Whole(schema) => schema,
        Written::Number(version) => format!("{name}/{version}"),
    })
}
