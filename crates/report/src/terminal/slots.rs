//! What the second check of a native program's slots found.

use proofmark_experiment::slots::SlotsReport;

use crate::names::clean;
use crate::number::{count, grouped};
use crate::style::{Style, hanging};

/// Functions without slots that are named.
const NAMED: usize = 8;

/// What holds, what differs, what was left out.
///
/// ```text
/// ./program: 14 functions hold with empty slots and with full ones
///   312 instructions and 57 borders of blocks are as without slots, but for 114 instructions (mov) that went in
/// differs: parse: at +0x12: "add ecx, #" where "add eax, #" was
/// left out: looped: its inline assembly or its short jumps cannot be followed
/// 3 functions were not built with slots: _start, _init, _fini
/// ```
#[must_use]
pub fn slots_text(report: &SlotsReport, style: Style) -> String {
    let columns = style.columns();
    let hold = if report.functions == 1 {
        "holds"
    } else {
        "hold"
    };
    let first = format!(
        "{}: {} {hold} with empty slots and with full ones",
        clean(&report.program),
        count(report.functions, "function")
    );
    let second = format!(
        "{} and {} of blocks are as without slots, but for {} ({}) that went in",
        count(report.instructions, "instruction"),
        count(report.borders, "border"),
        count(report.inserted, "instruction"),
        clean(&report.filler)
    );
    let mut out = hanging("", &first, columns) + &hanging("  ", &second, columns);
    for one in &report.unseen {
        let at: Vec<String> = one.at.iter().map(|at| format!("+{at:#x}")).collect();
        let (name, at) = (clean(&one.function), at.join(", "));
        let text = format!("{name}: nothing that was seen leads to the blocks at {at}");
        out.push_str(&hanging("unseen: ", &text, columns));
    }
    for (word, all) in [
        ("differs: ", &report.differing),
        ("left out: ", &report.left_out),
    ] {
        for one in all {
            let text = format!("{}: {}", clean(&one.function), clean(&one.reason));
            out.push_str(&hanging(word, &text, columns));
        }
    }
    if let Some(others) = others(&report.without_slots) {
        out.push_str(&hanging("", &others, columns));
    }
    out
}

/// The functions without slots, of which the first are named.
fn others(names: &[String]) -> Option<String> {
    let first: Vec<String> = names.iter().take(NAMED).map(|name| clean(name)).collect();
    let more = match names.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {} more", grouped(more as u64)),
    };
    let were = if names.len() == 1 { "was" } else { "were" };
    (!names.is_empty()).then(|| {
        format!(
            "{} {were} not built with slots: {}{more}",
            count(names.len() as u64, "function"),
            first.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use proofmark_experiment::slots::SlotsLeftOut;

    use super::*;

    fn told(function: &str, reason: &str) -> SlotsLeftOut {
        SlotsLeftOut {
            function: function.into(),
            reason: reason.into(),
        }
    }

    #[test]
    fn differences_and_what_is_left_out_are_named() {
        let report = SlotsReport {
            schema: "proofmark-slots/1".into(),
            program: "./program".into(),
            filler: "mov".into(),
            functions: 1,
            instructions: 1,
            inserted: 4,
            borders: 2,
            unseen: Vec::new(),
            differing: vec![told("f", "at +0x12: \"ret\" is one too many")],
            left_out: vec![told("g", "no reason")],
            without_slots: (0..9).map(|number| format!("_{number}")).collect(),
        };
        let wide = Style {
            color: false,
            width: 200,
        };
        let text = slots_text(&report, wide);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "./program: 1 function holds with empty slots and with full ones",
                "  1 instruction and 2 borders of blocks are as without slots, but for 4 instructions (mov) that went in",
                "differs: f: at +0x12: \"ret\" is one too many",
                "left out: g: no reason",
                "9 functions were not built with slots: _0, _1, _2, _3, _4, _5, _6, _7 and 1 more",
            ]
        );
    }
}
