//! Is a unit the one that a plan was made for?

use crate::{Block, Unit};

/// Names the first structural difference between two units, `expected` and `found`; none if block ids
/// mean the same in both. Source positions and the compiler's frequencies are no structure.
#[must_use]
pub fn first_difference(expected: &Unit, found: &Unit) -> Option<String> {
    if expected.name != found.name {
        return Some(format!(
            "unit: expected {}, found {}",
            expected.name, found.name
        ));
    }
    let what = differing_block(expected, found).or_else(|| {
        (expected.signature != found.signature).then(|| {
            let (expected, found) = (&expected.signature, &found.signature);
            format!("signature {expected} expected, {found} found, although all blocks agree")
        })
    })?;
    Some(format!("unit {}: {what}", expected.name))
}

fn differing_block(expected: &Unit, found: &Unit) -> Option<String> {
    let pairs = expected.blocks.iter().zip(&found.blocks);
    pairs
        .enumerate()
        .find_map(|(at, (left, right))| difference(at, left, right))
        .or_else(|| {
            let (left, right) = (expected.blocks.len(), found.blocks.len());
            (left != right).then(|| format!("{left} blocks expected, {right} found"))
        })
}

fn difference(at: usize, expected: &Block, found: &Block) -> Option<String> {
    if expected.id != found.id {
        return Some(format!(
            "block {} expected at place {} of the emission order, block {} found",
            expected.id,
            at + 1,
            found.id
        ));
    }
    let what = differing_operation(&expected.operations, &found.operations)
        .or_else(|| differing("successors", &expected.successors, &found.successors))
        .or_else(|| differing("loop header", &expected.loop_header, &found.loop_header))
        .or_else(|| differing("loop depth", &expected.loop_depth, &found.loop_depth))?;
    Some(format!("block {}: {what}", expected.id))
}

fn differing_operation(expected: &[String], found: &[String]) -> Option<String> {
    let pairs = expected.iter().zip(found).enumerate();
    let mut different = pairs.filter(|(_, (left, right))| left != right);
    different
        .next()
        .map(|(at, (left, right))| format!("operation {}: {left} expected, {right} found", at + 1))
        .or_else(|| {
            let (left, right) = (expected.len(), found.len());
            (left != right).then(|| format!("{left} operations expected, {right} found"))
        })
}

fn differing<T: PartialEq + std::fmt::Debug>(
    what: &str,
    expected: &T,
    found: &T,
) -> Option<String> {
    (expected != found).then(|| format!("{what} {expected:?} expected, {found:?} found"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_units::{block, unit};

    fn original() -> Unit {
        let mut second = block(7, &[0, 9]);
        second.operations = vec!["LABEL".into(), "ADD".into(), "BRANCH".into()];
        unit(vec![block(0, &[7]), second, block(9, &[])])
    }

    fn after(change: impl FnOnce(&mut Unit)) -> Option<String> {
        let mut changed = original();
        change(&mut changed);
        first_difference(&original(), &changed)
    }

    #[test]
    fn equal_structure_has_no_difference() {
        let positions_only = after(|unit| {
            unit.positions.clear();
            unit.blocks[0].frequency = 0.1;
        });
        assert_eq!(positions_only, None);
    }

    #[test]
    fn the_first_difference_is_named() {
        type Change = fn(&mut Unit);
        let cases: [(Change, &str); 7] = [
            (
                |unit| unit.name = "x".into(),
                "unit: expected p.C.root()V, found x",
            ),
            (
                |unit| unit.blocks[1].operations[1] = "SUB".into(),
                "unit p.C.root()V: block 7: operation 2: ADD expected, SUB found",
            ),
            (
                |unit| unit.blocks[1].operations.truncate(2),
                "unit p.C.root()V: block 7: 3 operations expected, 2 found",
            ),
            (
                |unit| unit.blocks[1].successors.reverse(),
                "unit p.C.root()V: block 7: successors [0, 9] expected, [9, 0] found",
            ),
            (
                |unit| unit.blocks.swap(1, 2),
                "unit p.C.root()V: block 7 expected at place 2 of the emission order, block 9 found",
            ),
            (
                |unit| unit.blocks.truncate(2),
                "unit p.C.root()V: 3 blocks expected, 2 found",
            ),
            (
                |unit| unit.signature = "t".into(),
                "unit p.C.root()V: signature s expected, t found, although all blocks agree",
            ),
        ];
        for (change, expected) in cases {
            assert_eq!(after(change).as_deref(), Some(expected));
        }
    }
}
