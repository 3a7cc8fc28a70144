//! Innermost places of a Firefox profile, for those who have the program: samply writes addresses, and looks names up when
//! it shows a profile.

use serde_json::Value;

use super::firefox::{at, is_address, is_profile, rows};
use super::json;
use crate::error::ImportError;
use crate::import::Format;

/// What a Firefox profile tells of each sample's innermost function.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaves {
    /// When times begin, in nanoseconds of `CLOCK_MONOTONIC`, where the file tells it.
    pub start_ns: Option<f64>,
    /// Samples of all threads.
    pub samples: Vec<Leaf>,
}

/// A sample's innermost function.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    /// The process.
    pub pid: u32,
    /// When, ns from the start of the profile.
    pub time_ns: f64,
    /// How many samples it stands for.
    pub weight: f64,
    /// The library's path, where one is known.
    pub library: Option<String>,
    /// The function's name, where one is known.
    pub name: Option<String>,
    /// The instruction, counted from where the library begins in memory.
    pub address: Option<u64>,
}

/// Reads the innermost functions.
///
/// # Errors
/// When the bytes are no such profile, or it holds no sample.
pub fn firefox_leaves(bytes: &[u8]) -> Result<Leaves, ImportError> {
    let json = json(bytes, Format::Firefox)?;
    if !is_profile(&json) {
        let what = "the objects `meta` and `threads` were expected";
        return Err(ImportError::damaged(Format::Firefox, 0, what));
    }
    let threads = rows(&json["threads"]).iter();
    let samples: Vec<Leaf> = threads
        .flat_map(|one| Thread::of(&json, one).leaves())
        .collect();
    match samples.is_empty() {
        true => Err(ImportError::Empty {
            format: Format::Firefox,
        }),
        false => Ok(Leaves {
            start_ns: json["meta"]["startTimeAsClockMonotonicNanosecondsSinceBoot"].as_f64(),
            samples,
        }),
    }
}

/// The tables of a thread, in newer files those of all threads together.
struct Thread<'a> {
    own: &'a Value,
    stacks: &'a Value,
    frames: &'a Value,
    functions: &'a Value,
    resources: &'a Value,
    strings: &'a Value,
    libraries: &'a Value,
}

impl<'a> Thread<'a> {
    fn of(json: &'a Value, own: &'a Value) -> Self {
        let table = |name: &str| match own[name].is_null() {
            true => &json["shared"][name],
            false => &own[name],
        };
        Self {
            own,
            stacks: table("stackTable"),
            frames: table("frameTable"),
            functions: table("funcTable"),
            resources: table("resourceTable"),
            strings: table("stringArray"),
            libraries: &json["libs"],
        }
    }

    fn leaves(&self) -> Vec<Leaf> {
        // An id that comes again is `7243.1`.
        let id = &self.own["pid"];
        let number = |text: &str| text.split('.').next()?.parse().ok();
        let pid = id.as_u64().or_else(|| id.as_str().and_then(number));
        let Some(pid) = pid.and_then(|pid| u32::try_from(pid).ok()) else {
            return Vec::new();
        };
        let samples = &self.own["samples"];
        let mut time_ms = 0.0;
        let mut all = Vec::new();
        for (row, stack) in (0..).zip(rows(&samples["stack"])) {
            time_ms = match at(&samples["timeDeltas"], row).as_f64() {
                Some(delta) => time_ms + delta,
                None => at(&samples["time"], row).as_f64().unwrap_or(time_ms),
            };
            let weight = at(&samples["weight"], row).as_f64().unwrap_or(1.0);
            let known = stack.as_u64().and_then(|stack| self.place(stack));
            let (library, name, address) = known.unwrap_or_default();
            all.push(Leaf {
                pid,
                time_ns: 1e6 * time_ms,
                weight,
                library,
                name,
                address,
            });
        }
        all
    }

    /// Library, name and address of a stack's innermost frame.
    fn place(&self, stack: u64) -> Option<(Option<String>, Option<String>, Option<u64>)> {
        let text = |value: &Value| at(self.strings, value.as_u64()?).as_str();
        let frame = at(&self.stacks["frame"], stack).as_u64()?;
        let function = at(&self.frames["func"], frame).as_u64()?;
        let name = text(at(&self.functions["name"], function));
        let resource = at(&self.functions["resource"], function).as_u64();
        let library = resource.and_then(|row| at(&self.resources["lib"], row).as_u64());
        let path = library.and_then(|row| at(self.libraries, row)["path"].as_str());
        Some((
            path.map(str::to_owned),
            name.filter(|name| !is_address(name)).map(str::to_owned),
            at(&self.frames["address"], frame).as_u64(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two threads as samply writes them: one of a process that came twice, with an address, a name and nothing.
    const TEXT: &str = r#"{"meta": {"startTimeAsClockMonotonicNanosecondsSinceBoot": 5000},
        "libs": [{"path": "/usr/lib/libc.so.6"}, {"path": "/tmp/t"}],
        "threads": [
            {"pid": "7243.1",
             "samples": {"stack": [1, 0, null], "time": [1.5, 2.0, 3.0], "weight": [1, 2, 1]},
             "stackTable": {"frame": [0, 1], "prefix": [null, 0]},
             "frameTable": {"func": [0, 1], "address": [-1, 4660]},
             "funcTable": {"name": [0, 1], "resource": [-1, 0]},
             "resourceTable": {"lib": [1]},
             "stringArray": ["jitted", "0x1234"]},
            {"pid": {}, "samples": {"stack": [0]}}]}"#;

    #[test]
    fn the_innermost_places_are_read() {
        let leaves = firefox_leaves(TEXT.as_bytes()).unwrap();
        assert_eq!(leaves.start_ns, Some(5000.0));
        let leaf = |time_ns, weight, address| Leaf {
            pid: 7243,
            time_ns,
            weight,
            library: None,
            name: None,
            address,
        };
        let expected = [
            Leaf {
                library: Some("/tmp/t".into()),
                ..leaf(1.5e6, 1.0, Some(4660))
            },
            Leaf {
                name: Some("jitted".into()),
                ..leaf(2e6, 2.0, None)
            },
            leaf(3e6, 1.0, None),
        ];
        assert_eq!(leaves.samples, expected);
    }

    #[test]
    fn tables_of_all_threads_together_are_found_and_deltas_add_up() {
        let text = TEXT
            .replace(
                "\"time\": [1.5, 2.0, 3.0]",
                "\"timeDeltas\": [1.5, 0.5, 1.0]",
            )
            .replace("\"stringArray\"", "\"other\"")
            .replace(
                "\"threads\": [",
                "\"shared\": {\"stringArray\": [\"jitted\", \"0x1234\"]}, \"threads\": [",
            );
        let [before, after] =
            [TEXT, text.as_str()].map(|text| firefox_leaves(text.as_bytes()).unwrap());
        assert_eq!(after, before);
    }

    #[test]
    fn what_is_no_profile_is_refused() {
        for text in ["{", "[]", r#"{"meta": {}, "threads": []}"#] {
            assert!(firefox_leaves(text.as_bytes()).is_err(), "{text}");
        }
    }
}
