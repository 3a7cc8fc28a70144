//! Files that a process has mapped.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::Place;

/// A mapped file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mapping {
    end: u64,
    /// What kind of code it holds.
    pub(super) place: Place,
    /// The file's name, without directories.
    pub(super) name: Rc<str>,
}

/// Mappings by their start; no two overlap.
#[derive(Default)]
pub(super) struct Mappings(BTreeMap<u64, Mapping>);

impl Mappings {
    /// Maps the file over what was mapped at `start..end` before; false if it was mapped just so.
    pub(super) fn add(&mut self, start: u64, end: u64, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let place = Place::of(path);
        let same = |old: &Mapping| old.end == end && old.place == place && *old.name == *name;
        if end <= start || self.0.get(&start).is_some_and(same) {
            return false;
        }
        self.free(start, end);
        let name = name.into();
        self.0.insert(start, Mapping { end, place, name });
        true
    }

    /// Takes away what lies in `start..end`; what juts out stays.
    fn free(&mut self, start: u64, end: u64) {
        let before = self.0.range_mut(..start).next_back();
        if let Some((_, left)) = before.filter(|(_, left)| left.end > start) {
            let right = left.clone();
            left.end = start;
            if right.end > end {
                self.0.insert(end, right);
            }
        }
        while let Some((&at, _)) = self.0.range(start..end).next() {
            let old = self.0.remove(&at).expect("it was found");
            if old.end > end {
                self.0.insert(end, old);
            }
        }
    }

    /// What is mapped at an address.
    pub(super) fn at(&self, address: u64) -> Option<&Mapping> {
        let (_, mapping) = self.0.range(..=address).next_back()?;
        (address < mapping.end).then_some(mapping)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_mappings_cover_earlier_ones() {
        let mut maps = Mappings::default();
        assert!(maps.add(100, 200, "/lib/a.so"));
        assert!(maps.add(140, 150, "/lib/b.so"));
        assert!(!maps.add(140, 150, "/other/b.so"), "the same once more");
        assert!(maps.add(190, 230, "/lib/c.so") && maps.add(220, 240, "//anon"));
        let at = |address| maps.at(address).map(|map| (&*map.name, map.place));
        let expected = [
            (99, None),
            (100, Some("a.so")),
            (139, Some("a.so")),
            (140, Some("b.so")),
            (149, Some("b.so")),
            (150, Some("a.so")),
            (189, Some("a.so")),
            (190, Some("c.so")),
            (219, Some("c.so")),
            (239, Some("anon")),
            (240, None),
        ];
        for (address, name) in expected {
            assert_eq!(at(address).map(|(name, _)| name), name, "{address}");
        }
        assert_eq!(at(230).map(|(_, place)| place), Some(Place::Jitted));
    }

    #[test]
    fn a_mapping_that_covers_all_replaces_all() {
        let mut maps = Mappings::default();
        for start in (0..1000).step_by(10) {
            maps.add(start, start + 9, "x");
        }
        assert!(maps.add(5, 2000, "y"));
        assert_eq!((maps.0.len(), maps.at(4).map(|m| &*m.name)), (2, Some("x")));
        assert_eq!(maps.at(999).map(|m| &*m.name), Some("y"));
        assert!(!maps.add(7, 7, "empty"));
    }
}
