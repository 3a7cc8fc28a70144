//! Names of code that was generated at run time, from `perf-PID.map` and jitdump files.

use std::io::Cursor;

use linux_perf_data::jitdump::{JitDumpReader, JitDumpRecord};
use proofmark_rewrite::from_modified_utf8;

use crate::error::ImportError;
use crate::import::{Format, lines};

/// One piece of generated code.
#[derive(Clone, Debug)]
struct Code {
    start: u64,
    end: u64,
    /// When it was there first, in the dump's clock; 0 where that is not known.
    since_ns: u64,
    name: String,
}

/// Generated code by address.
#[derive(Default)]
pub(super) struct CodeTable {
    codes: Vec<Code>,
    /// The largest end of a code and all before it.
    furthest_end: Vec<u64>,
    timed: bool,
}

impl CodeTable {
    /// Adds the lines `start size name` of a `perf-PID.map`; later lines replace earlier ones.
    pub(super) fn add_perf_map(&mut self, bytes: &[u8]) -> Result<(), ImportError> {
        for line in lines(bytes).filter(|line| !line.text.trim().is_empty()) {
            let code = map_line(&line.text).ok_or_else(|| {
                let text = &line.text;
                let what = format!("`start size name` in hexadecimal was expected, not {text:?}");
                ImportError::line(Format::PerfMap, &line, what)
            })?;
            self.codes.push(code);
        }
        Ok(())
    }

    /// Adds the code that a jitdump file tells of.
    pub(super) fn add_jitdump(&mut self, bytes: &[u8]) -> Result<(), ImportError> {
        let damaged = |offset: u64, e: &dyn std::fmt::Display| {
            let what = format!("a header or a record of a jitdump file was expected: {e}");
            ImportError::damaged(Format::Jitdump, offset.min(bytes.len() as u64), what)
        };
        let mut reader = JitDumpReader::new(Cursor::new(bytes)).map_err(|e| damaged(0, &e))?;
        loop {
            let offset = reader.next_record_offset();
            match reader.next_record_header() {
                Ok(None) => return Ok(()),
                Ok(Some(header)) if !fits(header.total_size, offset, bytes.len()) => {
                    return Err(damaged(offset, &"its length does not fit the file"));
                }
                Ok(Some(_)) => {}
                Err(e) => return Err(damaged(offset, &e)),
            }
            let Some(raw) = reader.next_record().map_err(|e| damaged(offset, &e))? else {
                return Ok(());
            };
            let since_ns = raw.timestamp;
            // Debug information is not used, and the crate trusts the number of its entries.
            if raw.record_type != linux_perf_data::jitdump::JitDumpRecordType::JIT_CODE_DEBUG_INFO {
                self.add_record(&raw.parse().map_err(|e| damaged(offset, &e))?, since_ns);
            }
        }
    }

    fn add_record(&mut self, record: &JitDumpRecord<'_>, since_ns: u64) {
        match record {
            JitDumpRecord::CodeLoad(load) => self.codes.push(Code {
                start: load.vma,
                end: load.vma.saturating_add(load.code_bytes.len() as u64),
                since_ns,
                name: from_modified_utf8(&load.function_name.as_slice()).into_owned(),
            }),
            JitDumpRecord::CodeMove(moved) => {
                let from = self
                    .codes
                    .iter()
                    .rev()
                    .find(|c| c.start == moved.old_code_addr);
                let copy = from.map(|code| Code {
                    start: moved.new_code_addr,
                    end: moved.new_code_addr.saturating_add(moved.code_size),
                    since_ns,
                    name: code.name.clone(),
                });
                self.codes.extend(copy);
            }
            _ => {}
        }
    }

    /// Makes the table ready for [`CodeTable::find`].
    pub(super) fn sort(&mut self) {
        self.codes.sort_by_key(|code| code.start); // stable: later lines stay later
        let ends = self.codes.iter().scan(0, |furthest, code| {
            *furthest = code.end.max(*furthest);
            Some(*furthest)
        });
        self.furthest_end = ends.collect();
        self.timed = self.codes.iter().any(|code| code.since_ns > 0);
    }

    /// The code that lay at an address at a time: the one that came last before it.
    pub(super) fn find(&self, address: u64, time_ns: Option<u64>) -> Option<usize> {
        let after = self.codes.partition_point(|code| code.start <= address);
        let before = self.codes[..after].iter().enumerate().rev();
        let near = before.take_while(|(at, _)| self.furthest_end[*at] > address);
        let there = near.filter(|(_, code)| {
            address < code.end && time_ns.is_none_or(|time| code.since_ns <= time)
        });
        there
            .max_by_key(|(at, code)| (code.since_ns, *at))
            .map(|(at, _)| at)
    }

    /// The name of what [`CodeTable::find`] found.
    pub(super) fn name(&self, code: usize) -> &str {
        &self.codes[code].name
    }

    /// How many pieces of code there are.
    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }

    /// True if the same address can mean different code at different times.
    pub(super) fn changes(&self) -> bool {
        self.timed
    }
}

fn fits(record_len: u32, offset: u64, file_len: usize) -> bool {
    record_len >= 16 && offset.saturating_add(u64::from(record_len)) <= file_len as u64
}

fn map_line(line: &str) -> Option<Code> {
    let hex = |text: &str| u64::from_str_radix(text.trim_start_matches("0x"), 16).ok();
    let (start, rest) = line.trim_start().split_once(' ')?;
    let (size, name) = rest.trim_start().split_once(' ')?;
    let start = hex(start)?;
    Some(Code {
        start,
        end: start.checked_add(hex(size)?)?,
        since_ns: 0,
        name: name.trim().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_lines_win_and_ends_are_exclusive() {
        let mut table = CodeTable::default();
        let map = b"0x1000 0x100 void A.old()\n1080 80 int B.c(int)\n0x5000 0x10 stub\n";
        table.add_perf_map(map).expect("a sound map");
        table.sort();
        let name = |address| table.find(address, Some(7)).map(|code| table.name(code));
        assert_eq!(name(0x1000), Some("void A.old()"));
        assert_eq!(name(0x1080), Some("int B.c(int)"));
        assert_eq!(name(0x1100), None);
        assert_eq!(name(0xfff), None);
        assert_eq!(name(0x500f), Some("stub"));
        assert!(!table.changes());
    }

    #[test]
    fn small_code_inside_and_behind_large_code() {
        let mut table = CodeTable::default();
        let map = b"1000 1000 blob\n1100 10 first\n1200 10 second\n3000 10 far\n";
        table.add_perf_map(map).expect("a sound map");
        table.sort();
        let name = |address| table.find(address, None).map(|code| table.name(code));
        assert_eq!(name(0x1105), Some("first"));
        assert_eq!(name(0x1250), Some("blob"));
        assert_eq!((name(0x2000), name(0x3001)), (None, Some("far")));
    }

    #[test]
    fn code_counts_only_after_it_was_loaded() {
        let code = |since_ns, name: &str| Code {
            start: 16,
            end: 32,
            since_ns,
            name: name.to_owned(),
        };
        let mut table = CodeTable {
            codes: vec![code(50, "second"), code(10, "first")],
            ..CodeTable::default()
        };
        table.sort();
        let at = |time| table.find(20, Some(time)).map(|code| table.name(code));
        assert_eq!(
            (at(5), at(10), at(49), at(50)),
            (None, Some("first"), Some("first"), Some("second"))
        );
    }

    #[test]
    fn a_bad_map_names_its_line() {
        let error = CodeTable::default()
            .add_perf_map(b"1 2 a\nx y z\n")
            .expect_err("no hexadecimal");
        assert!(error.to_string().contains("line 2"), "{error}");
    }
}
