//! One form for all files of the same content.

use std::collections::{BTreeMap, BTreeSet};

use super::{Context, CountFile, CountThread, ThreadKind};
use crate::identity::MethodId;

/// What threads are put together by: virtual threads of one name are one.
type Key = (ThreadKind, String, bool);

impl CountFile {
    /// The same content in one order: methods and, below each context, callees sorted by name; contexts of one
    /// method under one caller are one; methods that no context names and threads that counted nothing are gone;
    /// virtual threads of one name are added up; threads sorted by kind, name and content.
    #[must_use]
    pub fn canonical(&self) -> Self {
        let used: BTreeSet<&MethodId> = self
            .threads
            .iter()
            .flat_map(|thread| &thread.contexts)
            .map(|context| &self.methods[context.method as usize])
            .collect();
        let methods: Vec<MethodId> = used.into_iter().cloned().collect();
        let rank = |method: u32| {
            let found = methods.binary_search(&self.methods[method as usize]);
            found.expect("every used method is in the table") as u32
        };
        let mut threads: Vec<CountThread> = grouped(&self.threads)
            .into_iter()
            .map(|group| merged(&group, &rank))
            .collect();
        threads.sort_by(|a, b| order(a).cmp(&order(b)));
        Self {
            settings: self.settings,
            methods,
            threads,
            remarks: self.remarks.clone(),
        }
    }
}

type Order<'a> = (
    ThreadKind,
    &'a str,
    bool,
    u64,
    u64,
    u64,
    Vec<(u32, u32, u64)>,
);

fn order(thread: &CountThread) -> Order<'_> {
    let contexts = thread.contexts.iter();
    (
        thread.kind,
        &thread.name,
        thread.ended,
        thread.bytecodes,
        thread.samples,
        thread.rest,
        contexts.map(|c| (c.depth, c.method, c.bytecodes)).collect(),
    )
}

fn grouped(threads: &[CountThread]) -> Vec<Vec<&CountThread>> {
    let mut groups: Vec<Vec<&CountThread>> = Vec::new();
    let mut virtual_ones: BTreeMap<Key, Vec<&CountThread>> = BTreeMap::new();
    for thread in threads.iter().filter(|thread| thread.bytecodes > 0) {
        match thread.kind {
            ThreadKind::Platform => groups.push(vec![thread]),
            ThreadKind::Virtual | ThreadKind::Initialisers => virtual_ones
                .entry((thread.kind, thread.name.clone(), thread.ended))
                .or_default()
                .push(thread),
        }
    }
    groups.extend(virtual_ones.into_values());
    groups
}

/// Several threads as one, its contexts sorted.
fn merged(group: &[&CountThread], rank: &dyn Fn(u32) -> u32) -> CountThread {
    let mut tree = Tree::default();
    for thread in group {
        let mut places = Vec::with_capacity(thread.contexts.len());
        for context in &thread.contexts {
            let parent = context.parent.map_or(0, |parent| places[parent as usize]);
            let place = tree.child(parent, rank(context.method));
            tree.nodes[place].bytecodes += context.bytecodes;
            tree.nodes[place].samples += context.samples;
            places.push(place);
        }
    }
    let first = group[0];
    let sum = |of: fn(&CountThread) -> u64| group.iter().map(|thread| of(thread)).sum();
    CountThread {
        kind: first.kind,
        ended: first.ended,
        bytecodes: sum(|t| t.bytecodes),
        samples: sum(|t| t.samples),
        rest: sum(|t| t.rest),
        lost: sum(|t| t.lost),
        name: first.name.clone(),
        contexts: tree.preorder(),
    }
}

#[derive(Default)]
struct Node {
    bytecodes: u64,
    samples: u64,
    children: BTreeMap<u32, usize>,
}

/// Node 0 stands above the roots.
struct Tree {
    nodes: Vec<Node>,
}

impl Default for Tree {
    fn default() -> Self {
        Self {
            nodes: vec![Node::default()],
        }
    }
}

impl Tree {
    fn child(&mut self, parent: usize, method: u32) -> usize {
        let next = self.nodes.len();
        let place = *self.nodes[parent].children.entry(method).or_insert(next);
        if place == next {
            self.nodes.push(Node::default());
        }
        place
    }

    fn preorder(&self) -> Vec<Context> {
        let mut contexts = Vec::with_capacity(self.nodes.len() - 1);
        // (node, method, parent's place in the result, depth), next one last
        let mut open: Vec<(usize, u32, Option<u32>, u32)> = Vec::new();
        let push = |open: &mut Vec<_>, node: usize, parent, depth| {
            let children = self.nodes[node].children.iter().rev();
            open.extend(children.map(|(&method, &child)| (child, method, parent, depth)));
        };
        push(&mut open, 0, None, 0);
        while let Some((node, method, parent, depth)) = open.pop() {
            let place = contexts.len() as u32;
            contexts.push(Context {
                parent,
                depth,
                method,
                bytecodes: self.nodes[node].bytecodes,
                samples: self.nodes[node].samples,
            });
            push(&mut open, node, Some(place), depth + 1);
        }
        contexts
    }
}
