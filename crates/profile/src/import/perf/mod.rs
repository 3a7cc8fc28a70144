//! Linux perf: `perf.data` itself and the text of `perf script`.
//!
//! perf sees one frame per piece of machine code: what the JIT compiler has inlined is charged to the method that it
//! was inlined into. Weights are perf's periods, as in `perf report`.

mod code_table;
mod compressed;
mod data;
mod events;
mod file;
mod guard;
mod inflate;
mod mappings;
mod reader;
mod script;
mod script_header;
mod source;
mod symbols;

use crate::builder::Builder;
use crate::error::ImportError;
use crate::identity::MethodId;
use crate::import::async_words::is_vm;
use crate::import::{Format, Options};
use crate::model::{FrameIdx, FrameKind, Profile, Unit};

pub(super) use data::import as import_data;
pub(super) use script::import as import_script;
pub(super) use script_header::is_header as is_script_header;

/// Where the code of a frame lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Kernel,
    /// Code that a JIT compiler made.
    Jitted,
    /// The JVM's own library.
    Jvm,
    Native,
    /// Not told.
    Unknown,
}

impl Place {
    /// From the name of the file or region that the code is mapped from.
    fn of(dso: &str) -> Self {
        let file = dso.rsplit('/').next().unwrap_or(dso);
        let jitted = (file.starts_with("perf-") && file.ends_with(".map"))
            || (file.starts_with("jitted-") && file.ends_with(".so"))
            || matches!(dso, "//anon" | "[anon]")
            || dso.starts_with("anon_inode:")
            || dso.starts_with("[anon:");
        match file {
            _ if jitted => Self::Jitted,
            "libjvm.so" | "libgraal.so" | "libjvmcicompiler.so" => Self::Jvm,
            "[unknown]" | "" => Self::Unknown,
            _ if file.starts_with("[kernel")
                || file.starts_with("[guest.kernel")
                || file.ends_with(".ko") =>
            {
                Self::Kernel
            }
            _ if file.starts_with('[')
                && !matches!(file, "[vdso]" | "[heap]" | "[stack]" | "[vsyscall]") =>
            {
                Self::Kernel
            }
            _ => Self::Native,
        }
    }
}

/// Interns the frame of a symbol.
fn frame(builder: &mut Builder, symbol: &str, place: Place) -> FrameIdx {
    let java = match place {
        Place::Jitted => MethodId::parse(symbol),
        Place::Unknown => MethodId::parse(symbol).filter(|method| method.descriptor.is_some()),
        _ => None,
    };
    if let Some(method) = java {
        return builder.plain_frame(method, FrameKind::Jit);
    }
    let kind = match place {
        Place::Kernel => FrameKind::Kernel,
        Place::Jvm | Place::Jitted => FrameKind::Vm,
        _ if is_vm(symbol) => FrameKind::Vm,
        Place::Native => FrameKind::Native,
        Place::Unknown => FrameKind::Unknown,
    };
    builder.plain_frame(MethodId::symbol(symbol), kind)
}

/// Sets what the events that were seen tell about units, and checks that there is something.
fn finish(mut builder: Builder, format: Format, has_periods: bool) -> Result<Profile, ImportError> {
    let head = builder.head();
    if head.samples.is_empty() {
        return Err(ImportError::Empty { format });
    }
    let clock_event = head
        .events
        .first()
        .is_some_and(|e| e.name.starts_with("cpu-clock") || e.name.starts_with("task-clock"));
    head.unit = match (has_periods, clock_event) {
        (false, _) => Unit::Samples,
        (true, true) => Unit::Nanoseconds,
        (true, false) => Unit::Count,
    };
    Ok(builder.finish())
}

/// What the options say about code that was generated at run time, and what is damaged there behind what could be
/// read.
fn code_table(
    options: &Options,
) -> Result<(code_table::CodeTable, Option<ImportError>), ImportError> {
    let (mut table, mut damage) = (code_table::CodeTable::default(), None);
    if let Some(map) = &options.perf_map {
        damage = table.add_perf_map(map).err();
    }
    if let Some(dump) = &options.jitdump {
        damage = damage.or(table.add_jitdump(dump).err());
    }
    table.sort();
    match damage {
        Some(error) if table.len() == 0 => Err(error),
        damage => Ok((table, damage)),
    }
}
