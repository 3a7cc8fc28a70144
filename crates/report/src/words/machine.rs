//! Words about the machine of a test.

use proofmark_experiment::dose::MachineFacts;

use crate::names::clean;
use crate::number::count;

/// `AMD EPYC (AuthenticAMD, family 25, model 1), virtual, 2 processors, no hardware counters, Linux 6.1.0`
pub(crate) fn machine(machine: &MachineFacts) -> String {
    let kind = std::iter::once(clean(&machine.vendor)).chain(machine.numbers());
    let kind: Vec<String> = kind.filter(|part| !part.is_empty()).collect();
    let kind = Some(kind.join(", ")).filter(|kind| !kind.is_empty());
    let model = clean(machine.name());
    let name = kind.map_or_else(|| model.clone(), |kind| format!("{model} ({kind})"));
    let counters = match machine.hardware_counters {
        true => "hardware counters",
        false => "no hardware counters",
    };
    let facts = [
        Some(name),
        machine.virtual_machine.then(|| "virtual".to_owned()),
        Some(count(machine.logical_processors as u64, "processor")),
        Some(counters.to_owned()),
        Some(format!("Linux {}", clean(&machine.kernel))),
    ];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    facts.join(", ")
}
