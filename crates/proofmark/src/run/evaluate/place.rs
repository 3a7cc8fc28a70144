//! Which directory of an evaluation a program's own run has.

use proofmark_jvm::toolchain::hash_of_bytes;

use super::begun::Kept;
use crate::session::file_name;

/// A program's name as that of a directory. Where another program of the evaluation would get the same one, as names are cut
/// and some of their signs replaced, both get a hash of their whole names with it.
pub(super) fn short_name(name: &str, all: &[&str]) -> String {
    let short = file_name(name);
    let mut others = all.iter().filter(|other| **other != name);
    if !others.any(|other| file_name(other) == short) {
        return short;
    }
    let hash = hash_of_bytes(name.as_bytes());
    // No short name has a `~`, and with an `x` it is no number as those of `place_of`.
    format!("{short}~x{}", &hash[..8])
}

/// Directory of the run of a program with this short name: one in which the `same` workload and build went wrong is gone on with, one of
/// another workload or build of that name is left alone, and so is one that may be that of another program.
pub(super) fn place_of(short: &str, before: Option<&Kept>, same: &dyn Fn(&Kept) -> bool) -> String {
    match before {
        None => short.to_owned(),
        Some(kept) if same(kept) && is_of(&kept.place, short) => kept.place.clone(),
        Some(kept) => {
            let number = kept
                .place
                .rsplit_once('~')
                .and_then(|(_, n)| n.parse().ok());
            format!("{short}~{}", number.unwrap_or(1) + 1)
        }
    }
}

/// Whether a directory is one of the program with this short name.
fn is_of(place: &str, short: &str) -> bool {
    let rest = place.strip_prefix(short);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('~'))
}

#[cfg(test)]
mod tests {
    use proofmark_experiment::evaluate::ProgramResult;
    use serde_json::json;

    use super::*;
    use crate::builds::Builds;

    fn failed(workload: &str, place: &str) -> Kept {
        Kept {
            workload: json!(workload),
            builds: Builds::default(),
            place: place.into(),
            result: ProgramResult::failed("Main", "no such class".into()),
        }
    }

    fn place(short: &str, before: Option<&Kept>) -> String {
        place_of(short, before, &|kept| kept.workload == json!("new"))
    }

    /// A class path that was mended is another workload: its run begins anew, beside the one that failed.
    #[test]
    fn a_mended_program_gets_a_directory_of_its_own() {
        let place = |before: Option<&Kept>| place("Main", before);
        assert_eq!(place(None), "Main");
        assert_eq!(place(Some(&failed("new", "Main"))), "Main");
        assert_eq!(place(Some(&failed("old", "Main"))), "Main~2");
        assert_eq!(place(Some(&failed("old", "Main~2"))), "Main~3");
        assert_eq!(place(Some(&failed("new", "Main~2"))), "Main~2");
    }

    /// Earlier versions let both run in one directory: whose it is cannot be told.
    #[test]
    fn a_directory_that_may_be_anothers_is_left_alone() {
        let of = |workload, kept| place("Main~xa1", Some(&failed(workload, kept)));
        assert_eq!(of("new", "Main"), "Main~xa1~2");
        assert_eq!(of("new", "Main~xa1~2"), "Main~xa1~2");
        assert_eq!(of("new", "Main~xa1"), "Main~xa1");
        assert_eq!(of("old", "Main~xa1"), "Main~xa1~2");
    }
}
