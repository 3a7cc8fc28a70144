//! `perf.data` files.

use std::cell::Cell;
use std::collections::HashMap;

use linux_perf_data::{AttributeDescription, Error, PerfFile, PerfFileReader, PerfFileRecord};
use linux_perf_event_reader::{
    CpuMode, EventRecord, HardwareEventId, PerfEventType, RawData, RawEventRecord, SampleFormat,
    SampleRecord, SamplingPolicy, SoftwareCounterType,
};

use super::code_table::CodeTable;
use super::source::Source;
use super::symbols::Symbols;
use super::{code_table, finish, guard};
use crate::builder::Builder;
use crate::error::ImportError;
use crate::import::{Format, Options};
use crate::model::{Clock, EventIdx, FrameIdx, Loss, Profile, Sample, Thread, ThreadIdx};

/// Addresses from here on are marks in a call chain.
const CONTEXT_MAX: u64 = 0xffff_ffff_ffff_f001;
const CONTEXT_KERNEL: u64 = 0xffff_ffff_ffff_ff80;
const RECORD_LOST_SAMPLES: u32 = 13;

/// Reads a file in perf's file format; code of the JIT compilers is named by the map or dump in `options`. Of a file
/// that breaks off, the whole records are read.
pub(in crate::import) fn import(bytes: &[u8], options: &Options) -> Result<Profile, ImportError> {
    let layout = guard::check(bytes)?;
    let at = Cell::new(0);
    let failed = |e: &Error| ImportError::damaged(Format::PerfData, at.get() as u64, expected(e));
    let source = Source::new(bytes, &layout, &at);
    let opened = if guard::is_pipe(bytes) {
        PerfFileReader::parse_pipe(source)
    } else {
        PerfFileReader::parse_file(source)
    };
    let mut damage = layout.damage;
    let opened = opened.map_err(|e| damage.take().unwrap_or_else(|| failed(&e)));
    let PerfFileReader {
        mut perf_file,
        mut record_iter,
    } = opened?;
    let (codes, codes_damage) = code_table(options)?;
    let mut reader = Reader::new(&perf_file, codes, options.merge);
    loop {
        match record_iter.next_record(&mut perf_file) {
            Ok(Some(PerfFileRecord::EventRecord { attr_index, record })) => {
                let attributes = perf_file.event_attributes();
                reader.raw(
                    &record,
                    attr_index,
                    attributes[attr_index].attr.sample_format,
                );
            }
            Ok(Some(PerfFileRecord::UserRecord(_))) => {}
            Ok(None) => break,
            Err(error) => {
                damage = Some(failed(&error));
                break;
            }
        }
    }
    for damage in damage.into_iter().chain(codes_damage) {
        reader.builder.stopped(damage)?;
    }
    finish(reader.builder, Format::PerfData, reader.has_periods)
}

/// The crate says what it could not read; that was expected.
fn expected(error: &Error) -> String {
    format!("a sound header or record was expected: {error}")
}

struct Reader {
    builder: Builder,
    symbols: Symbols,
    /// Offset from perf's clock to the epoch, where the file tells.
    epoch_offset_ns: Option<i64>,
    names: HashMap<i32, String>,
    threads: HashMap<i32, ThreadIdx>,
    /// Events of the profile by perf's number.
    events: Vec<EventIdx>,
    has_periods: bool,
}

impl Reader {
    fn new(file: &PerfFile, codes: CodeTable, merge: bool) -> Self {
        let attributes = file.event_attributes();
        let mut builder = Builder::new(Format::PerfData, "perf", &event_name(&attributes[0], 0));
        if merge {
            builder.merge_samples();
        }
        let mut events = Vec::new();
        for (at, description) in attributes.iter().enumerate() {
            let name = event_name(description, at);
            let event = builder.event(&name);
            let interval = interval_ns(&name, description.attr.sampling_policy);
            builder.head().events[event.index()].interval_ns = interval;
            events.push(event);
        }
        let clock = file.clock_data().ok().flatten();
        builder.head().version = file.perf_version().ok().flatten().map(str::to_owned);
        builder.head().clock = match clock {
            Some(_) => Clock::Epoch,
            None => Clock::Boot,
        };
        if codes.len() == 0 {
            builder.remark(
                "no perf-PID.map or jitdump was given, so code of the JIT compilers has no names",
            );
        }
        let epoch_offset_ns =
            clock.map(|c| (c.wall_clock_ns as i64).wrapping_sub(c.clockid_time_ns as i64));
        Self {
            builder,
            symbols: Symbols::new(codes),
            epoch_offset_ns,
            names: HashMap::new(),
            threads: HashMap::new(),
            events,
            has_periods: false,
        }
    }

    /// Takes a record whose lengths may be wrong.
    fn raw(&mut self, record: &RawEventRecord<'_>, attr: usize, format: SampleFormat) {
        let body = record.data.as_slice();
        let sound = guard::record_is_sound(record.record_type, record.misc, &body, format);
        match sound.then(|| record.parse()) {
            Some(Ok(parsed)) => {
                let time = record
                    .common_data()
                    .ok()
                    .and_then(|common| common.timestamp);
                self.record(&parsed, attr, time);
            }
            _ => {
                self.builder.head().incomplete = true;
                self.builder
                    .remark("some records are damaged and were left out");
            }
        }
    }

    fn record(&mut self, record: &EventRecord<'_>, attr: usize, time: Option<u64>) {
        match record {
            EventRecord::Sample(sample) => self.sample(sample, attr),
            EventRecord::Comm(comm) => {
                self.threads.remove(&comm.tid);
                self.names.insert(comm.tid, text(&comm.name));
            }
            EventRecord::Fork(fork) => self.fork(fork.tid, fork.ptid, fork.pid, fork.ppid),
            EventRecord::Mmap(map) => {
                self.symbols
                    .map(map.pid, map.address, map.length, &text(&map.path));
            }
            EventRecord::Mmap2(map) => {
                self.symbols
                    .map(map.pid, map.address, map.length, &text(&map.path));
            }
            EventRecord::Lost(lost) => self.lost(lost.count, "PERF_RECORD_LOST", time),
            EventRecord::Throttle(_) => self
                .builder
                .remark("the kernel throttled the sampling: samples are missing"),
            EventRecord::Raw(raw) if raw.record_type.0 == RECORD_LOST_SAMPLES => {
                let data = raw.data.as_slice();
                let count = data
                    .first_chunk()
                    .map_or(0, |bytes| u64::from_le_bytes(*bytes));
                self.lost(count, "PERF_RECORD_LOST_SAMPLES", time);
            }
            _ => {}
        }
    }

    fn fork(&mut self, tid: i32, parent: i32, pid: i32, parent_pid: i32) {
        self.threads.remove(&tid);
        if let Some(name) = self.names.get(&parent).cloned() {
            self.names.insert(tid, name);
        }
        if pid != parent_pid {
            self.symbols.forget(pid);
        }
    }

    fn lost(&mut self, samples: u64, reason: &str, time: Option<u64>) {
        let time_ns = time.map(|t| self.time(t));
        self.builder.loss(Loss {
            thread: None,
            time_ns,
            samples,
            reason: reason.to_owned(),
        });
    }

    fn time(&self, perf_ns: u64) -> i64 {
        (perf_ns as i64).wrapping_add(self.epoch_offset_ns.unwrap_or(0))
    }

    fn sample(&mut self, sample: &SampleRecord<'_>, attr: usize) {
        let frames = self.frames(sample);
        let thread = sample.tid.map(|tid| self.thread(tid));
        self.has_periods |= sample.period.is_some();
        let stack = self.builder.stack(&frames);
        self.builder.sample(Sample {
            thread,
            time_ns: sample.timestamp.map(|t| self.time(t)),
            weight: sample.period.unwrap_or(1) as f64,
            stack,
            event: self.events[attr],
            failure: None,
        });
    }

    fn thread(&mut self, tid: i32) -> ThreadIdx {
        let (names, builder) = (&self.names, &mut self.builder);
        *self.threads.entry(tid).or_insert_with(|| {
            builder.thread(Thread {
                name: names.get(&tid).cloned(),
                os_id: Some(tid.into()),
                java_id: None,
            })
        })
    }

    fn frame(&mut self, pid: i32, address: u64, kernel: bool, time: Option<u64>) -> FrameIdx {
        if kernel {
            return self.symbols.kernel(&mut self.builder);
        }
        self.symbols.frame(&mut self.builder, pid, address, time)
    }

    /// Leaf first; without a call chain, the leaf alone.
    fn frames(&mut self, sample: &SampleRecord<'_>) -> Vec<FrameIdx> {
        let pid = sample.pid.unwrap_or(0);
        let mut kernel = sample.cpu_mode == CpuMode::Kernel;
        let mut frames = Vec::new();
        let chain = sample
            .callchain
            .iter()
            .flat_map(|chain| (0..chain.len()).filter_map(|at| chain.get(at)));
        for address in chain {
            if address >= CONTEXT_MAX {
                kernel = address == CONTEXT_KERNEL;
            } else {
                frames.push(self.frame(pid, address, kernel, sample.timestamp));
            }
        }
        if frames.is_empty() {
            frames.extend(
                sample
                    .ip
                    .map(|ip| self.frame(pid, ip, kernel, sample.timestamp)),
            );
        }
        frames
    }
}

/// The event's name in the file, or in perf's words where a file that breaks off has lost it.
fn event_name(description: &AttributeDescription, at: usize) -> String {
    if let Some(name) = &description.name {
        return name.clone();
    }
    let name = match description.attr.type_ {
        PerfEventType::Software(SoftwareCounterType::CpuClock) => "cpu-clock",
        PerfEventType::Software(SoftwareCounterType::TaskClock) => "task-clock",
        PerfEventType::Hardware(HardwareEventId::CpuCycles, _) => "cycles",
        PerfEventType::Hardware(HardwareEventId::Instructions, _) => "instructions",
        _ => return format!("event {at}"),
    };
    name.to_owned()
}

fn text(data: &RawData<'_>) -> String {
    String::from_utf8_lossy(&data.as_slice()).into_owned()
}

/// Known for clocks, and for a frequency.
fn interval_ns(event: &str, policy: SamplingPolicy) -> Option<u64> {
    match policy {
        SamplingPolicy::Frequency(hertz) => 1_000_000_000_u64.checked_div(hertz),
        SamplingPolicy::Period(period) if event.contains("clock") => Some(period.get()),
        _ => None,
    }
}
