//! Embeds in the binary what runs inside of JVMs: the Java parts (`java/graal-plugin`, `java/harness`, ...), which the
//! user's own JDK compiles at first use, and the JVMTI agent of `proofmark count` and `proofmark dose`, built here by a cargo of its own
//! (a crate cannot depend on another's shared library).
//!
//! Writes `embedded_java.rs`, a sorted list of paths and contents, and `embedded_agent.rs`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

const PARTS: [&str; 5] = ["count", "dose", "graal-plugin", "harness", "suite"];
/// What the agent is made of.
const AGENT_CRATES: [&str; 3] = ["agent", "classes", "rewrite"];

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo"));
    embed_java(&here.join("../../java").canonicalize()?, &out)?;
    embed_agent(&here.join("../..").canonicalize()?, &out)
}

fn embed_java(java: &Path, out: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    for part in PARTS {
        println!("cargo:rerun-if-changed={}", java.join(part).display());
        collect(&java.join(part), part, &mut files)?;
    }
    files.sort();
    let mut code = String::from("/// Path below `java/` and content of every embedded file.\n");
    code += "static EMBEDDED: &[(&str, &[u8])] = &[\n";
    for (name, path) in files {
        code += &format!("    ({name:?}, include_bytes!({path:?})),\n");
    }
    code += "];\n";
    fs::write(out.join("embedded_java.rs"), code)
}

/// Always optimised: a debug build rewrites classes ten times slower, and the agent is hardly ever debugged.
fn embed_agent(root: &Path, out: &Path) -> io::Result<()> {
    for name in AGENT_CRATES {
        println!(
            "cargo:rerun-if-changed={}",
            root.join("crates").join(name).display()
        );
    }
    println!(
        "cargo:rerun-if-changed={}",
        root.join("Cargo.lock").display()
    );
    let target = place_of_agents(out);
    let mut cargo = Command::new(env::var_os("CARGO").expect("set by cargo"));
    cargo
        .args([
            "build",
            "--release",
            "--locked",
            "--package",
            "proofmark-agent",
            "--target-dir",
        ])
        .arg(&target)
        .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
        .env("CARGO_PROFILE_RELEASE_STRIP", "symbols")
        .current_dir(root);
    // Settings of the outer build that are not meant for this one.
    for name in [
        "CARGO_TARGET_DIR",
        "CARGO_BUILD_TARGET",
        "RUSTC_WORKSPACE_WRAPPER",
    ] {
        cargo.env_remove(name);
    }
    let built = cargo.output()?;
    if !built.status.success() {
        let output = String::from_utf8_lossy(&built.stderr).into_owned();
        return Err(io::Error::other(format!(
            "the agent does not build:\n{output}"
        )));
    }
    // A copy, which no other build replaces while this one embeds it.
    let library = out.join("libproofmark_agent.so");
    fs::copy(target.join("release/libproofmark_agent.so"), &library)?;
    let code = format!("static AGENT: &[u8] = include_bytes!({library:?});\n");
    fs::write(out.join("embedded_agent.rs"), code)
}

/// Where the agent is built: beside the `build` directory of the outer cargo, so that its builds of one profile (clippy has scripts
/// of its own) share what is built there; cargo lets one of them in at a time.
fn place_of_agents(out: &Path) -> PathBuf {
    let mut above = out.ancestors();
    let build = above.find(|place| place.ends_with("build"));
    build.and_then(Path::parent).unwrap_or(out).join("agent")
}

fn collect(directory: &Path, name: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    let Ok(entries) = fs::read_dir(directory) else {
        return Ok(());
    };
    for entry in entries {
        let entry = entry?;
        let inside = format!("{name}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &inside, files)?;
        } else if is_source(inside.split_once('/').map_or("", |(_, path)| path)) {
            files.push((inside, entry.path()));
        }
    }
    Ok(())
}

/// The same choice as in src/toolchain/sources.rs: no editors' leftovers, no tests.
fn is_source(path: &str) -> bool {
    let hidden = path.split('/').any(|name| name.starts_with('.'));
    let kept = path.ends_with(".java") || path.starts_with("resources/") || path == "exports.txt";
    kept && !hidden && !path.starts_with("test/") && !path.ends_with('~')
}
