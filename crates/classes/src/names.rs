//! Which number stands for which method.

use std::collections::HashMap;
use std::fmt::Write as _;

use proofmark_rewrite::{MethodIds, escaped};

/// Method ids in the order in which they were asked for, from 1.
#[derive(Debug, Default)]
pub struct Names {
    ids: HashMap<(String, String, String), u32>,
    methods: Vec<(String, String, String)>,
}

impl MethodIds for Names {
    fn id(&mut self, class: &str, name: &str, descriptor: &str) -> u32 {
        let method = (class.to_owned(), name.to_owned(), descriptor.to_owned());
        let next = self.methods.len() as u32 + 1;
        *self.ids.entry(method).or_insert_with_key(|method| {
            self.methods.push(method.clone());
            next
        })
    }
}

impl Names {
    /// Number of methods.
    #[must_use]
    pub fn len(&self) -> usize {
        self.methods.len()
    }

    /// True if nobody asked for an id.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.methods.is_empty()
    }

    /// The lines `method` of a file of counted bytecodes.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (at, (class, name, descriptor)) in self.methods.iter().enumerate() {
            let [class, name, descriptor] = [class, name, descriptor].map(|part| escaped(part));
            writeln!(text, "method\t{}\t{class}\t{name}\t{descriptor}", at + 1)
                .expect("writing to a string");
        }
        text
    }
}
