//! The command line of `study`.

use clap::Subcommand;

use super::analyze::AnalyzeArguments;
use super::study_run::LiveArguments;
use crate::request::Request;

/// Commands of `study`.
#[derive(Debug, Subcommand)]
pub enum StudyCommand {
    /// Run programs under profilers, each run in a JVM of its own, and keep what they recorded.
    ///
    /// Runs are shuffled, and as many without a profiler are among them. A study that was killed goes on with the same command line.
    ///
    /// Examples:
    ///   proofmark study run --program suite:Towers,suite:Queens --profiler async,jfr,jfr+nonsafepoints --runs 10
    ///   proofmark study run --programs programs.toml --time-budget 3600 --out study
    ///   proofmark study run --dry-run -- java -cp app.jar com.acme.Main input.txt
    #[command(verbatim_doc_comment)]
    Run(Box<LiveArguments>),
    /// Say how reproducible every profiler is, and how far profilers agree, from recordings that are there already.
    ///
    /// Agreement is not accuracy: who is right, `assess` says.
    ///
    /// Inputs: a directory that `study run` made, the published study's JSON files, or recordings of
    /// any known format (see --group-by).
    ///
    /// Examples:
    ///   proofmark study analyze study-2023/ --html study.html
    ///   proofmark study analyze recordings/ --group-by '{program}/{profiler}-{run}.jfr' --format json
    #[command(verbatim_doc_comment)]
    Analyze(AnalyzeArguments),
}

impl StudyCommand {
    /// What is asked for.
    ///
    /// # Errors
    /// When a program cannot be understood.
    pub fn request(self) -> anyhow::Result<Request> {
        Ok(match self {
            Self::Run(study) => Request::StudyRun(Box::new(study.request()?)),
            Self::Analyze(analyze) => Request::StudyAnalyze(analyze.request()),
        })
    }
}
