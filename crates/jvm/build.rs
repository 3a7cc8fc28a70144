//! Embeds the Java parts (`java/graal-plugin`, `java/harness`, `java/suite`) in the binary, which compiles them
//! with the user's JDK at first use. Writes `embedded_java.rs`: a sorted list of paths and contents.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

const PARTS: [&str; 3] = ["graal-plugin", "harness", "suite"];

fn main() -> io::Result<()> {
    let java = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"))
        .join("../../java")
        .canonicalize()?;
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
    fs::write(
        Path::new(&env::var_os("OUT_DIR").expect("set by cargo")).join("embedded_java.rs"),
        code,
    )
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
