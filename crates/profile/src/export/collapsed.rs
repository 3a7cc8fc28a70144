//! Collapsed stacks.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::model::{Frame, FrameKind, Profile};

/// The stack of samples whose frames nobody knows, where no thread is known either: a line must say something.
pub(crate) const NO_FRAMES: &str = "(no frames)";

impl Profile {
    /// Collapsed stacks with async-profiler's annotations, `[thread tid=1];a.B.c_[j];... weight`, sorted and added up.
    /// Weights become whole numbers; times, lines and losses are not kept.
    #[must_use]
    pub fn to_collapsed(&self) -> String {
        let mut lines: BTreeMap<String, f64> = BTreeMap::new();
        for sample in &self.samples {
            let mut line = String::new();
            if let Some(thread) = sample.thread.map(|t| &self.threads[t.index()]) {
                let (name, id) = (
                    thread.name.as_deref().unwrap_or(""),
                    thread.os_id.unwrap_or(0),
                );
                line.push_str(&format!("[{name} tid={id}]").replace(';', "|"));
            }
            let frames: Vec<&Frame> = self.frames_of(sample).collect();
            for frame in frames.into_iter().rev() {
                if !line.is_empty() {
                    line.push(';');
                }
                line.push_str(&self.frame_text(frame));
            }
            if line.is_empty() {
                line.push_str(NO_FRAMES);
            }
            *lines.entry(line).or_default() += sample.weight;
        }
        lines.iter().filter(|(_, weight)| **weight >= 0.5).fold(
            String::new(),
            |mut text, (line, weight)| {
                writeln!(text, "{line} {weight:.0}").expect("writing to a string");
                text
            },
        )
    }

    fn frame_text(&self, frame: &Frame) -> String {
        let method = &self.methods[frame.method.index()];
        let mark = match frame.kind {
            FrameKind::Interpreted => "_[0]",
            FrameKind::Inlined => "_[i]",
            FrameKind::Kernel => "_[k]",
            FrameKind::Jit | FrameKind::Unknown if self.is_java(frame) => "_[j]",
            _ => "",
        };
        format!("{}{mark}", method.to_string().replace(';', "|"))
    }
}
