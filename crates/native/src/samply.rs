//! `samply record` around many windows. It writes addresses; names are looked up here, as its own page would do it.

use std::process::Command;
use std::sync::atomic::AtomicBool;

use proofmark_profile::{Leaf, Leaves, firefox_leaves};

use crate::launch::{LaunchError, system};
use crate::recorder::{Sorted, record};
use crate::symbols::Files;
use crate::windows::{Ran, Runner, Wanted};
use crate::{Program, Reported};

/// Runs windows under one `samply record`, with so many samples per second.
///
/// # Errors
/// When the program cannot be run, samply fails, the user wants to stop, or samply does not say by which clock it took the
/// samples of a program that marks its iterations or has child processes.
pub fn samply_windows(
    program: &Program,
    runner: &mut Runner,
    wanted: &[Wanted],
    rate_hz: f64,
    interrupted: &AtomicBool,
) -> Result<Vec<(Ran, Reported)>, LaunchError> {
    let marked = runner.launch.marked;
    let file = runner.launch.directory.join("samply.json");
    // That of an earlier recording must not be taken for this one's.
    let _ = std::fs::remove_file(&file);
    let mut command = Command::new("samply");
    command.args(["record", "--save-only", "--no-open", "--rate"]);
    command.arg(format!("{rate_hz:.0}")).arg("-o").arg(&file);
    let windows = record(runner, wanted, command, interrupted)?;
    let bytes = std::fs::read(&file).map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound => LaunchError::Profiler("samply left no profile".into()),
        _ => system(&file)(source),
    })?;
    let wrong = |error| LaunchError::Profiler(format!("{}: {error}", file.display()));
    let leaves = firefox_leaves(&bytes).map_err(wrong)?;
    if leaves.start_ns.is_none() && (marked || has_children(&windows, &leaves)) {
        return Err(LaunchError::Profiler(NO_CLOCK.into()));
    }
    Ok(reported(program, windows, &leaves))
}

const NO_CLOCK: &str = "this version of samply does not say by which clock its samples were taken, so that they cannot be \
     put into windows of a program that marks its iterations or has child processes: take a newer one, or another program";

/// Whether processes were sampled that the program has started.
fn has_children(windows: &Sorted, leaves: &Leaves) -> bool {
    !leaves.samples.iter().all(|leaf| windows.knows(leaf.pid))
}

fn reported(program: &Program, mut windows: Sorted, leaves: &Leaves) -> Vec<(Ran, Reported)> {
    let mut files = Files::default();
    for leaf in &leaves.samples {
        let window = match leaves.start_ns {
            Some(start_ns) => windows.window(leaf.pid, (start_ns + leaf.time_ns) as u64),
            None => windows.window_of(leaf.pid),
        };
        if let Some(window) = window {
            window.add(named(program, leaf, &mut files), leaf.weight);
        }
    }
    windows.into_windows()
}

/// The function's name, as the program's table has it.
fn named(program: &Program, leaf: &Leaf, files: &mut Files) -> Option<String> {
    let library = leaf.library.as_deref()?;
    let symbol = match leaf.name.as_deref() {
        Some(name) => name,
        None => files.of(library)?.at_distance(leaf.address?)?,
    };
    program.named(symbol, library)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::windows::Stretch;

    fn leaf(pid: u32, time_ns: f64, library: &str, name: Option<&str>) -> Leaf {
        Leaf {
            pid,
            time_ns,
            weight: 2.0,
            library: Some(library.into()),
            name: name.map(str::to_owned),
            address: Some(16),
        }
    }

    fn ran(pid: u32, span_ns: [u64; 2], whole: bool) -> Ran {
        Ran {
            stretches: vec![Stretch {
                pid,
                cpu_ns: 1.0,
                iterations: 1,
                span_ns,
                whole,
            }],
            obeyed: 0,
        }
    }

    #[test]
    fn samples_are_put_into_windows_by_process_and_clock() {
        let leaves = Leaves {
            start_ns: Some(1000.0),
            samples: vec![
                leaf(7, 5.0, "/tmp/t", Some("f")),
                leaf(7, 12.0, "/tmp/t", Some("f")),
                leaf(7, 30.0, "/lib/libx.so", Some("g")),
                leaf(7, 31.0, "/none", None),
                leaf(8, 12.0, "/tmp/t", Some("f")),
            ],
        };
        let program = Program::without_sites("/tmp/t".as_ref());
        let windows = vec![ran(7, [1010, 1019], false), ran(7, [1020, 1040], false)];
        let all = reported(&program, Sorted::new(windows, 5), &leaves);
        let [first, second] = [0, 1].map(|at: usize| &all[at].1);
        assert_eq!((first.functions["f"], first.other), (2.0, 0.0));
        assert_eq!((second.functions["libx.so:g"], second.other), (2.0, 2.0));
        assert_eq!(first.functions.len() + second.functions.len(), 2);
    }

    #[test]
    fn children_need_a_clock_and_whole_processes_none() {
        let windows = || Sorted::new(vec![ran(7, [10, 20], true), ran(9, [25, 30], true)], 5);
        let leaf = |pid, time_ns| leaf(pid, time_ns, "/tmp/t", Some("f"));
        let program = Program::without_sites("/tmp/t".as_ref());
        let counts = |leaves: &Leaves| -> Vec<f64> {
            let all = reported(&program, windows(), leaves);
            all.iter().map(|(_, one)| one.functions["f"]).collect()
        };
        let mut leaves = Leaves {
            start_ns: None,
            samples: vec![leaf(7, 99.0), leaf(5, 99.0), leaf(9, 99.0), leaf(9, 99.0)],
        };
        assert!(!has_children(&windows(), &leaves));
        assert_eq!(counts(&leaves), [2.0, 4.0]);
        leaves.samples.push(leaf(8, 12.0));
        assert!(has_children(&windows(), &leaves));
        leaves.start_ns = Some(0.0);
        leaves.samples.extend([leaf(5, 12.0), leaf(9, 26.0)]);
        assert_eq!(counts(&leaves), [2.0, 2.0]);
    }
}
