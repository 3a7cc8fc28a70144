//! What a perf.data file tells of its events.

use linux_perf_data::AttributeDescription;
use linux_perf_event_reader::{
    HardwareEventId, PerfEventType, SamplingPolicy, SoftwareCounterType,
};

/// The event's name in the file, or in perf's words where a file that breaks off has lost it.
pub(super) fn event_name(description: &AttributeDescription, at: usize) -> String {
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

/// Known for clocks, and for a frequency.
pub(super) fn interval_ns(event: &str, policy: SamplingPolicy) -> Option<u64> {
    match policy {
        SamplingPolicy::Frequency(hertz) => 1_000_000_000_u64.checked_div(hertz),
        SamplingPolicy::Period(period) if event.contains("clock") => Some(period.get()),
        _ => None,
    }
}
