//! Programs of evaluations that take minutes.

use std::path::PathBuf;

use proofmark::request::programs::{Program, from_file};
use proofmark_jvm::Workload;

/// These programs of the suite and, with the environment's variable `PROGRAMS`, those of that file.
pub fn programs(suite: &[&str]) -> Vec<Program> {
    let of_suite = |name: &&str| Program {
        name: (*name).into(),
        workload: Workload::parse(name, Vec::new()).unwrap(),
    };
    let mut programs: Vec<Program> = suite.iter().map(of_suite).collect();
    if let Some(file) = std::env::var_os("PROGRAMS") {
        programs.extend(from_file(&PathBuf::from(file)).unwrap());
    }
    programs
}
