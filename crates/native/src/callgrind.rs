//! Callgrind: instructions of each function in a window of one process.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use proofmark_profile::{FunctionCost, callgrind_costs};

use crate::launch::{Launch, LaunchError};
use crate::windows::{Ran, Runner, Wanted};
use crate::{Program, Reported};

/// Runs so many iterations of the program in one process under callgrind: one where a process is an iteration. Of what is
/// reported, the sum is all that the program executed in them.
///
/// # Errors
/// When the program cannot be run, or valgrind fails.
pub fn callgrind(
    program: &Program,
    runner: &mut Runner,
    (dose, iterations): (Option<(u64, u32)>, u32),
    interrupted: &AtomicBool,
) -> Result<(Ran, Reported), LaunchError> {
    runner.end(interrupted)?;
    let launch = &runner.launch;
    let [file, dumped] =
        ["callgrind.out", "callgrind.out.1"].map(|name| launch.directory.join(name));
    for old in [&file, &dumped] {
        let _ = std::fs::remove_file(old);
    }
    let mut under = Runner::new(Launch {
        before: words(launch, &file),
        ..launch.clone()
    });
    let wanted = Wanted {
        dose,
        least_s: 0.0,
        least: iterations,
    };
    let ran = under.windows(&[wanted], interrupted);
    let ran = ran.and_then(|ran| under.end(interrupted).map(|()| ran));
    let mut ran = ran.map_err(LaunchError::of_profiler)?;
    let file = if launch.marked { dumped } else { file };
    let none = |error| LaunchError::Profiler(format!("valgrind left no profile: {error}"));
    let bytes = std::fs::read(&file).map_err(none)?;
    let wrong = |error| LaunchError::Profiler(format!("{}: {error}", file.display()));
    let reported = reported(program, &callgrind_costs(&bytes).map_err(wrong)?);
    match ran.pop() {
        Some(ran) if !reported.functions.is_empty() => Ok((ran, reported)),
        _ => Err(LaunchError::Profiler(format!(
            "{} tells no function",
            file.display()
        ))),
    }
}

fn words(launch: &Launch, file: &Path) -> Vec<String> {
    let mut words: Vec<String> = vec![
        "valgrind".into(),
        "--tool=callgrind".into(),
        "--quiet".into(),
        "--demangle=no".into(),
        // What valgrind itself says must not stand in the program's output.
        format!(
            "--log-file={}",
            launch.directory.join("valgrind.log").display()
        ),
        format!("--callgrind-out-file={}", file.display()),
    ];
    if launch.marked {
        // What runs outside of the window is not counted.
        words.push("--zero-before=proofmark_window_begins".into());
        words.push("--dump-before=proofmark_window_ends".into());
    }
    words
}

/// Own costs per function.
fn reported(program: &Program, costs: &[FunctionCost]) -> Reported {
    let mut all = Reported::default();
    for one in costs {
        // The second level of a recursion has a name of its own.
        let plain = one.function.split('\'').next().unwrap_or_default();
        all.add(program.named(plain, &one.object), one.own);
    }
    all
}
