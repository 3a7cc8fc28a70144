//! Damaged class files: no panic, no hang.

use crate::common::{Ids, Program, compile, jdks};
use proofmark_rewrite::{Mode, Options, Outcome, Summary, replace_texts, rewrite};

/// A linear congruential generator (Knuth's MMIX constants); its upper bits are used.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }
}

fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(5) {
            0 => bytes.truncate(at.max(1)),
            1 => bytes[at] = 0xff,
            2 => bytes.insert(at, random.below(256) as u8),
            3 => drop(bytes.remove(at)),
            _ => bytes[at] ^= 1 << random.below(8),
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
}

#[test]
fn ten_thousand_damaged_classes() {
    let Some(jdk) = jdks().pop() else { return };
    let place = tempfile::tempdir().expect("a temporary directory");
    compile(&jdk, &["tests/java/programs"], place.path());
    let program = Program::read(place.path());
    let mut random = Random(20061122);
    let mut rewritten = 0;
    for round in 0..10_000 {
        let (_, original) = &program.classes[random.below(program.classes.len())];
        let mut bytes = original.clone();
        damage(&mut bytes, &mut random);
        let options = Options {
            mode: if round % 2 == 0 {
                Mode::Sampling
            } else {
                Mode::Exact
            },
            ..Options::default()
        };
        if let Outcome::Rewritten { bytes, .. } =
            rewrite(&bytes, &options, &program, &mut Ids::default())
        {
            // What comes out can be read again, whatever came in.
            Summary::read(&bytes).expect("the class that was written");
            rewritten += 1;
        }
        let _ = replace_texts(&bytes, &|text| (text.len() == 4).then(|| text.to_vec()));
    }
    println!("{rewritten} of 10,000 were rewritten all the same");
    assert!(
        rewritten > 500,
        "the damage is too great to test anything: {rewritten}"
    );
}
