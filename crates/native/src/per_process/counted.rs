//! From the files that profilers leave to samples per function.

use std::collections::BTreeMap;

use proofmark_profile::{ImportError, Options, cpu_profile, gmon_histograms, import};

use crate::Program;
use crate::symbols::Files;

/// Samples per function; none where no function is known.
pub(super) type Counted = Result<BTreeMap<Option<String>, f64>, ImportError>;

/// Places of a piece of code that are looked at: it may hold the end of one function and the begin of the next.
const PLACES: u64 = 4;

/// What a program built with `-pg` left.
pub(super) fn of_gprof(program: &Program, bytes: &[u8], files: &mut Files) -> Counted {
    let path = program.path.display().to_string();
    let symbols = files.of(&path);
    let mut all = BTreeMap::new();
    for histogram in gmon_histograms(bytes)? {
        for (piece, count) in histogram.pieces() {
            let length = piece.end - piece.start;
            let places = length.clamp(1, PLACES);
            for place in 0..places {
                let address = piece.start + length / places * place;
                let symbol = symbols.and_then(|symbols| symbols.at(address));
                let function = symbol.and_then(|symbol| program.named(symbol, &path));
                *all.entry(function).or_insert(0.0) += f64::from(count) / places as f64;
            }
        }
    }
    Ok(all)
}

/// What gperftools left.
pub(super) fn of_gperftools(program: &Program, bytes: &[u8], files: &mut Files) -> Counted {
    let profile = cpu_profile(bytes)?;
    let mut all = BTreeMap::new();
    for sample in &profile.samples {
        let place = profile.place_of(sample.addresses[0]);
        let function = place.and_then(|(file, offset)| {
            let symbol = files.of(file)?.at_offset(offset)?;
            program.named(symbol, file)
        });
        *all.entry(function).or_insert(0.0) += sample.count as f64;
    }
    Ok(all)
}

/// What any profiler wrote in a format that is known: all functions that are not the program's by name are taken for its own.
pub(super) fn of_any(program: &Program, bytes: &[u8]) -> Counted {
    let profile = import(bytes, &Options::default())?;
    let path = program.path.display().to_string();
    let mut all = BTreeMap::new();
    for sample in profile.samples.iter().filter(|one| one.event.index() == 0) {
        let leaf = profile.stacks[sample.stack.index()].first();
        let symbol = leaf.map(|leaf| profile.method_of(*leaf).to_string());
        let function = symbol.and_then(|symbol| program.named(&symbol, &path));
        *all.entry(function).or_insert(0.0) += sample.weight;
    }
    Ok(all)
}
