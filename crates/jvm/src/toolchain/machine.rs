//! The machine that measures, as reports describe it. Read from /proc and /sys; what is not there is left out.

use std::fs;
use std::path::Path;

use proofmark_experiment::dose::MachineFacts;
use serde::{Deserialize, Serialize};

/// Features that decide what can be measured, out of the hundred that a processor lists.
const FEATURES: [&str; 10] = [
    "constant_tsc",
    "nonstop_tsc",
    "rdtscp",
    "tsc_known_freq",
    "arch_perfmon",
    "pdcm",
    "avx2",
    "avx512f",
    "ibs",
    "perfmon_v2",
];

/// A machine, for reports and for comparing results.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// `Intel(R) Xeon(R) Processor`
    pub cpu_model: String,
    /// `GenuineIntel`, `AuthenticAMD`
    pub cpu_vendor: String,
    /// Family, model and stepping, the processor's real name: `6-207-2`.
    pub cpu_id: String,
    /// Features that matter for measuring, as the kernel names them.
    pub cpu_features: Vec<String>,
    /// Processors that this process may use.
    pub vcpus: usize,
    /// Threads share cores.
    pub smt: Option<bool>,
    /// Frequency governor of the first processor; absent where the machine does not show it.
    pub governor: Option<String>,
    /// The source of events with the processor's counters, as the kernel names it; absent where it shows none.
    pub hardware_counters: Option<String>,
    /// `6.1.0-18-amd64`
    pub kernel: String,
    /// The processor says that it is virtual.
    pub hypervisor: bool,
    /// Who makes the (virtual) machine, as far as it says so.
    pub made_by: Option<String>,
    /// Memory of the machine.
    pub memory_bytes: u64,
    /// What of it processes can have now, of the control group's limit at most; not kept, because it changes.
    #[serde(skip)]
    pub available_bytes: u64,
    /// Limit of the control group, where one is set below the machine's memory.
    pub memory_limit_bytes: Option<u64>,
    /// `kernel.perf_event_paranoid`
    pub perf_event_paranoid: Option<i32>,
}

/// Processors that this process may use, 1 at least.
#[must_use]
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl Machine {
    /// The machine that this process runs on.
    pub fn this() -> Self {
        Self::read(Path::new("/"), processors())
    }

    pub(crate) fn read(root: &Path, vcpus: usize) -> Self {
        let text = |path: &str| {
            fs::read_to_string(root.join(path))
                .ok()
                .map(|text| text.trim().to_owned())
        };
        let cpuinfo = text("proc/cpuinfo").unwrap_or_default();
        let cpu = |key: &str| field(&cpuinfo, key).unwrap_or_default().to_owned();
        let flags = cpu("flags");
        let has = |flag: &str| flags.split(' ').any(|f| f == flag);
        let meminfo = text("proc/meminfo").unwrap_or_default();
        let memory = |key: &str| field(&meminfo, key).map_or(0, kilobytes);
        let memory_bytes = memory("MemTotal");
        let limit = memory_limit(root).filter(|limit| *limit < memory_bytes);
        Machine {
            cpu_model: cpu("model name"),
            cpu_vendor: cpu("vendor_id"),
            cpu_id: format!("{}-{}-{}", cpu("cpu family"), cpu("model"), cpu("stepping")),
            cpu_features: FEATURES
                .iter()
                .filter(|flag| has(flag))
                .map(|flag| (*flag).to_owned())
                .collect(),
            vcpus,
            smt: text("sys/devices/system/cpu/smt/active").map(|active| active == "1"),
            governor: text("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            hardware_counters: hardware_counters(root),
            kernel: text("proc/sys/kernel/osrelease").unwrap_or_default(),
            hypervisor: has("hypervisor"),
            made_by: text("sys/class/dmi/id/sys_vendor").or_else(|| text("sys/hypervisor/type")),
            memory_bytes,
            available_bytes: memory("MemAvailable").min(limit.unwrap_or(u64::MAX)),
            memory_limit_bytes: limit,
            perf_event_paranoid: text("proc/sys/kernel/perf_event_paranoid")
                .and_then(|value| value.parse().ok()),
        }
    }

    /// What results say of it.
    #[must_use]
    pub fn facts(&self) -> MachineFacts {
        let mut numbers = self.cpu_id.split('-').map(|one| one.parse::<u32>().ok());
        let [family, model] = [numbers.next(), numbers.next()].map(Option::flatten);
        MachineFacts {
            model_name: self.cpu_model.clone(),
            vendor: self.cpu_vendor.clone(),
            family,
            model,
            logical_processors: self.vcpus,
            hardware_counters: self.hardware_counters.is_some(),
            kernel: self.kernel.clone(),
            virtual_machine: self.hypervisor,
        }
    }
}

/// As its facts are said in a line.
impl std::fmt::Display for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.facts())
    }
}

/// Processors with two kinds of cores have `cpu_core` and `cpu_atom` instead of `cpu`.
fn hardware_counters(root: &Path) -> Option<String> {
    let devices = root.join("sys/bus/event_source/devices");
    let mut sources = ["cpu", "cpu_core"].into_iter();
    let found = sources.find(|name| devices.join(name).exists());
    found.map(str::to_owned)
}

/// The first `key : value` line of /proc/cpuinfo or /proc/meminfo.
pub(crate) fn field<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let pairs = text.lines().filter_map(|line| line.split_once(':'));
    pairs
        .filter(|(name, _)| name.trim() == key)
        .map(|(_, value)| value.trim())
        .next()
}

fn kilobytes(value: &str) -> u64 {
    value
        .trim_end_matches(" kB")
        .trim()
        .parse::<u64>()
        .unwrap_or(0)
        * 1024
}

/// The limit of this process's own control group, versions 2 and 1.
fn memory_limit(root: &Path) -> Option<u64> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
    let limits = groups.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, path) = (
            parts.next()?,
            parts.next()?,
            parts.next()?.trim_start_matches('/'),
        );
        let file = match controllers {
            "" => root.join("sys/fs/cgroup").join(path).join("memory.max"),
            "memory" => root
                .join("sys/fs/cgroup/memory")
                .join(path)
                .join("memory.limit_in_bytes"),
            _ => return None,
        };
        fs::read_to_string(file).ok()?.trim().parse().ok()
    });
    limits.min()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A machine made of files.
    pub(crate) fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let file = root.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        root
    }

    #[test]
    fn a_virtual_machine_is_described() {
        let root = tree(&[
            (
                "proc/cpuinfo",
                "vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 1\nmodel name\t: EPYC\nstepping\t: 2\n\
                 flags\t\t: fpu constant_tsc hypervisor\nvendor_id : second\n",
            ),
            (
                "proc/meminfo",
                "MemTotal:        2048 kB\nMemAvailable:    1536 kB\n",
            ),
            ("proc/sys/kernel/osrelease", "6.1.0\n"),
            ("proc/sys/kernel/perf_event_paranoid", "-1\n"),
            ("proc/self/cgroup", "4:memory:/a\n0::/b\n"),
            ("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "1048576\n"),
            ("sys/fs/cgroup/b/memory.max", "max\n"),
            (
                "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
                "powersave\n",
            ),
            ("sys/bus/event_source/devices/cpu/type", "4\n"),
        ]);
        let machine = Machine::read(root.path(), 2);
        let expected = Machine {
            cpu_model: "EPYC".into(),
            cpu_vendor: "AuthenticAMD".into(),
            cpu_id: "25-1-2".into(),
            cpu_features: vec!["constant_tsc".into()],
            vcpus: 2,
            smt: None,
            governor: Some("powersave".into()),
            hardware_counters: Some("cpu".into()),
            kernel: "6.1.0".into(),
            hypervisor: true,
            made_by: None,
            memory_bytes: 2 << 20,
            available_bytes: 1 << 20,
            memory_limit_bytes: Some(1 << 20),
            perf_event_paranoid: Some(-1),
        };
        assert_eq!(machine, expected);
        let back: Machine =
            serde_json::from_str(&serde_json::to_string(&machine).unwrap()).unwrap();
        let kept = Machine {
            available_bytes: 0,
            ..machine
        };
        assert_eq!(back, kept);
    }

    /// Two kinds of processors have one name.
    #[test]
    fn results_tell_processors_of_one_name_apart() {
        let of = |model: &str| {
            let cpu = format!(
                "vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: {model}\nmodel name\t: AMD EPYC\n\
                 stepping\t: 1\nflags\t\t: fpu hypervisor\n"
            );
            let root = tree(&[
                ("proc/cpuinfo", cpu.as_str()),
                ("proc/sys/kernel/osrelease", "6.1.0\n"),
            ]);
            Machine::read(root.path(), 2)
        };
        let (zen_3, zen_4) = (of("1"), of("17"));
        let line = "AMD EPYC (family 25, model 1), 2 vCPU, Linux 6.1.0";
        assert_eq!(zen_3.to_string(), line);
        let line = "AMD EPYC (family 25, model 17), 2 vCPU, Linux 6.1.0";
        assert_eq!(zen_4.to_string(), line);
        let expected = MachineFacts {
            model_name: "AMD EPYC".into(),
            vendor: "AuthenticAMD".into(),
            family: Some(25),
            model: Some(1),
            logical_processors: 2,
            hardware_counters: false,
            kernel: "6.1.0".into(),
            virtual_machine: true,
        };
        assert_eq!(zen_3.facts(), expected);
        let other = MachineFacts {
            model: Some(17),
            ..expected
        };
        assert_eq!(zen_4.facts(), other);
    }

    /// ARM's kernel shows neither name nor family and model.
    #[test]
    fn a_processor_without_family_and_model_is_described() {
        let root = tree(&[
            (
                "proc/cpuinfo",
                "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n",
            ),
            ("proc/sys/kernel/osrelease", "6.1.0\n"),
        ]);
        let arm = Machine::read(root.path(), 4);
        assert_eq!((arm.facts().family, arm.facts().model), (None, None));
        let line = "unknown processor, 4 vCPU, Linux 6.1.0";
        assert_eq!(arm.to_string(), line);
    }

    #[test]
    fn an_empty_tree_is_no_panic() {
        let empty = Machine::read(tree(&[]).path(), 1);
        assert_eq!(empty.memory_bytes, 0);
        assert_eq!((empty.facts().family, empty.facts().model), (None, None));
        assert!(!Machine::this().kernel.is_empty());
    }
}
