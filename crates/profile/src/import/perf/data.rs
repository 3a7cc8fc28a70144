//! `perf.data` files.

use std::collections::HashMap;
use std::io::Cursor;

use linux_perf_data::{PerfFile, PerfFileReader, PerfFileRecord};
use linux_perf_event_reader::{CpuMode, EventRecord, RawData, SampleRecord, SamplingPolicy};

use super::code_table::CodeTable;
use super::{Place, code_table, finish, frame, guard};
use crate::builder::Builder;
use crate::error::ImportError;
use crate::import::{Format, Options};
use crate::model::{Clock, EventIdx, FrameIdx, Loss, Profile, Sample, Thread};

/// Addresses from here on are marks in a call chain.
const CONTEXT_MAX: u64 = 0xffff_ffff_ffff_f001;
const CONTEXT_KERNEL: u64 = 0xffff_ffff_ffff_ff80;
const RECORD_LOST_SAMPLES: u32 = 13;

/// Reads a file in perf's file format; code of the JIT compilers is named by the map or dump in `options`.
pub(in crate::import) fn import(bytes: &[u8], options: &Options) -> Result<Profile, ImportError> {
    guard::check(bytes)?;
    let failed =
        |e: &dyn std::fmt::Display| ImportError::damaged(Format::PerfData, 0, e.to_string());
    let cursor = Cursor::new(bytes);
    let opened = if guard::is_pipe(bytes) {
        PerfFileReader::parse_pipe(cursor)
    } else {
        PerfFileReader::parse_file(cursor)
    };
    let PerfFileReader {
        mut perf_file,
        mut record_iter,
    } = opened.map_err(|e| failed(&e))?;
    let mut reader = Reader::new(&perf_file, code_table(options)?);
    loop {
        match record_iter.next_record(&mut perf_file) {
            Ok(Some(PerfFileRecord::EventRecord { attr_index, record })) => {
                let time = record
                    .common_data()
                    .ok()
                    .and_then(|common| common.timestamp);
                let format = perf_file.event_attributes()[attr_index].attr.sample_format;
                let sound = guard::record_is_sound(
                    record.record_type,
                    record.misc,
                    &record.data.as_slice(),
                    format,
                );
                match sound.then(|| record.parse()) {
                    Some(Ok(parsed)) => reader.record(&parsed, attr_index, time),
                    _ => reader
                        .builder
                        .remark("some records are damaged and were left out"),
                }
            }
            Ok(Some(PerfFileRecord::UserRecord(_))) => {}
            Ok(None) => break,
            Err(e) => {
                reader.builder.head().incomplete = true;
                reader.builder.remark(format!(
                    "the file is damaged ({e}); only what comes before was read"
                ));
                break;
            }
        }
    }
    finish(reader.builder, Format::PerfData, reader.has_periods)
}

/// A mapped file of a process.
struct Mapping {
    start: u64,
    end: u64,
    place: Place,
    name: String,
}

struct Reader {
    builder: Builder,
    codes: CodeTable,
    /// Offset from perf's clock to the epoch, where the file tells.
    epoch_offset_ns: Option<i64>,
    mappings: HashMap<i32, Vec<Mapping>>,
    names: HashMap<i32, String>,
    has_periods: bool,
}

impl Reader {
    fn new(file: &PerfFile, codes: CodeTable) -> Self {
        let attributes = file.event_attributes();
        let name = |at: usize| {
            attributes[at]
                .name
                .clone()
                .unwrap_or_else(|| format!("event {at}"))
        };
        let mut builder = Builder::new(Format::PerfData, "perf", &name(0));
        for (at, description) in attributes.iter().enumerate() {
            let event = builder.event(&name(at)).index();
            builder.head().events[event].interval_ns =
                interval_ns(&name(at), description.attr.sampling_policy);
        }
        let clock = file.clock_data().ok().flatten();
        builder.head().version = file.perf_version().ok().flatten().map(str::to_owned);
        builder.head().clock = if clock.is_some() {
            Clock::Epoch
        } else {
            Clock::Boot
        };
        if codes.is_empty() {
            builder.remark(
                "no perf-PID.map or jitdump was given, so code of the JIT compilers has no names",
            );
        }
        let epoch_offset_ns =
            clock.map(|c| (c.wall_clock_ns as i64).wrapping_sub(c.clockid_time_ns as i64));
        Self {
            builder,
            codes,
            epoch_offset_ns,
            mappings: HashMap::new(),
            names: HashMap::new(),
            has_periods: false,
        }
    }

    fn record(&mut self, record: &EventRecord<'_>, attr: usize, time: Option<u64>) {
        match record {
            EventRecord::Sample(sample) => self.sample(sample, attr),
            EventRecord::Comm(comm) => _ = self.names.insert(comm.tid, text(&comm.name)),
            EventRecord::Fork(fork) => self.fork(fork.tid, fork.ptid, fork.pid, fork.ppid),
            EventRecord::Mmap(map) => self.map(map.pid, map.address, map.length, &text(&map.path)),
            EventRecord::Mmap2(map) => self.map(map.pid, map.address, map.length, &text(&map.path)),
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
        if let Some(name) = self.names.get(&parent).cloned() {
            self.names.insert(tid, name);
        }
        if pid != parent_pid {
            self.mappings.remove(&pid);
        }
    }

    fn map(&mut self, pid: i32, start: u64, len: u64, path: &str) {
        let name = path.rsplit('/').next().unwrap_or(path).to_owned();
        let mapping = Mapping {
            start,
            end: start.saturating_add(len),
            place: Place::of(path),
            name,
        };
        self.mappings.entry(pid).or_default().push(mapping);
    }

    fn lost(&mut self, samples: u64, reason: &str, time: Option<u64>) {
        let time_ns = time.map(|t| self.time(t));
        self.builder.head().losses.push(Loss {
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
        let thread = sample.tid.map(|tid| {
            let name = self.names.get(&tid).cloned();
            self.builder.thread(Thread {
                name,
                os_id: Some(tid.into()),
                java_id: None,
            })
        });
        self.has_periods |= sample.period.is_some();
        let stack = self.builder.stack(&frames);
        self.builder.sample(Sample {
            thread,
            time_ns: sample.timestamp.map(|t| self.time(t)),
            weight: sample.period.unwrap_or(1) as f64,
            stack,
            event: EventIdx(attr as u32),
            failure: None,
        });
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

    fn frame(&mut self, pid: i32, address: u64, kernel: bool, time: Option<u64>) -> FrameIdx {
        if kernel {
            return frame(&mut self.builder, "[kernel]", Place::Kernel);
        }
        if let Some(name) = self.codes.name_at(address, time) {
            return frame(&mut self.builder, name, Place::Jitted);
        }
        let maps = self.mappings.get(&pid).map_or(&[][..], Vec::as_slice);
        match maps
            .iter()
            .rev()
            .find(|m| (m.start..m.end).contains(&address))
        {
            Some(map) if map.place == Place::Jitted => {
                frame(&mut self.builder, "[unnamed generated code]", Place::Jitted)
            }
            Some(map) => frame(&mut self.builder, &map.name, map.place),
            None => frame(&mut self.builder, "[unknown]", Place::Unknown),
        }
    }
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
