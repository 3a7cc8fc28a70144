//! Collapsed stacks, as async-profiler and many others write them: `root;...;leaf weight`.
//!
//! async-profiler's options change the frames: `threads` puts `[name tid=1]` at the root, `sig` adds descriptors with
//! `|` in place of `;`, `ann` adds `_[j]` and the like, `dot` writes dotted classes, `total` makes weights nanoseconds.
//! Without `ann` nothing says which frames are Java; then [`looks_java`] guesses by the form of the name.

mod names;

use std::io::BufRead;

use self::names::NamedStacks;
use crate::builder::Builder;
use crate::error::ImportError;
use crate::identity::{Decoration, MethodId, strip_annotation};
use crate::import::async_words::{is_failure, is_vm};
use crate::import::text::Lines;
use crate::import::{Format, Options};
use crate::model::{
    EventIdx, FrameIdx, FrameKind, Profile, Sample, StackIdx, Thread, ThreadIdx, Unit,
};

/// The tool of stacks that say nothing of it.
const UNKNOWN_TOOL: &str = "unknown tool";
const CUT: &str = "the last line has no end, so the file may be cut there";
/// Said where nothing but the names tells what is Java.
pub(super) const GUESSED: &str = "the stacks do not say which frames are Java, so names decided; \
                       async-profiler's option `ann` tells them apart";

/// Reads collapsed stacks, with one line at a time in memory beside the distinct stacks. Lines that begin with `#` are
/// comments; lines that are no stack are left out and counted.
pub(super) fn import(source: impl BufRead, options: &Options) -> Result<Profile, ImportError> {
    let mut reader = Reader {
        stacks: NamedStacks::new(options.merge),
        read: 0,
        skipped: 0,
        first: None,
    };
    let mut lines = Lines::new(source, options.max_unpacked);
    while let Some(line) = lines.next_line()? {
        if line.text.trim().is_empty() || line.text.starts_with('#') {
            continue;
        }
        match reader.line(&line.text) {
            Ok(()) => reader.read += 1,
            Err(what) => reader.skip(ImportError::line(Format::Collapsed, &line, what)),
        }
    }
    reader.finish(options, lines.is_cut())
}

/// True if frames tell by async-profiler's marks how their code ran.
pub(super) fn is_annotated(bytes: &[u8]) -> bool {
    let marks: [&[u8]; 4] = [b"_[j]", b"_[i]", b"_[0]", b"_[1]"];
    bytes.windows(4).any(|four| marks.contains(&four))
}

struct Reader {
    stacks: NamedStacks,
    /// Lines that are stacks.
    read: u64,
    /// Lines that are none.
    skipped: u64,
    /// What is wrong with the first of them.
    first: Option<ImportError>,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let (stack, weight) = line
            .rsplit_once(' ')
            .ok_or("`frame;frame;frame weight` was expected, and there is no weight")?;
        let weight: u64 = weight
            .parse()
            .map_err(|_| format!("a whole number was expected as weight, not {weight:?}"))?;
        // Nothing at all is the stack of a sample whose frames nobody knows, as our own export once wrote it.
        if stack.contains(';') && stack.split(';').all(str::is_empty) {
            return Err(format!("frames were expected, not {stack:?}"));
        }
        self.stacks.add(stack, weight as f64);
        Ok(())
    }

    fn skip(&mut self, error: ImportError) {
        self.skipped += 1;
        self.first.get_or_insert(error);
    }

    /// A file of which most lines are no stacks is something else. `cut`: its last line has no end.
    fn finish(self, options: &Options, cut: bool) -> Result<Profile, ImportError> {
        let annotated = self.stacks.annotated();
        // Only async-profiler marks frames so; other stacks can be of any tool.
        let tool = if annotated {
            "async-profiler"
        } else {
            UNKNOWN_TOOL
        };
        let mut builder = Builder::new(Format::Collapsed, tool, "cpu");
        if options.merge {
            builder.merge_samples();
        }
        self.stacks.give(&mut builder);
        if cut {
            builder.remark(CUT);
        }
        if let Some(first) = self.first {
            if self.skipped > self.read {
                return Err(first);
            }
            let (skipped, all) = (self.skipped, self.skipped + self.read);
            builder.head().incomplete = true;
            builder.remark(format!(
                "{skipped} of {all} lines are no stacks and were left out; the first is {}",
                first.place()
            ));
        }
        if !annotated {
            builder.remark(GUESSED);
        }
        let head = builder.head();
        if head.samples.is_empty() {
            return Err(ImportError::Empty {
                format: Format::Collapsed,
            });
        }
        head.unit = options.unit.unwrap_or(Unit::Samples);
        Ok(builder.finish())
    }
}

/// A stack in async-profiler's words, understood.
#[derive(Clone, Copy)]
pub(super) struct Walked {
    stack: StackIdx,
    failure: Option<u32>,
}

impl Walked {
    /// Adds a sample of this stack.
    pub(super) fn add(
        self,
        builder: &mut Builder,
        (thread, event): (Option<ThreadIdx>, EventIdx),
        weight: f64,
    ) {
        builder.sample(Sample {
            thread,
            time_ns: None,
            weight,
            stack: self.stack,
            event,
            failure: self.failure,
        });
    }
}

/// Interns a stack; `names` is leaf first.
pub(super) fn stack_of(builder: &mut Builder, names: &[&str], annotated: bool) -> Walked {
    let failure = failure_of(builder, names.first().copied());
    let frames = names.iter().map(|name| frame(builder, name, annotated));
    let frames: Vec<FrameIdx> = frames.collect();
    Walked {
        stack: builder.stack(&frames),
        failure,
    }
}

/// Why a stack with this leaf could not be walked, if the leaf says so.
fn failure_of(builder: &mut Builder, leaf: Option<&str>) -> Option<u32> {
    leaf.filter(|name| is_failure(name))
        .map(|name| builder.failure(name))
}

/// Interns a frame in async-profiler's words.
pub(super) fn frame(builder: &mut Builder, name: &str, annotated: bool) -> FrameIdx {
    let (plain, decoration) = strip_annotation(name);
    let kind = match decoration {
        Some(Decoration::Java(kind)) => kind,
        Some(Decoration::Kernel) => FrameKind::Kernel,
        None if !annotated && looks_java(plain) => FrameKind::Unknown,
        None if is_vm(plain) => FrameKind::Vm,
        None => FrameKind::Native,
    };
    let java = !matches!(kind, FrameKind::Kernel | FrameKind::Vm | FrameKind::Native);
    let method = java.then(|| MethodId::parse(plain)).flatten();
    builder.plain_frame(method.unwrap_or_else(|| MethodId::symbol(plain)), kind)
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
