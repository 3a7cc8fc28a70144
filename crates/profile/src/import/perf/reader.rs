//! Records become samples, losses and names.

use linux_perf_data::PerfFile;
use linux_perf_event_reader::{
    CpuMode, EventRecord, RawData, RawEventRecord, SampleFormat, SampleRecord,
};

use super::code_table::CodeTable;
use super::events::{event_name, interval_ns};
use super::symbols::Symbols;
use super::{finish, guard};
use crate::builder::Builder;
use crate::error::ImportError;
use crate::hash::Numbered;
use crate::import::Format;
use crate::model::{Clock, EventIdx, FrameIdx, Loss, Profile, Sample, StackIdx, Thread, ThreadIdx};

/// Addresses from here on are marks in a call chain.
const CONTEXT_MAX: u64 = 0xffff_ffff_ffff_f001;
const CONTEXT_KERNEL: u64 = 0xffff_ffff_ffff_ff80;
const CONTEXT_USER: u64 = 0xffff_ffff_ffff_fe00;
const RECORD_LOST_SAMPLES: u32 = 13;

/// Takes records in the order of their times.
pub(super) struct Reader {
    builder: Builder,
    symbols: Symbols,
    /// Offset from perf's clock to the epoch, where the file tells.
    epoch_offset_ns: Option<i64>,
    names: Numbered<i32, String>,
    threads: Numbered<i32, ThreadIdx>,
    /// Events of the profile by perf's number.
    events: Vec<EventIdx>,
    has_periods: bool,
    /// What perf recorded of the current sample's stack: marks and addresses.
    recorded: Vec<u64>,
}

impl Reader {
    /// A reader of the file's records, which are still to come.
    pub(super) fn new(file: &PerfFile, codes: CodeTable, merge: bool) -> Self {
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
            names: Numbered::default(),
            threads: Numbered::default(),
            events,
            has_periods: false,
            recorded: Vec::new(),
        }
    }

    /// Keeps what was read before a damage and says so; the damage itself if that is nothing.
    pub(super) fn stopped(&mut self, damage: ImportError) -> Result<(), ImportError> {
        self.builder.stopped(damage)
    }

    /// The profile of all records.
    pub(super) fn finish(self) -> Result<Profile, ImportError> {
        finish(self.builder, Format::PerfData, self.has_periods)
    }

    /// Takes a record whose lengths may be wrong.
    pub(super) fn raw(&mut self, record: &RawEventRecord<'_>, attr: usize, format: SampleFormat) {
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
        let stack = self.stack(sample);
        let thread = sample.tid.map(|tid| self.thread(tid));
        self.has_periods |= sample.period.is_some();
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

    /// The stack of a sample, read once for all that perf recorded alike.
    fn stack(&mut self, sample: &SampleRecord<'_>) -> StackIdx {
        let pid = sample.pid.unwrap_or(0);
        self.record_chain(sample);
        if let Some(known) = self.symbols.stack(pid, &self.recorded) {
            return known;
        }
        let recorded = std::mem::take(&mut self.recorded);
        let mut kernel = false;
        let mut frames = Vec::new();
        for &address in &recorded {
            if address >= CONTEXT_MAX {
                kernel = address == CONTEXT_KERNEL;
            } else {
                frames.push(self.frame(pid, address, kernel, sample.timestamp));
            }
        }
        let stack = self.builder.stack(&frames);
        self.symbols.learn(pid, &recorded, stack);
        self.recorded = recorded;
        stack
    }

    /// Marks and addresses, leaf first; without a call chain, the leaf alone.
    fn record_chain(&mut self, sample: &SampleRecord<'_>) {
        self.recorded.clear();
        self.recorded.push(match sample.cpu_mode {
            CpuMode::Kernel => CONTEXT_KERNEL,
            _ => CONTEXT_USER,
        });
        if let Some(chain) = &sample.callchain {
            let addresses = (0..chain.len()).filter_map(|at| chain.get(at));
            self.recorded.extend(addresses);
        }
        if self.recorded.iter().all(|address| *address >= CONTEXT_MAX) {
            self.recorded.truncate(1);
            self.recorded.extend(sample.ip);
        }
    }
}

fn text(data: &RawData<'_>) -> String {
    String::from_utf8_lossy(&data.as_slice()).into_owned()
}
