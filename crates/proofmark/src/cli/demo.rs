//! The command line of `demo`.

use std::path::PathBuf;

use clap::Args;
use proofmark_jvm::Workload;

use super::workload::refused;
use crate::request::AssessRequest;

/// `demo`.
#[derive(Debug, Clone, Args)]
pub struct DemoArguments {
    /// A bundled program, such as Queens or suite:Queens.
    #[arg(default_value = "Queens")]
    pub program: String,
    /// Directory for everything that the run leaves, report.html among it [default: a new one below ~/.local/state/proofmark/runs].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Say what would be done and how long it would take, and stop.
    #[arg(long)]
    pub dry_run: bool,
}

impl DemoArguments {
    /// The demo as an assessment.
    ///
    /// # Errors
    /// When the suite has no such program.
    pub fn request(self) -> anyhow::Result<AssessRequest> {
        let name = self.program.trim_start_matches("suite:");
        let name = format!("suite:{name}");
        let workload = Workload::parse(&name, Vec::new()).map_err(refused)?;
        Ok(AssessRequest {
            dry_run: self.dry_run,
            ..AssessRequest::demo(workload, self.out)
        })
    }
}
