//! Any importer's profile as a recording.

use std::collections::BTreeMap;

use proofmark_profile::{Filter, Profile, Shares, ThreadFilter, Unit, profiler_name};

use crate::model::{Recording, Row};

/// What to take from a profile.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Taking {
    /// The thread that ran the program; none: all threads.
    pub thread: Option<RunThread>,
    /// Also count samples whose leaf is not Java (native, kernel, VM) and those without a stack, under their names.
    pub native: bool,
}

/// The thread that ran the program.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunThread {
    /// The operating system's id.
    pub os_id: Option<i64>,
    /// Name, for profiles without ids.
    pub name: Option<String>,
}

/// The recording of one run. Shares are of the samples whose leaf is Java, or of all of them ([`Taking::native`]).
/// Its profiler is called as [`profiler_name`] says.
#[must_use]
pub fn recording(program: &str, profiler: &str, profile: &Profile, taking: &Taking) -> Recording {
    let shares = profile.by_method(&filter(profile, taking));
    let whole = if taking.native {
        shares.weight()
    } else {
        shares.java_weight()
    };
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let mut add = |identity: String, common: String, weight: f64| {
        let row = rows.entry(identity.clone()).or_insert_with(|| Row {
            identity,
            common,
            share_pct: 0.0,
        });
        row.share_pct += 100.0 * weight / whole;
    };
    for (method, share) in shares.methods.iter().filter(|(_, s)| s.self_weight > 0.0) {
        let common = method.without_descriptor().to_string();
        add(method.to_string(), common, share.self_weight);
    }
    if taking.native {
        for (name, weight) in not_java(&shares) {
            add(name.clone(), name, weight);
        }
    }
    Recording {
        program: program.to_owned(),
        profiler: profiler_name(profiler),
        rows: rows.into_values().collect(),
        // Tables that other tools export as per cent hold what their view showed.
        whole: profile.unit != Unit::Percent,
        samples: profile.samples_of(whole),
        iteration_ms: None,
    }
}

fn not_java(shares: &Shares) -> impl Iterator<Item = (String, f64)> {
    let failed = shares.failed.iter();
    let failed = failed.map(|(reason, weight)| (format!("[{reason}]"), *weight));
    let named = shares.not_java.iter().map(|(name, w)| (name.clone(), *w));
    named.chain(failed)
}

/// By the system's id where the profile tells ids, else by name; all threads if it knows neither.
fn filter(profile: &Profile, taking: &Taking) -> Filter {
    let wanted = taking.thread.clone().unwrap_or_default();
    let knows = |id| profile.threads.iter().any(|t| t.os_id == Some(id));
    let named = |name: &str| {
        profile
            .threads
            .iter()
            .any(|t| t.name.as_deref() == Some(name))
    };
    let thread = match (wanted.os_id, wanted.name) {
        (Some(id), _) if knows(id) => ThreadFilter::OsId(id),
        (_, Some(name)) if named(&name) => ThreadFilter::Name(name),
        _ => ThreadFilter::All,
    };
    Filter {
        thread,
        ..Filter::default()
    }
}
