//! Blocks of native programs: they are counted exactly, and slowed in variants that do the same.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use crate::common::{in_a_process_of_its_own, stderr, succeeds};
use proofmark_blocks::{BlockKey, Resolution, Skid};
use proofmark_experiment::lab::{
    Filler, Insertion, Lab, Labs as _, Measured, Preparation, UnitTable, Variant, WindowSpec,
};
use proofmark_native::{SlotLabs, SlotSettings, SlotsError, Slotted};
use proofmark_sampler::probe;
use proofmark_stats::Estimate;
use proofmark_test_support::{Need, need, on_path};

/// Its blocks are executed as often as arithmetic says.
const MAIN: &str = r#"
#include <stdio.h>
extern unsigned long x;
void odd(void);
void half(void);
__attribute__((noinline)) static unsigned steps(unsigned long from)
{
    unsigned n = 0;
    for (x = from; x != 1; n++)
        if (x & 1) odd(); else half();
    return n;
}
int main(int count, char **words)
{
    unsigned long all = 0;
    for (unsigned long i = 1; i <= 30000; i++)
        all += steps(i);
    printf("%lu %s\n", all, count > 1 ? words[1] : "");
    return 0;
}
"#;
/// In an archive.
const MEMBER: &str =
    "unsigned long x; void odd(void) { x = 3 * x + 1; } void half(void) { x >>= 1; }";

/// The same in Rust: a library, and a program that prints what it was told.
const STEPS: &str = "#[inline(never)] pub fn odd(x: u64) -> u64 { 3 * x + 1 } #[inline(never)] pub fn half(x: u64) -> u64 { x / 2 }";
const COUNTS: &str = r#"
fn main() {
    let mut all = 0_u64;
    for from in 1..=30000_u64 {
        let mut x = from;
        while x != 1 {
            x = if x % 2 == 0 { steps::half(x) } else { steps::odd(x) };
            all += 1;
        }
    }
    println!("{all} {}", std::env::args().nth(1).unwrap_or_default());
}
"#;

/// Executions of `odd` and `half`.
fn expected() -> [f64; 2] {
    let mut seen = [0.0; 2];
    for from in 1..=30_000_u64 {
        let mut x = from;
        while x != 1 {
            seen[usize::from(x % 2 == 0)] += 1.0;
            x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
        }
    }
    seen
}

fn proofmark(words: &[&str], here: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_proofmark"));
    command.args(words).current_dir(here).stdin(Stdio::null());
    command.env("PROOFMARK_SLOTS", "1");
    command
}

/// The program, with slots; none where it cannot be built or sampled.
fn built(here: &Path) -> Option<PathBuf> {
    need(
        Need::Perf,
        on_path("cc").ok_or("no cc in PATH (apt-get install gcc)"),
    )?;
    std::fs::write(here.join("main.c"), MAIN).unwrap();
    std::fs::write(here.join("member.c"), MEMBER).unwrap();
    succeeds(&mut proofmark(&["cc", "-O2", "-g", "-c", "member.c"], here));
    succeeds(
        Command::new("ar")
            .args(["rcs", "libmember.a", "member.o"])
            .current_dir(here),
    );
    succeeds(&mut proofmark(
        &[
            "cc",
            "-O2",
            "-g",
            "main.c",
            "-s",
            "-o",
            "main",
            "libmember.a",
        ],
        here,
    ));
    Some(here.join("main"))
}

fn labs(program: &Path, here: &Path) -> Option<SlotLabs> {
    Some(SlotLabs {
        program: Slotted::read(program).unwrap(),
        settings: SlotSettings {
            arguments: vec!["word".into()],
            directory: here.join("variants"),
            most_s: 600.0,
            probe: need(Need::Perf, probe())?,
            resolution: Resolution {
                skid: Skid::NextInstruction,
                border_cycles: Estimate::around(1.0, 0.1, 1000),
            },
            filler: Filler::Nop,
            progress: Arc::new(|_: &str| ()),
            interrupted: Arc::default(),
        },
    })
}

fn unit(lab: &dyn Lab, name: &str) -> u32 {
    let units = lab.map().units().iter();
    let at = units
        .map(|unit| unit.name.as_str())
        .position(|one| one == name);
    at.unwrap_or_else(|| panic!("no {name}")) as u32
}

/// Baseline and variant by turns, sampled.
fn measured(lab: &mut dyn Lab, variant: Variant) -> Measured {
    let spec = WindowSpec {
        label: "test",
        seconds: 0.1,
        iterations: 2,
        rate_hz: Some(4000.0),
    };
    let turns: Vec<usize> = (0..4 * lab.alignments()).map(|at| at % 2).collect();
    let variants = [lab.baseline(), variant];
    lab.window(&spec, &variants, &turns).unwrap()
}

/// Least CPU time of an iteration, ns (a busy machine only ever makes some longer), and part of the samples in a unit.
fn seen(window: &Measured, variant: usize, unit: u32) -> (f64, f64) {
    let (mut least, mut own, mut all) = (f64::INFINITY, 0.0, 0.0);
    for group in window.of_variant(variant) {
        let times = group.iterations.iter().map(|(_, _, cpu)| *cpu as f64);
        least = times.fold(least, f64::min);
        own += group
            .times
            .units
            .get(&unit)
            .map_or(0.0, |weight| weight.sum);
        all += group.times.total.sum;
    }
    assert!(all > 30.0, "{all} samples");
    (least, own / all)
}

#[test]
fn blocks_are_counted_exactly_and_slowed_alone() {
    if !in_a_process_of_its_own("slots::blocks_are_counted_exactly_and_slowed_alone") {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    let Some(program) = built(here) else { return };
    let said = Command::new(&program).arg("word").output().unwrap();
    assert!(
        String::from_utf8_lossy(&said.stdout).ends_with(" word\n"),
        "{said:?}"
    );
    // What was kept is all that is needed.
    for file in ["main.c", "member.c", "member.o"] {
        std::fs::remove_file(here.join(file)).unwrap();
    }
    let Some(labs) = labs(&program, here) else {
        return;
    };
    let wish = Preparation {
        name: "lab".into(),
        ..Preparation::default()
    };
    let mut lab = labs.prepare(&wish).unwrap();
    let lab = &mut *lab;
    let [odd, half] = ["odd", "half"].map(|name| unit(lab, name));
    let executions = [odd, half].map(|unit| lab.executions()[&BlockKey { unit, block: 0 }]);
    assert_eq!(executions, expected());
    assert!(lab.warm().controlled_share > 0.5, "{:?}", lab.warm());
    assert!(lab.alignments() >= 2 && lab.map().units()[odd as usize].blocks.len() == 1);
    let table = UnitTable::new(odd, Insertion::plan(Filler::Pause), vec![(0, 3)]);
    let variant = lab.variant(&[table]).unwrap();
    let window = measured(lab, variant.clone());
    let (plain, slowed) = (seen(&window, 0, odd), seen(&window, 1, odd));
    assert!(slowed.0 > 1.3 * plain.0, "{plain:?} {slowed:?}");
    assert!(slowed.1 > plain.1 + 0.1, "{plain:?} {slowed:?}");
    lab.forget(&variant).unwrap();
    let push = Insertion::plan(Filler::PushPop);
    let refused = lab
        .variant(&[UnitTable::new(odd, push, vec![(0, 1)])])
        .unwrap_err();
    assert!(
        refused.to_string().contains("--filler pushpop"),
        "{refused}"
    );
}

#[test]
fn a_build_with_slots_is_the_compilers_own_code() {
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    if built(here).is_none() {
        return;
    }
    succeeds(
        Command::new("cc")
            .args(["-O2", "-g", "-c", "member.c", "-o", "plain.o"])
            .current_dir(here),
    );
    let code = |object: &str| {
        let words = ["-O", "binary", "--only-section=.text", object, "code"];
        succeeds(Command::new("objcopy").args(words).current_dir(here));
        std::fs::read(here.join("code")).unwrap()
    };
    assert_eq!(code("member.o"), code("plain.o"));
    // Without the variable nothing is kept.
    let mut command = proofmark(&["cc", "-O2", "main.c", "member.c", "-o", "sited"], here);
    succeeds(command.env("PROOFMARK_SLOTS", "0"));
    let sited = here.join("sited");
    assert!(matches!(Slotted::read(&sited), Err(SlotsError::NoSlots(_))));
    let done = proofmark(&["divine", "--", "./sited"], here)
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(2), "{}", stderr(&done));
    assert!(
        stderr(&done).contains("./sited has no slots: build all of it"),
        "{}",
        stderr(&done)
    );
    let done = proofmark(&["divine", "--verify", "1", "--", "./main"], here)
        .output()
        .unwrap();
    assert!(
        stderr(&done).contains("of a native program every iteration"),
        "{}",
        stderr(&done)
    );
    let done = proofmark(&["divine", "--filler", "pushpop", "--", "./main"], here)
        .output()
        .unwrap();
    assert!(
        stderr(&done).contains("--filler pushpop: native code"),
        "{}",
        stderr(&done)
    );
}

#[test]
fn programs_that_cannot_be_measured_are_refused() {
    if !in_a_process_of_its_own("slots::programs_that_cannot_be_measured_are_refused") {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    if need(
        Need::Perf,
        on_path("cc").ok_or("no cc in PATH (apt-get install gcc)"),
    )
    .is_none()
    {
        return;
    }
    let work = "unsigned long x = 1; __attribute__((noinline)) void work(void) { for (long i = 0; i < 60000000; i++) { x = x * 3 + 1; __asm__ volatile(\"\" : \"+r\"(x)); } }";
    for (name, text, message) in [
        (
            "threads",
            "#include <pthread.h>\nvoid *run(void *p) { work(); return p; }\nint main(void) { pthread_t t; pthread_create(&t, 0, run, 0); work(); pthread_join(t, 0); return 0; }",
            "several threads",
        ),
        (
            "children",
            "#include <sys/wait.h>\n#include <unistd.h>\nint main(void) { if (!fork()) { work(); _exit(0); } work(); wait(0); return 0; }",
            "other processes",
        ),
        (
            "leaves",
            "#include <unistd.h>\nint main(void) { work(); _exit(0); }",
            "come to its end in order",
        ),
    ] {
        let source = format!("{name}.c");
        std::fs::write(here.join(&source), format!("{work}\n{text}\n")).unwrap();
        succeeds(&mut proofmark(
            &["cc", "-O2", "-pthread", &source, "-o", name],
            here,
        ));
        let Some(labs) = labs(&here.join(name), here) else {
            return;
        };
        let wish = Preparation {
            name: name.into(),
            ..Preparation::default()
        };
        let refused = labs.prepare(&wish).err().map(|error| error.to_string());
        let said = refused.unwrap_or_default();
        assert!(said.contains(message), "{name}: {said}");
    }
}

#[test]
fn blocks_of_rust_are_counted_exactly_and_slowed() {
    if !in_a_process_of_its_own("slots::blocks_of_rust_are_counted_exactly_and_slowed") {
        return;
    }
    for name in ["cc", "rustc"] {
        let missing = format!("no {name} in PATH (gcc, and Rust's toolchain)");
        if need(Need::Perf, on_path(name).ok_or(missing)).is_none() {
            return;
        }
    }
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    std::fs::write(here.join("steps.rs"), STEPS).unwrap();
    std::fs::write(here.join("counts.rs"), COUNTS).unwrap();
    for words in [
        &["--crate-type", "lib", "steps.rs"][..],
        &["--extern", "steps=libsteps.rlib", "counts.rs"],
    ] {
        let words = [&["rustc", "--edition", "2021", "-O", "-g"][..], words].concat();
        succeeds(&mut proofmark(&words, here));
    }
    let program = here.join("counts");
    let said = Command::new(&program).arg("word").output().unwrap();
    assert!(
        String::from_utf8_lossy(&said.stdout).ends_with(" word\n"),
        "{said:?}"
    );
    let Some(labs) = labs(&program, here) else {
        return;
    };
    let wish = Preparation {
        name: "lab".into(),
        ..Preparation::default()
    };
    let mut lab = labs.prepare(&wish).unwrap();
    let lab = &mut *lab;
    let [odd, half] = ["steps::odd", "steps::half"].map(|name| unit(lab, name));
    let executions = [odd, half].map(|unit| lab.executions()[&BlockKey { unit, block: 0 }]);
    assert_eq!(executions, expected());
    assert!(
        lab.warm().reason.contains("second check of the code"),
        "{:?}",
        lab.warm()
    );
    let table = UnitTable::new(odd, Insertion::plan(Filler::Pause), vec![(0, 3)]);
    let variant = lab.variant(&[table]).unwrap();
    let window = measured(lab, variant.clone());
    let (plain, slowed) = (seen(&window, 0, odd), seen(&window, 1, odd));
    assert!(slowed.0 > 1.3 * plain.0, "{plain:?} {slowed:?}");
    lab.forget(&variant).unwrap();
}
