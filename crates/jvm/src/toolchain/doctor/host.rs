//! The machine: permissions, counters, processors, memory.

use std::fs;
use std::path::Path;

use proofmark_experiment::doctor::Check;

use crate::toolchain::machine::{Machine, field};

/// Heap of the workload, Graal's own heap and Proofmark need this much.
const MEMORY_WANTED: u64 = 4 << 30;
/// One processor for the workload, one for everything else.
const VCPUS_WANTED: usize = 2;
const CAP_SYS_ADMIN: u64 = 1 << 21;
const CAP_PERFMON: u64 = 1 << 38;

pub(super) fn checks(root: &Path, machine: &Machine) -> Vec<Check> {
    vec![
        perf_permission(machine.perf_event_paranoid, capabilities(root)),
        hardware_counters(machine),
        cpu(machine),
        cpu_features(machine),
        vcpus(machine),
        governor(machine),
        hypervisor(machine),
        memory(machine),
    ]
}

/// The kernel's documentation, admin-guide/sysctl/kernel.rst: from 2 on user space only; Debian and Android
/// patch in 3, Ubuntu 4, which forbid all use without privilege.
fn perf_permission(paranoid: Option<i32>, capabilities: u64) -> Check {
    const NAME: &str = "perf-permission";
    const REMEDY: &str = "sudo sysctl kernel.perf_event_paranoid=1 (to keep it: a file in /etc/sysctl.d); \
                          in a container also allow perf_event_open (--cap-add PERFMON and a seccomp profile)";
    let Some(level) = paranoid else {
        return Check::missing(
            NAME,
            "this kernel has no perf_event_open",
            "use a kernel with CONFIG_PERF_EVENTS",
        );
    };
    let privileged = capabilities & (CAP_PERFMON | CAP_SYS_ADMIN) != 0;
    let detail = format!("kernel.perf_event_paranoid={level}");
    match level {
        _ if privileged => Check::ok(
            NAME,
            format!("{detail}, and this process has CAP_PERFMON or CAP_SYS_ADMIN"),
        ),
        ..=1 => Check::ok(NAME, detail),
        2 => Check::limited(
            NAME,
            format!("{detail}: own processes, user space only"),
            REMEDY,
        ),
        3.. => Check::missing(NAME, format!("{detail}: sampling is forbidden"), REMEDY),
    }
}

fn capabilities(root: &Path) -> u64 {
    let status = fs::read_to_string(root.join("proc/self/status")).unwrap_or_default();
    field(&status, "CapEff")
        .and_then(|mask| u64::from_str_radix(mask, 16).ok())
        .unwrap_or(0)
}

fn hardware_counters(machine: &Machine) -> Check {
    match &machine.hardware_counters {
        Some(name) => Check::ok("hardware-counters", format!("event source {name}")),
        None => Check::limited(
            "hardware-counters",
            "none: samples come from the timer (cpu-clock), whose skid is corrected",
            "measure on a machine, or a virtual machine type, that shows the performance counters",
        ),
    }
}

fn cpu(machine: &Machine) -> Check {
    let detail = format!(
        "{} ({}, {})",
        machine.cpu_model, machine.cpu_vendor, machine.cpu_id
    );
    match (std::env::consts::ARCH, machine.cpu_vendor.as_str()) {
        ("x86_64", "GenuineIntel" | "AuthenticAMD") => Check::ok("cpu", detail),
        ("x86_64", _) => {
            Check::limited("cpu", detail, "results were only checked on Intel and AMD")
        }
        (other, _) => Check::missing("cpu", format!("{detail}, {other}"), "use an x86-64 machine"),
    }
}

fn cpu_features(machine: &Machine) -> Check {
    let detail = machine.cpu_features.join(" ");
    let steady = ["constant_tsc", "nonstop_tsc"]
        .iter()
        .all(|flag| machine.cpu_features.iter().any(|f| f == flag));
    match steady {
        true => Check::ok("cpu-features", detail),
        false => Check::limited(
            "cpu-features",
            format!("{detail}; no constant_tsc with nonstop_tsc, so short times are less certain"),
            "use a machine whose time stamp counter runs at a constant rate",
        ),
    }
}

fn vcpus(machine: &Machine) -> Check {
    let smt = if machine.smt == Some(true) {
        ", threads share cores"
    } else {
        ""
    };
    let detail = format!("{} usable{smt}", machine.vcpus);
    match machine.vcpus >= VCPUS_WANTED {
        true => Check::ok("vcpus", detail),
        false => Check::limited(
            "vcpus",
            format!("{detail}: compiler and collector threads disturb the workload"),
            "give this process at least 2 processors",
        ),
    }
}

fn governor(machine: &Machine) -> Check {
    match machine.governor.as_deref() {
        Some("performance") => Check::ok("governor", "performance"),
        Some(other) => Check::limited(
            "governor",
            format!("{other}: the frequency follows the load"),
            "sudo cpupower frequency-set -g performance",
        ),
        None if machine.hypervisor => Check::ok("governor", "decided by the host"),
        None => Check::limited(
            "governor",
            "not shown by this kernel",
            "fix the frequency in the firmware's set-up",
        ),
    }
}

fn hypervisor(machine: &Machine) -> Check {
    if !machine.hypervisor {
        return Check::ok("hypervisor", "none");
    }
    let maker = machine
        .made_by
        .as_deref()
        .map(|maker| format!(" ({maker})"))
        .unwrap_or_default();
    Check::limited(
        "hypervisor",
        format!("virtual machine{maker}: neighbours add noise, which intervals show"),
        "a machine of its own gives narrower intervals; nothing has to be done",
    )
}

fn memory(machine: &Machine) -> Check {
    let usable = machine.memory_limit_bytes.unwrap_or(machine.memory_bytes);
    let detail = format!("{:.1} GB", usable as f64 / f64::from(1 << 30));
    match usable >= MEMORY_WANTED {
        true => Check::ok("memory", detail),
        false => Check::limited(
            "memory",
            detail,
            "4 GB leave room for the workload's heap and for Graal",
        ),
    }
}

#[cfg(test)]
mod tests {
    use proofmark_experiment::doctor::CheckStatus as Status;

    use super::*;
    use crate::toolchain::machine::tests::tree;

    #[test]
    fn permission_follows_level_and_privilege() {
        let status = |level, capabilities| perf_permission(level, capabilities).status;
        assert_eq!([1, 2, 3, 4].map(|level| status(Some(level), 0)), {
            [
                Status::Ok,
                Status::Limited,
                Status::Missing,
                Status::Missing,
            ]
        });
        assert_eq!(status(Some(4), CAP_PERFMON), Status::Ok);
        assert_eq!(status(Some(-1), 0), Status::Ok);
        assert_eq!(status(None, CAP_SYS_ADMIN), Status::Missing);
        assert!(
            perf_permission(Some(4), 0)
                .remedy
                .contains("sysctl kernel.perf_event_paranoid=1")
        );
        let root = tree(&[("proc/self/status", "Name:\tx\nCapEff:\t0000004000000000\n")]);
        assert_eq!(capabilities(root.path()), CAP_PERFMON);
    }

    #[test]
    fn a_poor_machine_has_a_remedy_for_everything() {
        let machine = Machine {
            vcpus: 1,
            hypervisor: true,
            governor: Some("powersave".into()),
            ..Machine::default()
        };
        let checks = checks(tree(&[]).path(), &machine);
        assert_eq!(checks.len(), 8);
        for check in &checks {
            assert_ne!(check.status, Status::Ok, "{check:?}");
            assert!(
                !check.detail.is_empty() && !check.remedy.is_empty(),
                "{check:?}"
            );
        }
    }

    #[test]
    fn hybrid_processors_have_counters_too() {
        let root = tree(&[("sys/bus/event_source/devices/cpu_core/type", "4")]);
        let machine = Machine::read(root.path(), 1);
        assert_eq!(hardware_counters(&machine).status, Status::Ok);
    }
}
