//! Collapsed stacks, as async-profiler and many others write them: `root;...;leaf weight`.
//!
//! async-profiler's options change the frames: `threads` puts `[name tid=1]` at the root, `sig` adds descriptors with
//! `|` in place of `;`, `ann` adds `_[j]` and the like, `dot` writes dotted classes, `total` makes weights nanoseconds.
//! Without `ann` nothing says which frames are Java; then [`looks_java`] guesses by the form of the name.

use crate::builder::Builder;
use crate::error::ImportError;
use crate::identity::{Decoration, MethodId, strip_annotation};
use crate::import::async_words::{is_failure, is_vm};
use crate::import::{Format, Options};
use crate::model::{FrameIdx, FrameKind, Profile, Sample, Thread, ThreadIdx, Unit};

const GUESSED: &str = "the stacks do not say which frames are Java, so names decided; \
                       async-profiler's option `ann` tells them apart";

/// Reads collapsed stacks; a line that is none is an error.
pub(super) fn import(bytes: &[u8], options: &Options) -> Result<Profile, ImportError> {
    let text = String::from_utf8_lossy(bytes);
    let annotated = ["_[j]", "_[i]", "_[0]", "_[1]"]
        .iter()
        .any(|mark| text.contains(mark));
    let mut reader = Reader {
        builder: Builder::new(Format::Collapsed, "async-profiler", "cpu"),
        annotated,
    };
    for (at, line) in text.lines().enumerate() {
        if !line.trim().is_empty() {
            reader
                .line(line)
                .map_err(|what| ImportError::line(Format::Collapsed, at + 1, what))?;
        }
    }
    reader.finish(options)
}

struct Reader {
    builder: Builder,
    annotated: bool,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let (stack, weight) = line.rsplit_once(' ').ok_or("no weight after the stack")?;
        let weight: u64 = weight
            .parse()
            .map_err(|_| format!("{weight:?} is no weight"))?;
        let mut names: Vec<&str> = stack.split(';').collect();
        let thread = names
            .first()
            .and_then(|name| thread_frame(name))
            .map(|t| self.builder.thread(t));
        if thread.is_some() {
            names.remove(0);
        }
        self.stack(&names, thread, weight as f64);
        Ok(())
    }

    fn stack(&mut self, names: &[&str], thread: Option<ThreadIdx>, weight: f64) {
        let failure = names
            .last()
            .filter(|name| is_failure(name))
            .map(|name| self.builder.failure(name));
        let frames: Vec<FrameIdx> = names.iter().rev().map(|name| self.frame(name)).collect();
        let stack = self.builder.stack(&frames);
        let event = self.builder.event("cpu");
        self.builder.sample(Sample {
            thread,
            time_ns: None,
            weight,
            stack,
            event,
            failure,
        });
    }

    fn frame(&mut self, name: &str) -> FrameIdx {
        let (plain, decoration) = strip_annotation(name);
        let kind = match decoration {
            Some(Decoration::Java(kind)) => kind,
            Some(Decoration::Kernel) => FrameKind::Kernel,
            None if !self.annotated && looks_java(plain) => FrameKind::Unknown,
            None if is_vm(plain) => FrameKind::Vm,
            None => FrameKind::Native,
        };
        let java = !matches!(kind, FrameKind::Kernel | FrameKind::Vm | FrameKind::Native);
        let method = java.then(|| MethodId::parse(plain)).flatten();
        self.builder
            .plain_frame(method.unwrap_or_else(|| MethodId::symbol(plain)), kind)
    }

    fn finish(mut self, options: &Options) -> Result<Profile, ImportError> {
        if !self.annotated {
            self.builder.remark(GUESSED);
        }
        let head = self.builder.head();
        if head.samples.is_empty() {
            return Err(ImportError::Empty {
                format: Format::Collapsed,
            });
        }
        head.unit = options.unit.unwrap_or(Unit::Samples);
        head.overloads_merged = head.methods.iter().all(|m| m.descriptor.is_none());
        Ok(self.builder.finish())
    }
}

/// `[name tid=123]`.
pub(super) fn thread_frame(frame: &str) -> Option<Thread> {
    let (name, id) = frame
        .strip_prefix('[')?
        .strip_suffix(']')?
        .rsplit_once(" tid=")?;
    Some(Thread {
        name: Some(name.to_owned()),
        os_id: Some(id.parse().ok()?),
        java_id: None,
    })
}

/// True for `a/b/C.m`, `C.m` and either with a descriptor; false for C++ and for compilers' local copies of C functions.
pub(super) fn looks_java(name: &str) -> bool {
    const NATIVE_ENDINGS: [&str; 7] = [
        ".cold",
        ".part",
        ".so",
        ".llvm",
        ".dylib",
        ".lto_priv",
        ".plt",
    ];
    let head = name.split('(').next().unwrap_or(name);
    !head.contains("::")
        && !head.contains(' ')
        && !NATIVE_ENDINGS.iter().any(|ending| head.ends_with(ending))
        && MethodId::parse(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thread_names_may_hold_brackets() {
        let thread = thread_frame("[helper [1] tid=77]").expect("a thread");
        assert_eq!(
            (thread.name.as_deref(), thread.os_id),
            (Some("helper [1]"), Some(77))
        );
        assert_eq!(thread_frame("[unknown_Java]"), None);
    }

    #[test]
    fn guesses() {
        for java in [
            "java/lang/Thread.run",
            "Work.main",
            "Work$$Lambda.0x00a1.run",
            "A.<init>",
            "a/B.c(I|)V",
        ] {
            assert!(looks_java(java) || java.contains('|'), "{java}");
        }
        for native in [
            "Thread::call_run",
            "start_thread",
            "foo.part.0",
            "memset.cold",
            "libc.so",
            "[vdso]",
            "_Z3foov",
        ] {
            assert!(!looks_java(native), "{native}");
        }
    }
}
