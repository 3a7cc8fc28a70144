//! Method names as numbers, over all profilers.

use std::collections::{BTreeMap, HashMap};

/// Numbers of method names, over all profilers.
#[derive(Debug, Default)]
pub struct Methods {
    names: Vec<String>,
    index: HashMap<String, usize>,
}

impl Methods {
    /// Number of a name; overloads become one where the profiler cannot tell them apart.
    pub(super) fn index(&mut self, name: &str, merged: bool) -> usize {
        let key = key(name, merged);
        if let Some(at) = self.index.get(&key) {
            return *at;
        }
        self.names.push(key.clone());
        self.index.insert(key, self.names.len() - 1);
        self.names.len() - 1
    }

    /// Weights in the order of the names.
    pub(super) fn list(&self, weights: &BTreeMap<String, f64>, merged: bool) -> Vec<f64> {
        let mut list = vec![0.0; self.names.len()];
        for (name, weight) in weights {
            if let Some(at) = self.index.get(&key(name, merged)) {
                list[*at] += weight;
            }
        }
        list
    }

    /// All names; lists made before the last one was added are shorter.
    pub fn names(&self) -> &[String] {
        &self.names
    }
}

fn key(name: &str, merged: bool) -> String {
    if merged {
        name.split_once('(')
            .map_or(name, |(name, _)| name)
            .to_owned()
    } else {
        name.to_owned()
    }
}
