//! The text of a site, and of its entry in the program's table of sites.

use std::fmt::Write as _;

use crate::pass::LeftAlone;

/// Section of a program that holds the table of its sites. The linker knows its begin and end by name.
pub const SITES_SECTION: &str = "proofmark_sites";
/// Section with the names that the table points to.
pub const NAMES_SECTION: &str = "proofmark_names";
/// Section with functions without a site: name and reason by turns, each ended by a zero. It is not loaded.
pub const LEFT_SECTION: &str = "proofmark_left";
/// Bytes of an entry of the table: key (8), then five signed words of 4: dose, code, name and file, each as its distance
/// from its own place, and the line; 4 bytes are free.
pub const ENTRY_BYTES: usize = 32;

/// A site that was put into a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Its number in this text.
    pub number: usize,
    /// The function's name: as the linker knows it, of Rust as people do.
    pub function: String,
    /// Source file of the line where it stands.
    pub file: String,
    /// The line; 0 without debug information.
    pub line: u32,
    /// The linker's group of the function, of which one copy is kept.
    pub group: Option<String>,
}

/// What a site is asked for by: the same for all functions of a name, as they are one for profilers. FNV-1a, 64 bits.
#[must_use]
pub fn key_of(function: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    function.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The site's instructions. A turn takes 8 cycles: two dependent multiplications and two rotations.
pub(crate) fn code(number: usize) -> String {
    let n = number;
    format!(
        ".Lproofmark_code{n}:
\tcmpl\t$0, .Lproofmark_dose{n}(%rip)
\tje\t.Lproofmark_end{n}
\tmovq\t%rax, -16(%rsp)
\tmovq\t%rcx, -24(%rsp)
\tmovl\t.Lproofmark_dose{n}(%rip), %ecx
\tjrcxz\t.Lproofmark_back{n}
.Lproofmark_turn{n}:
\timulq\t$1540483477, %rax, %rax
\trorq\t$17, %rax
\timulq\t$1597334677, %rax, %rax
\trorq\t$29, %rax
\tsubl\t$1, %ecx
\tjne\t.Lproofmark_turn{n}
.Lproofmark_back{n}:
\tmovq\t-24(%rsp), %rcx
\tmovq\t-16(%rsp), %rax
.Lproofmark_end{n}:
"
    )
}

/// Variables and entries of all sites, to stand behind everything else. With `following`, the linker keeps an entry as long
/// as the section of its function, and keeps no function for the entry's sake.
pub(crate) fn tables(sites: &[Site], following: bool) -> String {
    let mut text = String::new();
    let mut files: Vec<&str> = sites.iter().map(|site| site.file.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    for (number, file) in files.iter().enumerate() {
        let _ = writeln!(text, "\t.section\t{NAMES_SECTION},\"a\",@progbits");
        let file = escaped(file);
        let _ = writeln!(text, ".Lproofmark_file{number}:\n\t.string\t\"{file}\"");
    }
    for site in sites {
        let file = files.partition_point(|one| *one < site.file.as_str());
        let group = |flags: &str| match &site.group {
            Some(group) => (format!("\"{flags}G\""), format!(",\"{group}\",comdat")),
            None => (format!("\"{flags}\""), String::new()),
        };
        let ((read, grouped), (write, _)) = (group("a"), group("aw"));
        let n = site.number;
        // A group is kept or dropped as a whole anyway.
        let (entries, function) = match following && site.group.is_none() {
            true => ("\"ao\"".to_owned(), format!(",.Lproofmark_code{n}")),
            false => (read.clone(), grouped.clone()),
        };
        let _ = write!(
            text,
            "\t.section\t.bss.proofmark_doses,{write},@nobits{grouped}
\t.balign\t4
.Lproofmark_dose{n}:
\t.zero\t4
\t.section\t{NAMES_SECTION},{read},@progbits{grouped}
.Lproofmark_name{n}:
\t.string\t\"{}\"
\t.section\t{SITES_SECTION},{entries},@progbits{function}
\t.balign\t8
\t.quad\t{:#x}
\t.long\t.Lproofmark_dose{n}-.
\t.long\t.Lproofmark_code{n}-.
\t.long\t.Lproofmark_name{n}-.
\t.long\t.Lproofmark_file{file}-.
\t.long\t{}
\t.long\t0
",
            escaped(&site.function),
            key_of(&site.function),
            site.line,
        );
    }
    text
}

/// A name as it stands in a string of the assembler.
fn escaped(name: &str) -> String {
    let mut text = String::new();
    for sign in name.chars() {
        match sign {
            '\\' | '"' => text.extend(['\\', sign]),
            sign if sign.is_ascii_control() => _ = write!(text, "\\{:03o}", u32::from(sign)),
            sign => text.push(sign),
        }
    }
    text
}

/// The names of functions without a site, with the reasons.
pub(crate) fn left(left_alone: &[LeftAlone]) -> String {
    let mut text = String::new();
    if !left_alone.is_empty() {
        let _ = writeln!(text, "\t.section\t{LEFT_SECTION},\"\",@progbits");
    }
    for one in left_alone {
        let _ = writeln!(text, "\t.string\t\"{}\"", escaped(&one.function));
        let _ = writeln!(text, "\t.string\t\"{}\"", one.why.reason());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Constants in a function's name may be strings, and files may have any name.
    #[test]
    fn a_name_with_quotation_marks_stays_one_string() {
        let site = Site {
            number: 0,
            function: "a::<\"b\">".into(),
            file: "a\"b\\c\n.rs".into(),
            line: 1,
            group: None,
        };
        let text = tables(&[site], true);
        assert!(
            text.contains("\t.string\t\"a\\\"b\\\\c\\012.rs\"\n"),
            "{text}"
        );
        assert!(text.contains("\t.string\t\"a::<\\\"b\\\">\"\n"), "{text}");
    }
}
