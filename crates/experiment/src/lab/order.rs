//! In which order variants and their alignments take turns.

use super::Variant;

/// Codes of each placement.
#[must_use]
pub fn placements(variants: &[Variant], order: &[usize], first: usize) -> Vec<Vec<u32>> {
    let at = alignments(variants, order, first);
    let codes = order.iter().zip(at);
    codes
        .map(|(variant, alignment)| variants[*variant].aligned[alignment].clone())
        .collect()
}

/// Index of the alignment of each placement: a variant takes the alignments in turn, and the next window starts with the next
/// alignment, so that all are met where windows are short.
#[must_use]
pub fn alignments(variants: &[Variant], order: &[usize], first: usize) -> Vec<usize> {
    let mut turns = vec![first; variants.len()];
    let mut next = |variant: usize| {
        turns[variant] += 1;
        (turns[variant] - 1) % variants[variant].aligned.len()
    };
    order.iter().map(|variant| next(*variant)).collect()
}

/// A, B, B, A and so on, so that drift hits both variants alike; `placements` of each.
#[must_use]
pub fn abba(placements: usize) -> Vec<usize> {
    (0..placements)
        .flat_map(|at| if at % 2 == 0 { [0, 1] } else { [1, 0] })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Variant, abba, placements};

    #[test]
    fn variants_meet_every_alignment_equally_often() {
        let variant = |codes: [u32; 2]| Variant {
            aligned: codes.map(|code| vec![code]).to_vec(),
        };
        let variants = [variant([1, 2]), variant([11, 12])];
        let of = |first| placements(&variants, &abba(2), first).concat();
        assert_eq!(of(0), [1, 11, 12, 2]);
        assert_eq!(of(1), [2, 12, 11, 1]);
    }

    #[test]
    fn variants_alternate_symmetrically() {
        assert_eq!(abba(4), [0, 1, 1, 0, 0, 1, 1, 0]);
    }
}
