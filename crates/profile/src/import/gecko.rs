//! Profiles as Firefox's own profiler writes them: rows with a schema, which become the columns of processed profiles.

use serde_json::{Map, Value, json};

/// The threads of a profile and of the processes below it, as columns; none of a profile that has columns already.
pub(super) fn threads(json: &Value) -> Option<Vec<Value>> {
    let own = json["threads"].as_array()?;
    if !own
        .iter()
        .any(|thread| thread["samples"]["schema"].is_object())
    {
        return None;
    }
    let mut threads: Vec<Value> = own.iter().map(processed).collect();
    let processes = json["processes"].as_array().into_iter().flatten();
    threads.extend(processes.filter_map(self::threads).flatten());
    Some(threads)
}

/// A frame is its location's text here: each becomes a function.
fn processed(thread: &Value) -> Value {
    let frames = columns(&thread["frameTable"]);
    let names = frames["location"].clone();
    let count = names.as_array().map_or(0, Vec::len);
    json!({
        "name": thread["name"],
        "tid": thread["tid"],
        "samples": columns(&thread["samples"]),
        "stackTable": columns(&thread["stackTable"]),
        "frameTable": {"func": (0..count).collect::<Vec<_>>(), "line": frames["line"]},
        "funcTable": {"name": names},
        "stringArray": thread["stringTable"],
    })
}

/// One array per name of the schema.
fn columns(table: &Value) -> Value {
    let rows = table["data"].as_array().map_or(&[][..], Vec::as_slice);
    let schema = table["schema"].as_object().into_iter().flatten();
    let wanted = ["stack", "time", "prefix", "frame", "location", "line"];
    let column = |(name, at): (&String, &Value)| {
        let at = usize::try_from(at.as_u64()?).ok()?;
        let value = |row: &Value| row.get(at).cloned().unwrap_or(Value::Null);
        let values: Vec<Value> = rows.iter().map(value).collect();
        wanted
            .contains(&name.as_str())
            .then(|| (name.clone(), Value::Array(values)))
    };
    Value::Object(schema.filter_map(column).collect::<Map<_, _>>())
}
