//! Proofmark is ended while a native program waits, and the program is not told: nothing of the run goes on.

use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{stderr, succeeds, until, wait_for_end};
use crate::native::{compiler, proofmark};
use crate::native_trouble::with_tool;
use rustix::process::{Pid, Signal, kill_process};

/// Where there is a file `wait` it tells its number and that of its parent, and never ends.
const WAITS: &str = r#"
#include <stdio.h>
#include <unistd.h>
__attribute__((noinline)) static void work(void) { __asm__ volatile(""); }
int main(void)
{
    work();
    if (access("wait", F_OK) != 0)
        return 0;
    FILE *file = fopen("pids.new", "w");
    if (!file)
        return 1;
    fprintf(file, "%d %d\n", (int)getpid(), (int)getppid());
    fclose(file);
    if (rename("pids.new", "pids") != 0)
        return 1;
    for (;;)
        pause();
}
"#;

/// Runs what stands behind `--` as perf does, and from then on the program waits.
const RECORDER: &str = r#"#!/bin/sh
: >wait
echo $$ >recorder
until [ $# = 0 ] || [ "$1" = -- ]; do shift; done
shift
"$@" &
wait
"#;

/// Signals Proofmark alone while the program waits: it ends at once, and so does all that it has started.
fn end(command: &mut Command, here: &Path, signal: Signal) {
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut tool = command.spawn().unwrap();
    let told = here.join("pids");
    until(&mut tool, |_| told.exists());
    kill_process(Pid::from_child(&tool), signal).unwrap();
    let output = tool.wait_with_output().unwrap();
    let said = format!("{signal:?}: {:?}: {}", output.status, stderr(&output));
    if signal == Signal::KILL {
        assert_eq!(output.status.signal(), Some(9), "{said}");
    } else {
        assert_eq!(output.status.code(), Some(130), "{said}");
    }
    let recorder = std::fs::read_to_string(here.join("recorder")).unwrap_or_default();
    let numbers = std::fs::read_to_string(told).unwrap() + &recorder;
    for number in numbers.split_whitespace() {
        wait_for_end(number.parse().unwrap());
    }
}

#[test]
fn a_proofmark_that_ends_takes_its_native_programs_along() {
    if compiler("cc").is_none() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("waits.c"), WAITS).unwrap();
    let words = ["cc", "-O2", "-o", "waits", "waits.c"];
    succeeds(&mut proofmark(&words, place.path()));
    let dose = ["dose", "--profiler", "perf", "--method", "work"];
    let race = ["race", "--function", "work", "--timeout", "3600"];
    for (case, words) in [
        ("recorded", &dose[..]),
        ("alone", &dose[..]),
        ("race", &race[..]),
    ] {
        for signal in [Signal::TERM, Signal::HUP, Signal::KILL] {
            let here = place.path().join(format!("{case}-{}", signal.as_raw()));
            std::fs::create_dir(&here).unwrap();
            let start = [&["--quiet"][..], words, &["--out", "out", "--", "../waits"]];
            let mut command = proofmark(&start.concat(), &here);
            if case == "recorded" {
                with_tool(&mut command, "perf", RECORDER, &here);
            } else {
                std::fs::write(here.join("wait"), "").unwrap();
            }
            end(&mut command, &here, signal);
        }
    }
}
