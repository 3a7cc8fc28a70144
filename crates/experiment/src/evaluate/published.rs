//! Figures of "Divining Profiler Accuracy" (2025) to stand beside ours: 14 programs on another processor, six cores, a JVM
//! per run. They are facts to compare with, and decide nothing here.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What was published of a program.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PublishedProgram {
    /// Overhead at targets of 50, 100 and 150 %, %.
    pub overhead_pct: [f64; 3],
    /// Runs of the search at 100 %.
    pub runs: u32,
    /// Its wall time, minutes.
    pub minutes: u32,
    /// Compilation units with 2 % of the run time at least.
    pub units: u64,
    /// Their native blocks.
    pub blocks: u64,
    /// Part of the compiler's last instructions that know their source position, %; told of the least and of the greatest
    /// only.
    pub positioned_pct: Option<f64>,
}

/// What was published of a profiler's shares under uniform slowdowns.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PublishedShares {
    /// Correlation of normal and slowed shares.
    pub correlation: f64,
    /// Methods whose share moved by more than 5 points.
    pub off_by_5_pt: u64,
    /// Mean change of these, points; none in documents of earlier versions.
    #[serde(default)]
    pub mean_off_pt: Option<f64>,
    /// The largest change, points.
    pub worst_pt: f64,
}

/// What was published of blocks that were slowed alone, of 12.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PublishedAdded {
    /// Blocks whose method was shown.
    pub detected: u64,
    /// Blocks that were tried.
    pub tried: u64,
    /// Part of them whose method's share grew, %; none in documents of earlier versions.
    #[serde(default)]
    pub grew_pct: Option<f64>,
    /// Mean absolute error, points.
    pub error_pt: f64,
}

/// Name, overheads, runs, minutes.
type Row = (&'static str, [f64; 3], u32, u32);

const PROGRAMS: [Row; 14] = [
    ("Bounce", [56.1, 99.1, 142.5], 51, 115),
    ("List", [55.6, 102.2, 146.6], 49, 198),
    ("Mandelbrot", [53.1, 101.6, 154.7], 94, 171),
    ("NBody", [50.0, 100.0, 149.1], 50, 88),
    ("Permute", [46.9, 100.0, 146.9], 24, 44),
    ("Queens", [50.0, 94.3, 142.9], 22, 30),
    ("Sieve", [48.6, 98.9, 146.4], 82, 287),
    ("Storage", [54.7, 102.7, 161.5], 74, 219),
    ("Towers", [58.0, 106.2, 160.2], 20, 52),
    ("CD", [46.4, 96.4, 144.5], 367, 672),
    ("DeltaBlue", [50.5, 90.2, 139.5], 491, 1506),
    ("Havlak", [47.0, 115.0, 148.0], 400, 1285),
    ("Json", [45.6, 94.1, 147.1], 329, 516),
    ("Richards", [48.8, 109.8, 143.9], 141, 225),
];

/// Name, units, native blocks.
const CODE: [(&str, u64, u64); 14] = [
    ("Bounce", 1, 21),
    ("List", 1, 59),
    ("Mandelbrot", 1, 11),
    ("NBody", 1, 1),
    ("Permute", 1, 16),
    ("Queens", 1, 107),
    ("Sieve", 1, 17),
    ("Storage", 2, 80),
    ("Towers", 1, 52),
    ("CD", 9, 343),
    ("DeltaBlue", 14, 230),
    ("Havlak", 9, 401),
    ("Json", 10, 470),
    ("Richards", 3, 84),
];

/// The least and the greatest part with a source position, %.
const POSITIONED: [(&str, f64); 2] = [("List", 70.70), ("NBody", 89.24)];

/// What was published of a program of this name (`suite:`, a package or `published ` may stand in front of it); none if it was not among them.
#[must_use]
pub fn published_program(name: &str) -> Option<PublishedProgram> {
    let name = name.rsplit([':', '.', ' ']).next()?;
    let row = PROGRAMS.iter().find(|(known, ..)| *known == name)?;
    let code = CODE.iter().find(|(known, ..)| *known == name)?;
    let positioned = POSITIONED.iter().find(|(known, _)| *known == name);
    Some(PublishedProgram {
        overhead_pct: row.1,
        runs: row.2,
        minutes: row.3,
        units: code.1,
        blocks: code.2,
        positioned_pct: positioned.map(|(_, part)| *part),
    })
}

/// What was published of a profiler's shares: async-profiler 3.0 and JFR of JDK 21, both at 10 ms.
pub(super) fn shares(profiler: &str) -> Option<PublishedShares> {
    let (correlation, off_by_5_pt, mean_off_pt, worst_pt) = match profiler {
        "async" => (0.9828, 25, 11.85, 24.93),
        "jfr" => (0.9848, 28, 12.02, 25.30),
        _ => return None,
    };
    Some(PublishedShares {
        correlation,
        off_by_5_pt,
        mean_off_pt: Some(mean_off_pt),
        worst_pt,
    })
}

/// What was published of single blocks.
pub(super) fn added(profiler: &str) -> Option<PublishedAdded> {
    let (grew_pct, error_pt) = match profiler {
        "async" => (83.33, 1.38),
        "jfr" => (83.33, 2.18),
        _ => return None,
    };
    Some(PublishedAdded {
        detected: 11,
        tried: 12,
        grew_pct: Some(grew_pct),
        error_pt,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_by_any_of_their_names() {
        let names = [
            "Havlak",
            "suite:Havlak",
            "proofmark.suite.Havlak",
            "published Havlak",
        ];
        for name in names {
            assert_eq!(published_program(name).map(|p| p.runs), Some(400));
        }
        assert_eq!(published_program("Jackson"), None);
        let all: u32 = PROGRAMS.iter().map(|row| row.2).sum();
        assert_eq!(all, 2_194, "the sum that was published");
        for (name, ..) in PROGRAMS {
            assert!(
                published_program(name).is_some_and(|p| p.blocks > 0),
                "{name}"
            );
        }
    }
}
