//! Loops of a function.

/// Per block the first block of the innermost loop that it is in, and how many loops it is in.
///
/// A loop is what can come back to its header without passing it; where control also enters elsewhere, the header is the block
/// that is met first.
pub(super) fn loops(successors: &[Vec<usize>]) -> Vec<(Option<usize>, u32)> {
    let mut predecessors = vec![Vec::new(); successors.len()];
    for (from, all) in successors.iter().enumerate() {
        all.iter().for_each(|to| predecessors[*to].push(from));
    }
    let mut innermost: Vec<Option<(usize, usize)>> = vec![None; successors.len()];
    let mut depths = vec![0; successors.len()];
    for (header, sources) in back_edges(successors) {
        let body = body(header, sources, successors, &predecessors);
        for block in &body {
            depths[*block] += 1;
            let smaller = innermost[*block].is_none_or(|(size, _)| body.len() < size);
            if smaller {
                innermost[*block] = Some((body.len(), header));
            }
        }
    }
    let header = |one: Option<(usize, usize)>| one.map(|(_, header)| header);
    innermost.into_iter().map(header).zip(depths).collect()
}

/// Blocks that a depth-first walk comes back to, in the order of blocks, with those that it comes back from.
fn back_edges(successors: &[Vec<usize>]) -> Vec<(usize, Vec<usize>)> {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        Not,
        OnPath,
        Done,
    }
    let mut seen = vec![Seen::Not; successors.len()];
    let mut sources = vec![Vec::new(); successors.len()];
    for root in 0..successors.len() {
        if seen[root] != Seen::Not {
            continue;
        }
        seen[root] = Seen::OnPath;
        let mut path = vec![(root, 0)];
        while let Some((at, next)) = path.last_mut() {
            let Some(to) = successors[*at].get(*next).copied() else {
                seen[*at] = Seen::Done;
                path.pop();
                continue;
            };
            *next += 1;
            match seen[to] {
                Seen::OnPath => sources[to].push(*at),
                Seen::Done => {}
                Seen::Not => {
                    seen[to] = Seen::OnPath;
                    path.push((to, 0));
                }
            }
        }
    }
    let all = sources.into_iter().enumerate();
    all.filter(|(_, sources)| !sources.is_empty()).collect()
}

/// The header and all behind it from which these are reached without passing it.
fn body(
    header: usize,
    sources: Vec<usize>,
    successors: &[Vec<usize>],
    predecessors: &[Vec<usize>],
) -> Vec<usize> {
    let mut behind = vec![false; successors.len()];
    let mut open = vec![header];
    while let Some(block) = open.pop() {
        if !std::mem::replace(&mut behind[block], true) {
            open.extend(&successors[block]);
        }
    }
    let mut inside = vec![false; successors.len()];
    inside[header] = true;
    let mut body = vec![header];
    let mut open = sources;
    while let Some(block) = open.pop() {
        if behind[block] && !std::mem::replace(&mut inside[block], true) {
            body.push(block);
            open.extend(&predecessors[block]);
        }
    }
    body
}

#[cfg(test)]
mod tests {
    use super::loops;

    #[test]
    fn inner_loops_are_told_from_outer_ones() {
        // 0 -> 1 -> 2 -> 2, 1 -> 3; 2 -> 3; 3 -> 1, 4
        let found = loops(&[vec![1], vec![2, 3], vec![2, 3], vec![1, 4], vec![]]);
        let expected = [
            (None, 0),
            (Some(1), 1),
            (Some(2), 2),
            (Some(1), 1),
            (None, 0),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_loop_that_is_entered_in_the_middle_ends() {
        let found = loops(&[vec![1, 2], vec![2], vec![1, 3], vec![]]);
        assert!(found[1].0.is_some() && found[2].0.is_some());
        assert_eq!((found[0], found[3]), ((None, 0), (None, 0)));
        assert!(loops(&[]).is_empty());
    }
}
