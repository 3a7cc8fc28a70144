//! Bytecodes counted one by one: the JVM sends an event before each. Some thousand times slower than rewriting, with
//! nothing in common with it, and so an oracle for it.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Mutex;

use proofmark_rewrite::escaped;

use crate::jvmti::MethodPointer;

/// Bytecodes per method.
#[derive(Default)]
pub(crate) struct Steps(Mutex<HashMap<MethodPointer, u64>>);

impl Steps {
    pub(crate) fn count(&self, method: MethodPointer) {
        let mut counts = self
            .0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        *counts.entry(method).or_default() += 1;
    }

    /// Lines `bytecodes class name descriptor`, with tabs, in no order.
    pub(crate) fn report(
        &self,
        name: impl Fn(MethodPointer) -> Option<(String, String, String)>,
    ) -> String {
        let counts = self
            .0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut text = String::new();
        for (&method, count) in counts.iter() {
            let (class, name, descriptor) = name(method).unwrap_or_default();
            let [class, name, descriptor] = [class, name, descriptor].map(|part| escaped(&part));
            let _ = writeln!(text, "{count}\t{class}\t{name}\t{descriptor}");
        }
        text
    }
}
