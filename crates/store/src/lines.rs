//! Steps as lines of JSON.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::StoreError;

/// A finished step of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// What it was, for example `baseline` or `plan-3`.
    pub name: String,
    /// Its result.
    pub result: serde_json::Value,
}

/// The steps in `bytes` and the length of their lines. The last line may be torn, with or without the
/// end of line (a power failure can leave zeros there); any other must be whole.
pub(crate) fn read_steps(path: &Path, bytes: &[u8]) -> Result<(Vec<Step>, usize), StoreError> {
    let mut steps = Vec::new();
    let mut length = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let last = length + line.len() == bytes.len();
        let whole = line.last() == Some(&b'\n');
        match serde_json::from_slice(line) {
            Ok(step) if whole => steps.push(step),
            Ok(_) => break,
            Err(_) if last => break,
            Err(error) => {
                let (path, what) = (path.to_path_buf(), format!("no finished step: {error}"));
                return Err(StoreError::Damaged {
                    path,
                    line: steps.len() + 1,
                    what,
                });
            }
        }
        length += line.len();
    }
    Ok((steps, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_at_the_end_are_dropped_and_in_the_middle_are_an_error() {
        let good = b"{\"name\":\"one\",\"result\":1}\n";
        let zeros = [&good[..], &[0; 9]].concat();
        assert_eq!(read_steps(Path::new("x"), &zeros).unwrap().1, good.len());
        let middle = [&good[..], b"{\"na\n", &good[..]].concat();
        let error = read_steps(Path::new("x"), &middle).unwrap_err();
        assert!(
            error.to_string().starts_with("x, line 2: no finished step"),
            "{error}"
        );
    }
}
