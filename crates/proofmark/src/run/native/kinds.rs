//! Profilers of native programs by their names.

use std::path::Path;

use proofmark_native::{
    LaunchError, PerProcess, PerfSettings, Ran, Reported, found_command, gperftools_library,
};

use super::CALLGRIND;

/// Names of profilers of native programs; `cmd:` with a line for the shell is one too.
const PROFILERS: [&str; 7] = [
    "perf",
    "perf+fp",
    "perf+dwarf",
    "samply",
    GPERFTOOLS,
    GPROF,
    CALLGRIND,
];

const GPERFTOOLS: &str = "gperftools";
const GPROF: &str = "gprof";
/// What a command of the user's begins with.
const COMMAND: &str = "cmd:";

/// Samples per second, unless the user says otherwise.
const RATE_HZ: f64 = 5000.0;
/// The same of samply, which copies 32 KB of the stack for each.
const SAMPLY_HZ: f64 = 1000.0;
/// The same of gperftools; the kernel's ticks allow less.
const GPERFTOOLS_HZ: f64 = 1000.0;
/// The most that gperftools takes.
const GPERFTOOLS_MOST_HZ: f64 = 4000.0;
/// Samples in a process at least, for those that begin to count with each: with fewer they fall on the same places.
const LEAST_SAMPLES: f64 = 10.0;

/// How a profiler that shows time looks at the program.
pub(super) enum Kind {
    Perf(PerfSettings),
    Samply { rate_hz: f64 },
    PerProcess(PerProcess),
}

/// Why a name is none of a profiler of native programs; none where it is one.
pub fn refused(name: &str) -> Option<String> {
    let Some(line) = name.strip_prefix(COMMAND) else {
        let known = PROFILERS.contains(&name);
        let all = PROFILERS.join(", ");
        return (!known).then(|| format!("native programs are looked at by {all}, {COMMAND}LINE"));
    };
    for (word, says) in [
        (
            "{out}",
            "where its profile goes: write {out} for the name of that file",
        ),
        (
            "{program}",
            "what is run: write {program} for the program with its arguments",
        ),
    ] {
        if !line.contains(word) {
            return Some(format!("the line does not say {says}"));
        }
    }
    let first = line.split_whitespace().next().unwrap_or_default();
    // What is more than a word is the shell's to understand.
    let plain = !first.contains(|sign: char| "$=`({~'\"\\;&|<>".contains(sign));
    let absent = plain && found_command(first).is_none();
    absent.then(|| format!("there is no program {first}"))
}

/// How a profiler of this name, which shows time, looks at the program. `interval_ms`: time between samples.
///
/// # Errors
/// When it is not on this machine.
pub(super) fn kind(name: &str, interval_ms: Option<f64>) -> Result<Kind, LaunchError> {
    let rate_hz = |usual: f64| interval_ms.map_or(usual, |ms| 1e3 / ms);
    if let Some(line) = name.strip_prefix(COMMAND) {
        let line = line.to_owned();
        return Ok(Kind::PerProcess(PerProcess::Command { line }));
    }
    let options: &[&str] = match name {
        GPROF => return Ok(Kind::PerProcess(PerProcess::Gprof)),
        GPERFTOOLS => {
            let library = gperftools_library();
            let absent = || LaunchError::Profiler(NO_LIBRARY.into());
            return Ok(Kind::PerProcess(PerProcess::Gperftools {
                library: library.ok_or_else(absent)?,
                rate_hz: rate_hz(GPERFTOOLS_HZ).min(GPERFTOOLS_MOST_HZ),
            }));
        }
        "samply" => {
            return Ok(Kind::Samply {
                rate_hz: rate_hz(SAMPLY_HZ),
            });
        }
        "perf+fp" => &["--call-graph", "fp"],
        "perf+dwarf" => &["--call-graph", "dwarf,4096"],
        _ => &[],
    };
    Ok(Kind::Perf(PerfSettings {
        rate_hz: rate_hz(RATE_HZ),
        options: options.iter().map(|one| (*one).to_owned()).collect(),
    }))
}

const NO_LIBRARY: &str = "there is no libprofiler.so.0: install it (Debian: apt-get install libgoogle-perftools4), or name \
     the file in PROOFMARK_LIBPROFILER";

/// Least CPU time of a window, s: profilers that take few samples need longer ones.
pub(super) fn least_window_s(name: &str) -> f64 {
    match name {
        GPROF => 0.25,
        GPERFTOOLS => 0.1,
        _ => 0.0,
    }
}

/// Whether a profiler takes enough samples in a process, by a window at rest.
///
/// # Errors
/// When it does not.
pub(super) fn enough(name: &str, ran: &Ran, reported: &Reported) -> Result<(), LaunchError> {
    let processes = f64::from(ran.iterations().max(1));
    let samples = reported.functions.values().sum::<f64>() + reported.other;
    if !matches!(name, GPROF | GPERFTOOLS) || samples >= LEAST_SAMPLES * processes {
        return Ok(());
    }
    Err(LaunchError::Profiler(format!(
        "it takes {:.1} samples in a process of {:.2} s, and with fewer than {LEAST_SAMPLES:.0} they fall on the same places \
         each time: give the program more to do",
        samples / processes,
        ran.cpu_ns() / 1e9 / processes
    )))
}

/// How a tool that is missing is had, in brackets; empty where it is not known.
pub(super) fn brought_by(tool: &Path) -> &'static str {
    match tool.to_str() {
        Some("perf") => " (Debian: apt-get install linux-perf)",
        Some("valgrind") => " (Debian: apt-get install valgrind)",
        Some("samply") => " (cargo install --locked samply)",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_or_refused_with_what_to_write() {
        for name in PROFILERS {
            assert_eq!(refused(name), None, "{name}");
        }
        for (name, says) in [
            (
                "jfr",
                "looked at by perf, perf+fp, perf+dwarf, samply, gperftools, gprof",
            ),
            ("cmd:sh -c {program}", "write {out}"),
            ("cmd:sh -c 'x >{out}'", "write {program}"),
            (
                "cmd:/none/tool {out} {program}",
                "there is no program /none/tool",
            ),
        ] {
            let why = refused(name).unwrap_or_default();
            assert!(why.contains(says), "{name}: {why}");
        }
        for line in [
            "cmd:sh -c x {out} {program}",
            "cmd:A=b none {out} {program}",
        ] {
            assert_eq!(refused(line), None, "{line}");
        }
    }

    #[test]
    fn the_interval_says_how_often_samples_are_taken() {
        let perf = |name, ms| match kind(name, ms) {
            Ok(Kind::Perf(settings)) => Some(settings),
            _ => None,
        };
        let plain = perf("perf", Some(2.0)).unwrap();
        assert_eq!((plain.rate_hz, plain.options.len()), (500.0, 0));
        let dwarf = perf("perf+dwarf", None).unwrap();
        assert_eq!((dwarf.rate_hz, dwarf.options.len()), (RATE_HZ, 2));
        let samply = kind("samply", None);
        assert!(matches!(samply, Ok(Kind::Samply { rate_hz }) if rate_hz == SAMPLY_HZ));
        let command = kind("cmd:x {out}", None);
        assert!(matches!(
            command,
            Ok(Kind::PerProcess(PerProcess::Command { line })) if line == "x {out}"
        ));
    }

    #[test]
    fn few_samples_in_a_process_are_too_few() {
        let process = |cpu_ns| proofmark_native::Stretch {
            pid: 1,
            cpu_ns,
            iterations: 1,
            span_ns: [0, 1],
            whole: true,
        };
        let ran = Ran {
            stretches: vec![process(5e7), process(5e7)],
            obeyed: 0,
        };
        let of = |samples: f64| Reported {
            functions: [("f".to_owned(), samples - 1.0)].into(),
            other: 1.0,
        };
        assert!(enough(GPROF, &ran, &of(20.0)).is_ok());
        let error = enough(GPROF, &ran, &of(10.0)).unwrap_err().to_string();
        assert!(
            error.contains("5.0 samples in a process of 0.05 s"),
            "{error}"
        );
        assert!(enough("perf", &ran, &of(10.0)).is_ok());
    }
}
