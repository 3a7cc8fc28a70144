//! `samply record` around many windows. It writes addresses; names are looked up here, as its own page would do it.

use std::process::Command;

use proofmark_profile::{Leaf, Leaves, firefox_leaves};

use crate::launch::{LaunchError, system};
use crate::recorder::{Sorted, record};
use crate::symbols::Files;
use crate::windows::{Ran, Runner, Wanted};
use crate::{Program, Reported};

/// Runs windows under one `samply record`, with so many samples per second.
///
/// # Errors
/// When the program cannot be run, samply fails, or it does not say by which clock it took the samples of a program that
/// marks its iterations.
pub fn samply_windows(
    program: &Program,
    runner: &mut Runner,
    wanted: &[Wanted],
    rate_hz: f64,
) -> Result<Vec<(Ran, Reported)>, LaunchError> {
    let marked = runner.launch.marked;
    let file = runner.launch.directory.join("samply.json");
    // That of an earlier recording must not be taken for this one's.
    let _ = std::fs::remove_file(&file);
    let mut command = Command::new("samply");
    command.args(["record", "--save-only", "--no-open", "--rate"]);
    command.arg(format!("{rate_hz:.0}")).arg("-o").arg(&file);
    let ran = record(runner, wanted, command)?;
    let bytes = std::fs::read(&file).map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound => LaunchError::Profiler("samply left no profile".into()),
        _ => system(&file)(source),
    })?;
    let wrong = |error| LaunchError::Profiler(format!("{}: {error}", file.display()));
    let leaves = firefox_leaves(&bytes).map_err(wrong)?;
    if marked && leaves.start_ns.is_none() {
        return Err(LaunchError::Profiler(NO_CLOCK.into()));
    }
    Ok(reported(program, ran, &leaves))
}

const NO_CLOCK: &str = "this version of samply does not say by which clock its samples were taken, so that they cannot be \
     put into windows of a program that marks its iterations: take a newer one, or a program without marks";

fn reported(program: &Program, ran: Vec<Ran>, leaves: &Leaves) -> Vec<(Ran, Reported)> {
    let start_ns = leaves.start_ns.unwrap_or_default();
    let mut files = Files::default();
    let mut windows = Sorted::new(ran);
    for leaf in &leaves.samples {
        let ns = (start_ns + leaf.time_ns) as u64;
        if let Some(window) = windows.window(leaf.pid, ns) {
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

    #[test]
    fn samples_are_put_into_windows_by_process_and_clock() {
        let stretch = |span_ns| Ran {
            stretches: vec![Stretch {
                pid: 7,
                cpu_ns: 1.0,
                iterations: 1,
                span_ns: Some(span_ns),
            }],
            obeyed: 0,
        };
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
        let windows = vec![stretch([1010, 1019]), stretch([1020, 1040])];
        let all = reported(&program, windows, &leaves);
        let [first, second] = [0, 1].map(|at: usize| &all[at].1);
        assert_eq!((first.functions["f"], first.other), (2.0, 0.0));
        assert_eq!((second.functions["libx.so:g"], second.other), (2.0, 2.0));
        assert_eq!(first.functions.len() + second.functions.len(), 2);
    }
}
