//! Golden files: committed, never made by a test on its own.

use std::path::PathBuf;

/// Compares with `tests/golden/<name>`; `PROOFMARK_BLESS=1` writes it instead.
pub fn golden(name: &str, actual: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name);
    if std::env::var_os("PROOFMARK_BLESS").is_some() {
        std::fs::write(&path, actual).expect("golden file");
        return;
    }
    let expected = std::fs::read_to_string(&path)
        .unwrap_or_else(|e| panic!("{}: {e}; PROOFMARK_BLESS=1 writes it", path.display()));
    assert!(
        expected == actual,
        "{name} differs (PROOFMARK_BLESS=1 accepts it):\n{}",
        diff(&expected, actual)
    );
}

/// Lines that differ.
fn diff(expected: &str, actual: &str) -> String {
    let (a, b): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), actual.lines().collect());
    let line = |i: usize| match (a.get(i), b.get(i)) {
        (x, y) if x == y => None,
        (x, y) => Some(format!(
            "line {}\n- {}\n+ {}\n",
            i + 1,
            x.unwrap_or(&""),
            y.unwrap_or(&"")
        )),
    };
    (0..a.len().max(b.len())).filter_map(line).collect()
}
