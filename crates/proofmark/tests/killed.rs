//! Processes that are killed in the middle of the work.

use std::process::Stdio;

use crate::common::{Place, jvm_of, kit, runs, stderr, until, until_jvm, wait_for_end};
use rustix::process::{Pid, Signal, kill_process};

fn kill(pid: u32, signal: Signal) {
    kill_process(Pid::from_raw(pid.cast_signed()).unwrap(), signal).unwrap();
}

#[test]
fn a_killed_jvm_is_reported_with_its_log() {
    if kit().is_none() {
        return;
    }
    let place = Place::new();
    let mut tool = place
        .divine(&["suite:Towers"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    kill(until_jvm(&mut tool, &place, "divine.log"), Signal::KILL);
    let output = tool.wait_with_output().unwrap();
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(
        text.contains("the JVM ended (signal: 9 (SIGKILL))") && text.contains("divine.log"),
        "{text}"
    );
    assert!(place.temporary_files().is_empty());
}

#[test]
fn an_interrupt_ends_the_jvm_and_removes_its_files() {
    if kit().is_none() {
        return;
    }
    let place = Place::new();
    let mut tool = place
        .divine(&["suite:Towers"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let jvm = until_jvm(&mut tool, &place, "divine.log");
    kill(tool.id(), Signal::INT);
    let output = tool.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(!runs(jvm));
    assert!(place.temporary_files().is_empty());
}

#[test]
fn a_killed_proofmark_takes_its_jvm_along_and_the_next_one_cleans_up() {
    if kit().is_none() {
        return;
    }
    let place = Place::new();
    let mut tool = place
        .divine(&["suite:Towers"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let jvm = until_jvm(&mut tool, &place, "divine.log");
    let busy = place.divine(&["suite:Towers"]).output().unwrap();
    assert_eq!(busy.status.code(), Some(3));
    assert!(
        stderr(&busy).contains("another Proofmark"),
        "{}",
        stderr(&busy)
    );
    kill(tool.id(), Signal::KILL);
    tool.wait().unwrap();
    wait_for_end(jvm);
    assert_eq!(place.temporary_files().len(), 1);
    let next = Place::new();
    let output = next
        .divine(&["suite:trouble.Throws"])
        .env("TMPDIR", place.path().join("tmp"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(place.temporary_files().is_empty());
}

/// The JVM of `count` knows no socket: the agent in it sees its owner end.
#[test]
fn a_killed_count_takes_its_jvm_along_and_leaves_no_files() {
    if kit().is_none() {
        return;
    }
    let place = Place::new();
    let mut tool = std::process::Command::new(env!("CARGO_BIN_EXE_proofmark"))
        .args(["count", "suite:Towers", "--iterations", "1000000000"])
        .env("TMPDIR", place.path().join("tmp"))
        .spawn()
        .unwrap();
    let is_ready = |tool: &std::process::Child| {
        let files = place.temporary_files();
        let told = |place: &std::path::PathBuf| place.join("configuration").exists();
        jvm_of(tool.id()).is_some() && files.iter().any(told)
    };
    until(&mut tool, is_ready);
    let jvm = jvm_of(tool.id()).unwrap();
    kill(tool.id(), Signal::KILL);
    tool.wait().unwrap();
    wait_for_end(jvm);
    assert!(place.temporary_files().is_empty());
}
