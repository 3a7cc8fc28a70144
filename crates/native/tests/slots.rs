//! Slots of a program that is hard to follow: whatever goes into all of them, it does the same.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use proofmark_asm::{Content, Listing, Slots, Where};
use proofmark_test_support::{Need, need, on_path};

/// A program that is hard to follow: what is hard in it stands at its begin.
const HARD: &str = include_str!("hard.cpp");

fn succeeds(command: &mut Command) {
    let done = command.output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
}

fn compiled(compiler: &str, words: &[&str], input: &str, output: &Path, here: &Path) {
    let mut command = Command::new(compiler);
    command.args(words).arg(input).arg("-o").arg(output);
    succeeds(command.current_dir(here));
}

/// What may go into a text: its name, and how a function of so many blocks is filled.
type Filling<'f> = (&'f str, &'f (dyn Fn(u32, usize) -> Content<'f> + Sync));

/// The text with all slots filled.
fn filled(listing: &Listing, filling: &Filling<'_>) -> String {
    let functions = listing.functions().iter().enumerate();
    let mut first = 0;
    let slots: BTreeMap<usize, Slots<'_>> = functions
        .map(|(at, function)| {
            let content = (filling.1)(at as u32, first);
            first += function.blocks.len();
            let padding = 16 * (at as u32 % 4);
            let unit = at as u32;
            let slots = Slots {
                unit,
                padding,
                content,
            };
            (at, slots)
        })
        .collect();
    listing.written(&slots, Some((0, first))).text
}

/// The machine code of an object.
fn code(object: &Path, here: &Path) -> Vec<u8> {
    let out = here.join("code");
    let mut objcopy = Command::new("objcopy");
    objcopy.args(["-O", "binary", "--only-section=.text"]);
    succeeds(objcopy.arg(object).arg(&out));
    std::fs::read(out).unwrap()
}

fn compilers() -> Vec<String> {
    let found = on_path("c++").ok_or("no c++ in PATH (apt-get install g++)");
    let mut all: Vec<PathBuf> = need(Need::Perf, found).into_iter().collect();
    all.extend(on_path("clang++"));
    all.into_iter()
        .map(|path| path.display().to_string())
        .collect()
}

#[test]
fn whatever_is_in_the_slots_the_program_does_the_same() {
    let counts = [2; 4000];
    let at = |instructions: &'static [&'static str], at: Where| {
        let counts = &counts[..];
        move |_: u32, _: usize| Content::Slowed {
            counts,
            instructions,
            at,
        }
    };
    let mov = at(
        &["movq\t%r8, %r8", "movq\t%r15, %r15", "leaq\t(%rsi), %rsi"],
        Where::Spread,
    );
    let nop = at(&[".byte\t0x66, 0x90"], Where::Start);
    let pause = at(&["pause", "sfence"], Where::End);
    let counter = |_: u32, first: usize| Content::Counted(first);
    let fillings: [Filling<'_>; 4] = [
        ("mov", &mov),
        ("nop", &nop),
        ("pause", &pause),
        ("counter", &counter),
    ];
    for compiler in compilers() {
        let (compiler, fillings) = (&compiler, &fillings);
        // Two compilers at a time.
        for some in OPTIONS.chunks(2) {
            std::thread::scope(|scope| {
                for options in some {
                    scope.spawn(move || does_the_same(compiler, options, fillings));
                }
            });
        }
    }
}

/// Options of compilers.
const OPTIONS: [&[&str]; 4] = [
    &["-O0", "-g"],
    &["-O2", "-g"],
    &["-O3", "-fPIC", "-ffunction-sections"],
    &["-Os", "-fcf-protection=full"],
];

fn does_the_same(compiler: &str, options: &[&str], fillings: &[Filling<'_>]) {
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    std::fs::write(here.join("hard.cpp"), HARD).unwrap();
    let words = [options, &["-w"][..]].concat();
    let plain = here.join("plain");
    compiled(compiler, &words, "hard.cpp", &plain, here);
    let expected: Output = Command::new(&plain).output().unwrap();
    assert_eq!(expected.status.code(), Some(3), "{expected:?}");
    compiled(
        compiler,
        &[&words[..], &["-S"][..]].concat(),
        "hard.cpp",
        &here.join("hard.s"),
        here,
    );
    let text = std::fs::read_to_string(here.join("hard.s")).unwrap();
    let listing = Listing::of(&text);
    let found = |name: &str| {
        listing
            .functions()
            .iter()
            .any(|one| one.name.contains(name))
    };
    for name in [
        "main", "caught", "chosen", "computed", "compared", "leaf", "counted", "locked",
    ] {
        assert!(found(name), "{compiler} {options:?}: {name}");
    }
    let left = |name: &str| listing.left().iter().any(|one| one.contains(name));
    assert!(left("bare") && left("looped"), "{:?}", listing.left());
    for filling in fillings {
        std::fs::write(here.join("filled.s"), filled(&listing, filling)).unwrap();
        let out = here.join("filled");
        compiled(compiler, &["-w"], "filled.s", &out, here);
        let said = Command::new(&out).output().unwrap();
        assert_eq!(said, expected, "{compiler} {options:?} {}", filling.0);
    }
}

#[test]
fn slots_that_are_not_filled_have_no_bytes() {
    let none = || Content::Slowed {
        counts: &[],
        instructions: &["nop"],
        at: Where::Spread,
    };
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    std::fs::write(here.join("hard.cpp"), HARD).unwrap();
    for compiler in compilers() {
        compiled(
            &compiler,
            &["-O2", "-g", "-w", "-S"],
            "hard.cpp",
            &here.join("hard.s"),
            here,
        );
        let text = std::fs::read_to_string(here.join("hard.s")).unwrap();
        let listing = Listing::of(&text);
        let functions = listing.functions().iter().enumerate();
        let slots = functions.map(|(at, _)| {
            let (unit, content) = (at as u32, none());
            (
                at,
                Slots {
                    unit,
                    padding: 0,
                    content,
                },
            )
        });
        let slots: BTreeMap<usize, Slots<'_>> = slots.collect();
        let marked = listing.written(&slots, None).text;
        assert_ne!(marked, text);
        std::fs::write(here.join("marked.s"), marked).unwrap();
        let [plain, marked] = ["hard", "marked"].map(|name| {
            let object = here.join(format!("{name}.o"));
            compiled(
                &compiler,
                &["-w", "-c"],
                &format!("{name}.s"),
                &object,
                here,
            );
            code(&object, here)
        });
        assert!(plain.len() > 500);
        assert!(plain == marked, "{compiler}: the code differs");
    }
}
