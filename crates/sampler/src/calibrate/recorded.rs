//! Where the samples of a victim lay: what the choice of a rule is made from, here or from a file.

use serde::{Deserialize, Serialize};

use super::victims::{Entered, Place, Victim};
use crate::records::Sample;

/// A victim and its samples by place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recorded {
    /// Name of the victim.
    pub victim: String,
    /// Cycles per turn, measured by the clock.
    pub cycles_per_turn: f64,
    /// Its blocks in the order of execution; the first is entered from the last.
    pub blocks: Vec<RecordedBlock>,
}

/// A block of a victim and its samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedBlock {
    /// Cycles of its length that are known.
    pub cycles: f64,
    /// Parts of its length that are not: each as long as what is left of the turn, divided by all such parts.
    pub unknown: f64,
    /// True if it is entered by an unconditional jump.
    pub after_jump: bool,
    /// Samples on its first address.
    pub on_first: u64,
    /// Samples on its second instruction.
    pub on_second: u64,
    /// Samples on its other instructions.
    pub on_others: u64,
}

impl RecordedBlock {
    /// All samples inside of the block.
    pub(super) fn samples(&self) -> u64 {
        self.on_first + self.on_second + self.on_others
    }
}

impl Recorded {
    /// Counts samples by place; those outside of the loop are left out.
    pub(super) fn of(victim: &Victim, cycles_per_turn: f64, samples: &[Sample]) -> Recorded {
        let block = |place: &Place| {
            let inside = samples
                .iter()
                .filter(|sample| (place.start..place.end).contains(&sample.ip));
            let mut block = RecordedBlock {
                cycles: place.length.fixed,
                unknown: place.length.unknown,
                after_jump: place.entered == Entered::Jump,
                on_first: 0,
                on_second: 0,
                on_others: 0,
            };
            for sample in inside {
                match sample.ip {
                    ip if ip == place.start => block.on_first += 1,
                    ip if ip == place.second => block.on_second += 1,
                    _ => block.on_others += 1,
                }
            }
            block
        };
        Recorded {
            victim: victim.name.replace('_', "-"),
            cycles_per_turn,
            blocks: victim.places().iter().map(block).collect(),
        }
    }

    /// All samples inside of the loop.
    pub(super) fn samples(&self) -> u64 {
        self.blocks.iter().map(RecordedBlock::samples).sum()
    }

    /// Length of each block in cycles.
    pub(super) fn lengths(&self) -> Vec<f64> {
        let known: f64 = self.blocks.iter().map(|block| block.cycles).sum();
        let parts: f64 = self.blocks.iter().map(|block| block.unknown).sum();
        let part = if parts > 0.0 {
            ((self.cycles_per_turn - known) / parts).max(0.0)
        } else {
            0.0
        };
        let length = |block: &RecordedBlock| block.cycles + block.unknown * part;
        self.blocks.iter().map(length).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::victims::victims;
    use super::*;

    #[test]
    fn samples_are_counted_where_they_lie() {
        let victim = victims()[0];
        let places = victim.places();
        let ips = [
            places[0].start - 1,
            places[0].start,
            places[0].second,
            places[1].start,
            places[1].end - 1,
            places[3].end,
        ];
        let samples = ips.map(|ip| Sample {
            ip,
            time_ns: 0,
            stream: 0,
        });
        let recorded = Recorded::of(&victim, 16.0, &samples);
        let counts = |at: usize| {
            let block = &recorded.blocks[at];
            (block.on_first, block.on_second, block.on_others)
        };
        assert_eq!(
            (counts(0), counts(1), counts(3)),
            ((1, 1, 0), (1, 0, 1), (0, 0, 0))
        );
        assert_eq!(recorded.samples(), 4);
    }

    #[test]
    fn what_the_turn_leaves_over_is_the_unknown_part() {
        let block = |cycles, unknown| RecordedBlock {
            cycles,
            unknown,
            after_jump: false,
            on_first: 0,
            on_second: 0,
            on_others: 0,
        };
        let recorded = Recorded {
            victim: "loads".into(),
            cycles_per_turn: 52.0,
            blocks: vec![block(0.0, 4.0), block(6.0, 2.0), block(16.0, 0.0)],
        };
        assert_eq!(recorded.lengths(), [20.0, 16.0, 16.0]);
    }
}
