//! Which method does the time of a span belong to?

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::borders::Borders;
use crate::{Flow, Span, Unit};

/// Method names of all units of a code map, each stored once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Methods {
    names: Vec<Arc<str>>,
    ids: HashMap<Arc<str>, u32>,
}

impl Methods {
    /// Id of a name; the same name always has the same id.
    pub fn intern(&mut self, name: &str) -> u32 {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = u32::try_from(self.names.len()).expect("fewer than 2^32 methods");
        let name: Arc<str> = name.into();
        self.names.push(Arc::clone(&name));
        self.ids.insert(name, id);
        id
    }

    /// Name of an id that [`Methods::intern`] gave.
    pub fn name(&self, id: u32) -> &Arc<str> {
        &self.names[id as usize]
    }
}

/// Owner of a span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Owner {
    /// Id of the method.
    pub method: u32,
    /// Ids of the methods that it may belong to as well, where the compiler left no position.
    pub others: Option<Arc<[u32]>>,
}

impl Owner {
    fn certain(method: u32) -> Self {
        Owner {
            method,
            others: None,
        }
    }

    /// The first of several, all of which it may be.
    fn first_of(candidates: &[u32]) -> Option<Self> {
        let method = *candidates.first()?;
        let others: BTreeSet<u32> = candidates
            .iter()
            .copied()
            .filter(|m| *m != method)
            .collect();
        Some(Owner {
            method,
            others: (!others.is_empty()).then(|| others.into_iter().collect()),
        })
    }

    /// True if it may be another method's.
    pub fn is_ambiguous(&self) -> bool {
        self.others.is_some()
    }
}

/// Ids of the methods that own a unit's positions, and of its root; and the unit's control flow.
#[derive(Debug, Clone)]
pub(crate) struct UnitOwners {
    /// Root method.
    pub root: u32,
    /// Method of the innermost frame of each position.
    pub positions: Vec<u32>,
    /// Control flow.
    pub flow: Flow,
}

impl UnitOwners {
    pub fn of(unit: &Unit, methods: &mut Methods) -> Self {
        let root = methods.intern(&unit.name);
        let innermost = |frames: &Vec<crate::Frame>| {
            frames
                .first()
                .map_or(root, |frame| methods.intern(&frame.method))
        };
        Self {
            root,
            positions: unit.positions.iter().map(innermost).collect(),
            flow: Flow::of(unit),
        }
    }

    pub fn of_span(&self, span: &Span) -> Option<u32> {
        span.position
            .and_then(|position| self.of_position(position))
    }

    /// Method of a position's innermost frame.
    pub fn of_position(&self, position: u32) -> Option<u32> {
        self.positions.get(position as usize).copied()
    }

    /// The root, and every method that owns a position.
    fn any(&self) -> Vec<u32> {
        std::iter::once(self.root)
            .chain(self.positions.iter().copied())
            .collect()
    }
}

/// Owners of all spans of a code: the innermost frame's method of the span's own position, else of
/// the next position in the same block (the operation that the span works for, and what HotSpot's
/// debug information says), else of the one before it; in a block without positions, of the first one that
/// control can reach, else of the last one that it came from, else the root. Code outside of blocks
/// (prologue, slow paths) without a position is the root's; the prologue certainly so.
///
/// An inserted span belongs to the operation in front of which it was inserted: that is how it is
/// meant, not a guess. The compiler's own operations without a position may as well be of the other
/// neighbours: the position on the other side, beyond the block's border all that control connects.
pub(crate) fn owners(spans: &[Span], unit: &UnitOwners) -> Vec<Owner> {
    let gaps = Gaps {
        before: nearest(spans, unit, 0..spans.len()),
        after: nearest(spans, unit, (0..spans.len()).rev()),
        shared: blocks_of_several(spans, unit),
        prologue: prologue_spans(spans),
        borders: Borders::of(spans, unit),
        unit,
    };
    let owner = |(at, span)| gaps.owner(at, span);
    spans.iter().enumerate().map(owner).collect()
}

/// What surrounds the spans without a position.
struct Gaps<'a> {
    /// Owner of the last position of the same block up to here, and of the next one from here.
    before: Vec<Option<u32>>,
    after: Vec<Option<u32>>,
    shared: HashMap<Option<u32>, bool>,
    prologue: usize,
    borders: Borders<'a>,
    unit: &'a UnitOwners,
}

impl Gaps<'_> {
    fn owner(&self, at: usize, span: &Span) -> Owner {
        let inside = self.after[at].or(self.before[at]);
        let Some(block) = span.block else {
            let open = at >= self.prologue && inside.is_none() && self.shared[&None];
            let any = if open { self.unit.any() } else { Vec::new() };
            return Owner::first_of(&any)
                .unwrap_or_else(|| Owner::certain(inside.unwrap_or(self.unit.root)));
        };
        if self.unit.of_span(span).is_some() || !self.shared[&span.block] {
            return Owner::certain(inside.unwrap_or(self.unit.root));
        }
        let mut candidates: Vec<u32> = inside.into_iter().collect();
        match self.after[at] {
            Some(after) => candidates.push(after),
            None => candidates.extend(self.borders.behind(block)),
        }
        match self.before[at] {
            Some(before) => candidates.push(before),
            None => candidates.extend(self.borders.before(block)),
        }
        let owner = Owner::first_of(&candidates).or_else(|| Owner::first_of(&self.unit.any()));
        let owner = owner.unwrap_or_else(|| Owner::certain(self.unit.root));
        if span.inserted {
            Owner::certain(owner.method)
        } else {
            owner
        }
    }
}

/// Number of spans before the first block.
pub(crate) fn prologue_spans(spans: &[Span]) -> usize {
    spans
        .iter()
        .position(|span| span.block.is_some())
        .unwrap_or(0)
}

/// Per span its own owner, or that of the last position of the same block in the order given.
fn nearest(
    spans: &[Span],
    unit: &UnitOwners,
    order: impl Iterator<Item = usize>,
) -> Vec<Option<u32>> {
    let mut owners = vec![None; spans.len()];
    let mut last: HashMap<u32, u32> = HashMap::new();
    for at in order {
        let own = unit.of_span(&spans[at]);
        let Some(block) = spans[at].block else {
            owners[at] = own;
            continue;
        };
        if let Some(own) = own {
            last.insert(block, own);
        }
        owners[at] = own.or_else(|| last.get(&block).copied());
    }
    owners
}

/// For every block, whether more methods than one (or, unknown to us, any) may own its time.
fn blocks_of_several(spans: &[Span], unit: &UnitOwners) -> HashMap<Option<u32>, bool> {
    let mut seen: HashMap<Option<u32>, Option<u32>> = HashMap::new();
    let mut several: HashMap<Option<u32>, bool> = HashMap::new();
    for span in spans {
        let entry = seen.entry(span.block).or_default();
        let Some(own) = unit.of_span(span) else {
            continue;
        };
        if *entry.get_or_insert(own) != own {
            several.insert(span.block, true);
        }
    }
    let one_owner_in_all = unit.positions.iter().all(|method| *method == unit.root);
    for (block, owner) in seen {
        let unknown = owner.is_none() && !one_owner_in_all;
        several.entry(block).or_insert(unknown);
    }
    several
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_units::{block, span, unit};

    fn names(spans: &[Span]) -> Vec<(String, bool)> {
        let mut methods = Methods::default();
        let unit = UnitOwners::of(&unit(vec![block(0, &[1]), block(1, &[])]), &mut methods);
        owners(spans, &unit)
            .iter()
            .map(|owner| (methods.name(owner.method).to_string(), owner.is_ambiguous()))
            .collect()
    }

    #[test]
    fn gaps_inherit_from_after_then_from_before_then_from_the_blocks_around() {
        let spans = [
            span(0, -1, -1),
            span(4, 0, -1),
            span(8, 0, 1),
            span(12, 0, -1),
            span(16, 0, 2),
            span(18, 0, -1),
            span(20, 1, -1),
        ];
        let expected = [
            ("p.C.root()V", false),
            ("p.C.a()V", true),
            ("p.C.a()V", false),
            ("p.C.b()V", true),
            ("p.C.b()V", false),
            ("p.C.b()V", false),
            ("p.C.b()V", false),
        ];
        assert_eq!(
            names(&spans),
            expected.map(|(name, ambiguous)| (name.to_string(), ambiguous))
        );
    }

    #[test]
    fn an_inserted_span_belongs_to_what_it_was_put_in_front_of() {
        let mut inserted = span(8, 0, -1);
        inserted.inserted = true;
        let spans = [span(4, 0, 1), inserted, span(12, 0, 2)];
        assert_eq!(names(&spans)[1], ("p.C.b()V".to_string(), false));
    }

    #[test]
    fn a_gap_in_a_block_of_one_owner_is_not_ambiguous() {
        let mut inserted = span(4, 0, -1);
        inserted.inserted = true;
        let spans = [span(0, 0, 1), inserted, span(8, 0, 1)];
        assert!(
            names(&spans)
                .iter()
                .all(|owner| *owner == ("p.C.a()V".to_string(), false))
        );
    }
}
