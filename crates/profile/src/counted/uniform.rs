//! As a uniform profile.

use super::{CountFile, CountMode, ThreadKind};
use crate::builder::Builder;
use crate::error::ImportError;
use crate::import::Format;
use crate::model::{EventIdx, FrameIdx, FrameKind, Profile, Sample, Thread, Unit};

/// Frames of all stacks together: 256 MB.
const MAX_FRAMES: usize = 1 << 26;

/// Reads a file of counted bytecodes.
pub(crate) fn import(bytes: &[u8]) -> Result<Profile, ImportError> {
    CountFile::parse(bytes)?.to_profile()
}

impl CountFile {
    /// The uniform profile: a sample per context, which weighs its bytecodes. The rest after a thread's last sample has
    /// no stack and counts as failed.
    ///
    /// # Errors
    /// Where nothing was counted, or the stacks would need more than 256 MB.
    pub fn to_profile(&self) -> Result<Profile, ImportError> {
        let mut builder = Builder::new(Format::Count, "proofmark count", "bytecodes");
        builder.head().unit = Unit::Count;
        builder.head().remarks.clone_from(&self.remarks);
        if self.settings.mode == CountMode::Sampled {
            builder.remark(format!(
                "a sample each {} bytecodes, {} in all",
                self.settings.granularity,
                self.samples()
            ));
        }
        let frames: Vec<FrameIdx> = self
            .methods
            .iter()
            .map(|method| {
                let vm = method.class.is_empty();
                let kind = if vm {
                    FrameKind::Vm
                } else {
                    FrameKind::Unknown
                };
                builder.plain_frame(method.clone(), kind)
            })
            .collect();
        let mut total = 0;
        for thread in &self.threads {
            let index = builder.thread(Thread {
                name: Some(match thread.kind {
                    ThreadKind::Initialisers => "[class initialisation]".to_owned(),
                    _ => thread.name.clone(),
                }),
                ..Thread::default()
            });
            let add = |builder: &mut Builder, stack: &[FrameIdx], weight: u64, failure| {
                let stack = builder.stack(stack);
                builder.sample(Sample {
                    thread: Some(index),
                    time_ns: None,
                    weight: weight as f64,
                    stack,
                    event: EventIdx(0),
                    failure,
                });
            };
            let mut path: Vec<FrameIdx> = Vec::new();
            for context in &thread.contexts {
                path.truncate(context.depth as usize);
                path.push(frames[context.method as usize]);
                if context.bytecodes > 0 {
                    total += path.len();
                    if total > MAX_FRAMES {
                        return Err(ImportError::Missing(
                            "the contexts are too many and too deep for a list of stacks".into(),
                        ));
                    }
                    let leaf_first: Vec<FrameIdx> = path.iter().rev().copied().collect();
                    add(&mut builder, &leaf_first, context.bytecodes, None);
                }
            }
            if thread.rest > 0 {
                let reason = builder.failure("after the last sample");
                add(&mut builder, &[], thread.rest, Some(reason));
            }
        }
        if builder.head().samples.is_empty() {
            return Err(ImportError::Empty {
                format: Format::Count,
            });
        }
        Ok(builder.finish())
    }
}
