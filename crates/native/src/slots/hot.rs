//! Where the time of a program goes, function by function, before anything is under control.

use std::collections::{BTreeMap, BTreeSet};

use super::image::Image;

/// Share of time from which a function is taken under control.
const HOT: f64 = 0.002;

/// Samples of a program by function.
#[derive(Debug, Default)]
pub(super) struct Hot {
    /// By the function's begin.
    functions: BTreeMap<u64, f64>,
    all: f64,
}

impl Hot {
    /// Adds samples at addresses of the program's file; others belong to libraries.
    pub(super) fn add(&mut self, image: &Image, addresses: impl Iterator<Item = Option<u64>>) {
        for address in addresses {
            self.all += 1.0;
            if let Some(begin) = address.and_then(|address| image.function(address)) {
                *self.functions.entry(begin).or_insert(0.0) += 1.0;
            }
        }
    }

    /// All names of the functions that are hot.
    pub(super) fn names(&self, image: &Image) -> BTreeSet<String> {
        let hot = self
            .functions
            .iter()
            .filter(|(_, samples)| **samples >= HOT * self.all);
        let names = hot.flat_map(|(begin, _)| image.names(*begin));
        names.map(str::to_owned).collect()
    }

    /// Parts of the time, 0 to 1: in functions of these names, in others of the program, elsewhere.
    pub(super) fn parts(&self, image: &Image, controlled: &BTreeSet<String>) -> [f64; 3] {
        let of = |begin: u64| image.names(begin).any(|name| controlled.contains(name));
        let (mut own, mut other) = (0.0, 0.0);
        for (begin, samples) in &self.functions {
            match of(*begin) {
                true => own += samples,
                false => other += samples,
            }
        }
        let all = self.all.max(1.0);
        [own / all, other / all, (self.all - own - other) / all]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_a_fifth_of_a_per_cent_are_hot() {
        let names = [(0, "main"), (100, "alias"), (100, "f"), (200, "g")];
        let function = |(begin, name): (u64, &str)| (begin, 100, name.to_owned());
        let image = Image {
            functions: names.map(function).to_vec(),
            ..Image::default()
        };
        let mut hot = Hot::default();
        let samples = [(50, 1), (150, 900), (250, 10)];
        for (address, count) in samples {
            hot.add(&image, std::iter::repeat_n(Some(address), count));
        }
        hot.add(&image, std::iter::repeat_n(None, 89));
        let names = ["alias", "f", "g"].map(str::to_owned);
        assert_eq!(hot.names(&image), BTreeSet::from(names));
        let parts = hot.parts(&image, &BTreeSet::from(["f".to_owned()]));
        assert_eq!(parts, [0.9, 0.011, 0.089]);
    }
}
