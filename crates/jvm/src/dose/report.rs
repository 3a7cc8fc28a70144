//! The agent's file: which sites are in, which methods with sites were compiled, which threads are the program's.

use std::collections::BTreeSet;
use std::path::Path;

use proofmark_experiment::dose::sites::{Compilation, PlacedSite, SiteReport};

/// Its name.
const FILE: &str = "sites";

/// Reads the file in a directory; what is not there yet is not there.
pub(super) fn read(directory: &Path) -> SiteReport {
    let text = std::fs::read_to_string(directory.join(FILE)).unwrap_or_default();
    parse(&text)
}

/// Kernel's ids of the program's threads so far, those included that have ended.
pub(super) fn program_threads(directory: &Path) -> BTreeSet<i64> {
    let text = std::fs::read_to_string(directory.join(FILE)).unwrap_or_default();
    threads(&text)
}

fn threads(text: &str) -> BTreeSet<i64> {
    let ids = text
        .lines()
        .filter_map(|line| line.strip_prefix("thread\t"));
    ids.flat_map(str::parse).collect()
}

/// Removes the file of an earlier JVM.
pub(super) fn remove(directory: &Path) {
    let _ = std::fs::remove_file(directory.join(FILE));
}

fn parse(text: &str) -> SiteReport {
    let mut report = SiteReport::default();
    for line in text.lines() {
        let words: Vec<&str> = line.split('\t').collect();
        match words.as_slice() {
            ["placed", index, _, line, ..] => {
                report
                    .placed
                    .extend(index.parse().ok().map(|index| PlacedSite {
                        index,
                        line: line.parse().ok(),
                    }));
            }
            ["refused", index, _, reason] => {
                let index = index.parse().ok();
                report
                    .refused
                    .extend(index.map(|index| (index, (*reason).to_owned())));
            }
            ["compiled", ns, inside, inlined, revealed] => {
                let numbers = |list: &str| list.split(',').flat_map(str::parse).collect();
                report
                    .compiled
                    .extend(ns.parse().ok().map(|ns| Compilation {
                        ns,
                        inside: numbers(inside),
                        inlined: numbers(inlined),
                        revealed: numbers(revealed),
                    }));
            }
            // The JVM refused the class with what was placed in it.
            ["withdrawn", index, reason] => {
                if let Ok(index) = index.parse::<u16>() {
                    report.placed.retain(|one| one.index != index);
                    report.refused.push((index, (*reason).to_owned()));
                }
            }
            _ => {}
        }
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_jvm_refuses_with_its_class_is_not_placed() {
        let text = "placed\t0\t()V\t3\t0\t9\nplaced\t1\t()V\t5\t0\t9\nplaced\t1\t(I)V\t7\t0\t9\n\
                    withdrawn\t1\tthe verifier refuses it\n";
        let report = parse(text);
        let placed: Vec<u16> = report.placed.iter().map(|one| one.index).collect();
        assert_eq!(placed, [0]);
        assert_eq!(report.refused, [(1, "the verifier refuses it".to_owned())]);
    }

    #[test]
    fn the_agents_lines_are_read() {
        let text = "placed\t0\t(I)V\t17\t9\t40\nplaced\t1\t()V\t\t0\t9\nrefused\t2\t\tthe class has no such method\n\
                    compiled\t1000\t0,1\t1\t1\nthread\t4711\ncompiled\t90000000\t1\t\t\nnonsense\nthread\t4712\n";
        assert_eq!(threads(text), BTreeSet::from([4711, 4712]));
        let report = parse(text);
        assert_eq!(report.placed.len(), 2);
        assert_eq!(
            (report.placed[0].line, report.placed[1].line),
            (Some(17), None)
        );
        assert_eq!(report.refused[0].0, 2);
        assert!(report.inlined(1) && !report.inlined(0));
        // The last code of site 1 has no record inside.
        assert!(!report.revealed(1) && !report.revealed(0));
        assert!(report.compiled_within(500, 1500) && !report.compiled_within(1500, 50_000_000));
        assert!(report.compiled_within(1500, 70_000_000));
    }
}
