//! The command line of `dose`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use proofmark_jvm::split_class_path;

use super::number::between;
use super::workload::program;
use crate::request::DoseRequest;

/// `dose`.
#[derive(Debug, Clone, Args)]
pub struct DoseArguments {
    /// suite:NAME, class:CLASS (its main), method:CLASS.METHOD (static, no parameters) or runnable:CLASS.
    pub workload: Option<String>,
    /// Class path of your program, for class:, method: and runnable:.
    #[arg(long, value_name = "PATH")]
    pub class_path: Option<OsString>,
    /// Your program as you start it: -- java [OPTION...] -cp PATH CLASS [ARGUMENT...]; with that java (17 to 25) and all its options.
    #[arg(last = true, value_name = "COMMAND")]
    pub java: Vec<String>,
    /// Profilers, separated by commas: async, async-cpu, async-ctimer, async-itimer, jfr, jfr-cpu (each jfr also with +nonsafepoints), safepoint.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "async,jfr,jfr+nonsafepoints",
        value_name = "NAMES"
    )]
    pub profiler: Vec<String>,
    /// Most methods that are tested.
    #[arg(long, default_value_t = 12, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=100))]
    pub methods: u16,
    /// Test this method in any case, such as com.acme.Main.run; repeatable.
    #[arg(long, value_name = "NAME")]
    pub method: Vec<String>,
    /// Error that separates right from wrong, in points of share.
    #[arg(long, default_value_t = 5.0, value_name = "POINTS", value_parser = between(0.1, 100.0), allow_negative_numbers = true)]
    pub margin: f64,
    /// Rounds of windows; each has two under the low and two under the high dose per method.
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub rounds: u16,
    /// Length of a window, s.
    #[arg(long, default_value_t = 0.3, value_name = "S", value_parser = between(0.02, 600.0), allow_negative_numbers = true)]
    pub window: f64,
    /// Time between a profiler's samples, in ms (default: 0.2 for async-profiler, 1 for JFR).
    #[arg(long, value_name = "MS", value_parser = between(0.01, 1000.0), allow_negative_numbers = true)]
    pub interval: Option<f64>,
    /// Longest that one iteration may take, in s; doses make it some times longer.
    #[arg(long, default_value_t = 60.0, value_name = "S", value_parser = between(0.1, 86_400.0), allow_negative_numbers = true)]
    pub iteration_timeout: f64,
    /// Directory for everything that the run leaves.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Seed of the order of windows.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl DoseArguments {
    /// What is asked for.
    ///
    /// # Errors
    /// When the program cannot be understood.
    pub fn request(self) -> anyhow::Result<DoseRequest> {
        let path = self.class_path.as_deref();
        let class_path = path.map(split_class_path).unwrap_or_default();
        Ok(DoseRequest {
            workload: program(self.workload.as_deref(), class_path, &self.java)?,
            command: self.java,
            profilers: self.profiler,
            methods: self.methods.into(),
            named: self.method,
            margin_pt: self.margin,
            rounds: self.rounds.into(),
            window_s: self.window,
            interval_ms: self.interval,
            iteration_timeout_s: self.iteration_timeout,
            out: self.out,
            seed: self.seed,
        })
    }
}
