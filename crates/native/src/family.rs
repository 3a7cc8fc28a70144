//! Ends a process with all that it has started: a profiler goes on otherwise to run the program that it was told to.

use std::collections::BTreeMap;
use std::io;
use std::process::Child;

use rustix::process::{Pid, Signal, kill_process};

/// Ends a process of ours that nobody has waited for, then what it had started, and takes note of its end.
pub(crate) fn ended_with_all(child: &mut Child) -> io::Result<()> {
    let below = below(child.id(), &parents());
    child.kill()?;
    for one in below {
        let pid = i32::try_from(one).ok().and_then(Pid::from_raw);
        let _ = pid.map(|pid| kill_process(pid, Signal::KILL));
    }
    child.wait().map(drop)
}

/// Every process of the machine with its parent.
fn parents() -> BTreeMap<u32, u32> {
    let names = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = names.filter_map(|one| one.file_name().to_str()?.parse::<u32>().ok());
    let parent = |number: u32| {
        let text = std::fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
        Some((number, parent_of(&text)?))
    };
    numbers.filter_map(parent).collect()
}

/// The parent, of what `/proc/PID/stat` says: `7 (a (b) c) S 3 ...`.
fn parent_of(stat: &str) -> Option<u32> {
    let (_, behind) = stat.rsplit_once(')')?;
    behind.split_whitespace().nth(1)?.parse().ok()
}

/// Children of a process, theirs, and so on.
fn below(number: u32, parents: &BTreeMap<u32, u32>) -> Vec<u32> {
    let mut all = vec![number];
    let mut at = 0;
    while let Some(of) = all.get(at).copied() {
        let children = parents.iter().filter(|(_, parent)| **parent == of);
        let children: Vec<u32> = children.map(|(child, _)| *child).collect();
        all.extend(children.into_iter().filter(|child| *child != number));
        at += 1;
    }
    all.split_off(1)
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::Duration;

    use super::*;

    #[test]
    fn children_are_found_by_their_parents() {
        assert_eq!(parent_of("7 (a (b) c) S 3 7 7 0"), Some(3));
        assert_eq!(parent_of("7 (a"), None);
        let parents = BTreeMap::from([(2, 1), (3, 2), (4, 3), (5, 1), (6, 2)]);
        assert_eq!(below(2, &parents), [3, 6, 4]);
        assert!(below(5, &parents).is_empty());
    }

    /// The child of the shell alone holds the pipe open, and would for ten minutes.
    #[test]
    fn what_a_process_has_started_ends_with_it() {
        let place = tempfile::tempdir().unwrap();
        let pipe = place.path().join("pipe");
        let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let script = format!("sleep 600 >{0} & echo ready >{0}; wait", pipe.display());
        let mut shell = Command::new("sh").args(["-c", &script]).spawn().unwrap();
        let mut from = std::fs::File::open(&pipe).unwrap();
        let mut said = [0; 6];
        io::Read::read_exact(&mut from, &mut said).unwrap();
        ended_with_all(&mut shell).unwrap();
        let (send, receive) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            drop(send.send(io::Read::read_to_end(&mut from, &mut Vec::new())))
        });
        let read = receive.recv_timeout(Duration::from_secs(60));
        assert_eq!(read.expect("its child has ended").unwrap(), 0);
    }
}
