//! The second check of every function of a program, whether it is hot or not. Nothing is run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proofmark_experiment::lab::{Filler, LabError};
use proofmark_experiment::slots::{SLOTS_SCHEMA, SlotsLeftOut, SlotsReport, UnseenBorders};

use super::build::Build;
use super::control::Control;
use super::image::Image;
use super::kept::Slotted;
use super::prepare::linked;
use super::second::{Fault, vetted};

/// Links a program with empty slots and with full ones, in a directory that is made, and compares every function with the program
/// without slots, and with the block map. The program with full slots stays there as [`FULL_SLOTS`](super::FULL_SLOTS).
///
/// # Errors
/// When the program cannot be linked again, or the instruction cannot go into native code.
pub fn check_slots(
    program: &Slotted,
    directory: &Path,
    filler: Filler,
    progress: &dyn Fn(&str),
) -> Result<SlotsReport, LabError> {
    progress("linking the program");
    let mut build = Build::new(program.clone(), directory)?;
    let image = Image::read(&build.variant("plain", &BTreeMap::new())?)?;
    let (candidates, unfit) = Control::every(&build.program().texts);
    let control = linked(&mut build, candidates)?;
    let all = control.names();
    progress("linking it with empty slots and with full ones, and reading all code");
    let vetted = vetted(&mut build, control, filler)?;
    let mut report = SlotsReport {
        schema: SLOTS_SCHEMA.into(),
        program: program.path.display().to_string(),
        filler: filler.name().into(),
        functions: vetted.found.len() as u64,
        instructions: vetted.sum(|one| one.instructions) as u64,
        inserted: vetted.sum(|one| one.inserted) as u64,
        borders: vetted.sum(|one| one.borders) as u64,
        unseen: Vec::new(),
        differing: Vec::new(),
        left_out: Vec::new(),
        without_slots: Vec::new(),
    };
    for ((unit, _), found) in vetted.control.named().zip(&vetted.found) {
        if !found.unseen.is_empty() {
            report.unseen.push(UnseenBorders {
                function: unit.to_owned(),
                at: found.unseen.clone(),
            });
        }
    }
    for one in vetted.apart {
        let left = told(one.unit, one.fault.reason());
        match one.fault {
            Fault::Differs(_) => report.differing.push(left),
            Fault::Unread(_) => report.left_out.push(left),
        }
    }
    let others = others(&image, &all);
    let (unfit, without): (Vec<String>, Vec<String>) =
        others.into_iter().partition(|name| unfit.contains(name));
    let why = "its inline assembly or its short jumps cannot be followed";
    let unfit = unfit.into_iter().map(|name| told(name, why));
    report.left_out.extend(unfit);
    report.without_slots = without;
    Ok(report)
}

fn told(function: String, reason: &str) -> SlotsLeftOut {
    SlotsLeftOut {
        function,
        reason: reason.to_owned(),
    }
}

/// Functions of a program none of whose names is one of these: each by its first name.
fn others(image: &Image, known: &BTreeSet<String>) -> Vec<String> {
    let begins: BTreeSet<u64> = image.functions.iter().map(|one| one.0).collect();
    let mut names = Vec::new();
    for begin in begins {
        if !image.names(begin).any(|name| known.contains(name)) {
            names.extend(image.names(begin).next().map(str::to_owned));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_by_other_names_are_no_others() {
        let image = Image {
            functions: [(16, "a"), (16, "b"), (32, "c"), (48, "d"), (48, "e")]
                .map(|(begin, name)| (begin, 8, name.to_owned()))
                .to_vec(),
            ..Image::default()
        };
        let known = BTreeSet::from(["b".to_owned(), "c".to_owned()]);
        assert_eq!(others(&image, &known), ["d"]);
    }
}
