//! Programs in Rust: sites change no result, libraries have theirs, and cargo builds with `proofmark` as its wrapper.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::AtomicBool;

use crate::common::{stderr, succeeds};
use proofmark_native::{Launch, Program, Runner, key_of};
use proofmark_test_support::{Need, need, on_path};

/// A library: an implementation, generic code, a panic, assembly of the programmer.
const SHAPES: &str = r#"
use std::fmt;
pub struct Shape { pub width: u32 }
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "shape {}", self.width) }
}
#[inline(never)]
pub fn area(shape: &Shape) -> u32 { shape.width * shape.width }
#[inline(never)]
pub fn twice<T: Clone>(one: &T) -> (T, T) { (one.clone(), one.clone()) }
#[inline(never)]
pub fn fails(n: u32) -> u32 { if n > 3 { panic!("too large: {n}") } n + 1 }
#[unsafe(naked)]
pub extern "C" fn bare() -> i32 { std::arch::naked_asm!("mov eax, 42", "ret") }
"#;

/// A program with it: unwinding through frames with sites and past a destructor, a jump table, a thread.
const DEMO: &str = r#"
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use shapes::{Shape, area, bare, fails, twice};
struct Held<'a>(&'a Cell<i32>);
impl Drop for Held<'_> { fn drop(&mut self) { self.0.set(self.0.get() - 1); } }
#[inline(never)]
fn chosen(n: u32) -> u32 {
    match n { 0 => 7, 1 => area(&Shape { width: 3 }), 2 => 11, 3 => fails(2), 4 => 1, 5 => 99, 6 => fails(0), _ => 0 }
}
#[inline(never)]
fn deep(n: u32, live: &Cell<i32>) -> u32 {
    live.set(live.get() + 1);
    let _held = Held(live);
    if n == 0 { fails(9) } else { deep(n - 1, live) + 1 }
}
fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let live = Cell::new(0);
    let failed = catch_unwind(AssertUnwindSafe(|| deep(4, &live))).is_err();
    let all: Vec<u32> = (0..8).map(chosen).collect();
    let thread = std::thread::spawn(|| twice(&String::from("ab"))).join().unwrap();
    let shape = Shape { width: 4 };
    println!("{all:?} {thread:?} {:?} {shape} {} {failed} {}", twice(&4u8), bare(), live.get());
}
"#;

/// Whether there are compilers.
fn compilers() -> bool {
    let there = |name: &str| {
        let missing = format!("no {name} in PATH (gcc, and Rust's toolchain)");
        need(Need::Perf, on_path(name).ok_or(missing)).is_some()
    };
    ["cc", "rustc", "cargo"].into_iter().all(there)
}

fn proofmark(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_proofmark"));
    command.current_dir(directory).stdin(Stdio::null());
    command
}

/// Library and program, by rustc alone or by ours.
fn built(directory: &Path, with_sites: bool, options: &[&str]) -> PathBuf {
    std::fs::create_dir_all(directory).unwrap();
    for (name, text) in [("shapes.rs", SHAPES), ("demo.rs", DEMO)] {
        std::fs::write(directory.join(name), text).unwrap();
    }
    let rustc = |words: &[&str]| {
        let mut command = match with_sites {
            true => proofmark(directory),
            false => Command::new("rustc"),
        };
        if with_sites {
            command.arg("rustc");
        }
        let command = command.args(["--edition", "2024"]).args(options);
        succeeds(command.args(words).current_dir(directory));
    };
    rustc(&["--crate-type", "lib", "shapes.rs"]);
    rustc(&["--extern", "shapes=libshapes.rlib", "demo.rs"]);
    directory.join("demo")
}

/// Runs a program under a dose of each function; what it says, and how many sites took a dose.
fn under_doses(program: &Path, directory: &Path) -> (Vec<Output>, usize) {
    let file = directory.join("dose");
    let mut obeyed = 0;
    let mut said = Vec::new();
    for site in &Program::read(program).unwrap().sites {
        let mut bytes = b"PRMDOSE1".to_vec();
        bytes.extend(key_of(&site.function).to_le_bytes());
        bytes.extend([50, 0, 0, 0, 0, 0, 0, 0]);
        std::fs::write(&file, bytes).unwrap();
        let mut command = Command::new(program);
        said.push(command.env("PROOFMARK_DOSES", &file).output().unwrap());
        obeyed += usize::from(std::fs::read(&file).unwrap()[20] != 0);
    }
    (said, obeyed)
}

#[test]
fn sites_change_no_result_of_a_program_in_rust() {
    if !compilers() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    for (number, options) in [
        &["-O"][..],
        &["-g", "-C", "incremental=incremental"],
        &[
            "-O",
            "-g",
            "-C",
            "dwarf-version=5",
            "-C",
            "symbol-mangling-version=v0",
        ],
        &["-O", "-C", "panic=unwind", "-C", "link-arg=-fuse-ld=bfd"],
    ]
    .into_iter()
    .enumerate()
    {
        let here = place.path().join(number.to_string());
        let plain = built(&here.join("plain"), false, options);
        let expected = Command::new(&plain).output().unwrap();
        assert!(expected.status.success(), "{expected:?}");
        let sited = built(&here.join("sited"), true, options);
        let (all, obeyed) = under_doses(&sited, &here);
        for one in &all {
            assert_eq!(one, &expected, "{options:?}");
        }
        assert_eq!(obeyed, all.len(), "{options:?}");
        let program = Program::read(&sited).unwrap();
        for (function, file) in [
            ("demo::chosen", "demo.rs"),
            ("demo::deep", "demo.rs"),
            ("shapes::area", "shapes.rs"),
            ("<shapes::Shape as core::fmt::Display>::fmt", "shapes.rs"),
        ] {
            let found = program.site(function);
            let site = found.unwrap_or_else(|| panic!("{function}: {:#?}", program.sites));
            let with_lines = options.contains(&"-g");
            assert_eq!(site.line > 0, with_lines, "{options:?}: {site:?}");
            assert!(!with_lines || site.file.ends_with(file), "{site:?}");
        }
        let why = program.why_no_site("shapes::bare");
        assert_eq!(why, "it begins with inline assembly");
    }
}

#[test]
fn rustcs_answers_messages_and_status_are_kept() {
    if !compilers() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    std::fs::write(here.join("bad.rs"), "fn main() { absent(); }\n").unwrap();
    std::fs::write(here.join("good.rs"), "fn main() {}\n").unwrap();
    for words in [
        &["-vV"][..],
        &["--print", "crate-name", "good.rs"],
        &["--emit=metadata", "good.rs"],
        &["bad.rs"],
    ] {
        let plain = Command::new("rustc").args(words).current_dir(here).output();
        let ours = proofmark(here).arg("rustc").args(words).output();
        assert_eq!(ours.unwrap(), plain.unwrap(), "{words:?}");
    }
    // What cannot have sites is made as rustc makes it, and said.
    let words = ["rustc", "-C", "no-redzone=yes", "good.rs"];
    let said = proofmark(here).args(words).output().unwrap();
    assert!(said.status.success(), "{}", stderr(&said));
    let expected = "proofmark: crate good: no sites with -C no-redzone=yes\n";
    assert_eq!(stderr(&said), expected);
    assert!(Program::read(&here.join("good")).is_err());
}

#[test]
fn a_library_for_c_brings_its_sites() {
    if !compilers() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    let library = "#[unsafe(no_mangle)] pub extern \"C\" fn tripled(n: i32) -> i32 { times(n, 3) }\n\
                   #[inline(never)] fn times(a: i32, b: i32) -> i32 { std::hint::black_box(a) * b }\n";
    std::fs::write(here.join("numbers.rs"), library).unwrap();
    let program = "int tripled(int);\nint main(void) { return tripled(4) == 12 ? 0 : 1; }\n";
    std::fs::write(here.join("main.c"), program).unwrap();
    let words = "rustc --edition 2024 -O --crate-type staticlib numbers.rs";
    // What is told by the way does not keep it from having sites.
    let told = ["--print", "native-static-libs"];
    succeeds(proofmark(here).args(words.split(' ')).args(told));
    let words = "cc -O1 -o main main.c libnumbers.a -lpthread -ldl -lm";
    succeeds(proofmark(here).args(words.split(' ')));
    succeeds(&mut Command::new(here.join("main")));
    let program = Program::read(&here.join("main")).unwrap();
    for function in ["main", "tripled", "numbers::times"] {
        assert!(program.site(function).is_some(), "{function}");
    }
}

/// A crate with a build script, a library and a program that marks its iterations.
fn package(here: &Path) {
    let main = r#"
        #[cfg(proofmark)]
        unsafe extern "C" { safe fn proofmark_iteration(); }
        fn main() {
            let mut sum = 0;
            for turn in 0..1000 {
                #[cfg(proofmark)]
                proofmark_iteration();
                sum += counted::work(turn);
            }
            println!("{sum} {}", env!("SAID"));
        }
    "#;
    let library = "#[inline(never)] pub fn work(n: u64) -> u64 { (0..1000).fold(n, |a, b| std::hint::black_box(a ^ b)) }";
    let script = "fn main() { println!(\"cargo::rustc-env=SAID=by-the-script\"); }";
    let manifest = "[package]\nname = \"counted\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
                    [profile.release]\nlto = true\n[workspace]\n";
    std::fs::create_dir(here.join("src")).unwrap();
    for (name, text) in [
        ("src/main.rs", main),
        ("src/lib.rs", library),
        ("build.rs", script),
        ("Cargo.toml", manifest),
    ] {
        std::fs::write(here.join(name), text).unwrap();
    }
}

#[test]
fn cargo_builds_with_sites() {
    if !compilers() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    package(here);
    let words = "build --release --offline --target-dir target";
    let done = Command::new("cargo")
        .args(words.split(' '))
        .env("RUSTC_WRAPPER", env!("CARGO_BIN_EXE_proofmark"))
        .current_dir(here)
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", stderr(&done));
    let said = "crate counted: link-time optimisation is turned off";
    assert!(stderr(&done).contains(said), "{}", stderr(&done));
    let path = here.join("target/release/counted");
    let ran = Command::new(&path).output().unwrap();
    assert!(String::from_utf8_lossy(&ran.stdout).ends_with(" by-the-script\n"));
    let program = Program::read(&path).unwrap();
    assert!(program.site("counted::work").is_some() && program.site("counted::main").is_some());
    assert!(program.remark().is_some());
    let launch = Launch {
        before: Vec::new(),
        program: path,
        arguments: Vec::new(),
        directory: here.to_owned(),
        most_s: 600.0,
        output: None,
        marked: false,
    };
    let mut runner = Runner::begin(launch, &AtomicBool::new(false)).unwrap();
    assert!(runner.launch.marked);
    runner.end(&AtomicBool::new(false)).unwrap();
}
