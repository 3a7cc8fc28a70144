//! Which methods the simulated JVM compiled into one unit.

use std::collections::BTreeSet;

use super::SitedMethod;
use crate::dose::sites::{Compilation, WantedSite};

/// The method of a site, as the program names it.
pub(super) fn name_of(wanted: &WantedSite) -> String {
    format!("{}.{}", wanted.class.replace('/', "."), wanted.method)
}

/// A compilation for every method that is inlined into another one, with the sites of both.
pub(super) fn units(methods: &[SitedMethod], wanted: &[WantedSite]) -> Vec<Compilation> {
    let sites = |name: &str| -> BTreeSet<u16> {
        let all = (0..).zip(wanted);
        let of_method = all.filter(|(_, one)| name_of(one) == name);
        of_method.map(|(index, _)| index).collect()
    };
    let unit = |method: &SitedMethod| {
        let inlined = sites(&method.name);
        let mut inside = sites(method.inlined_into.as_deref()?);
        inside.extend(&inlined);
        Some(Compilation {
            ns: 0,
            inside,
            inlined,
            revealed: BTreeSet::new(),
        })
    };
    methods.iter().filter_map(unit).collect()
}
