//! What this machine can measure, what is missing, and how to get it. Nothing is fetched or written here.

mod host;
mod tools;

use std::path::Path;

use proofmark_experiment::doctor::Check;

use super::machine::Machine;
use super::{Settings, find_jdk};

/// All checks, tools first. Whether sampling really works is for the sampler's own probe to say.
pub fn doctor(settings: &Settings) -> Vec<Check> {
    let jdk = find_jdk(settings);
    let mut checks = vec![tools::jdk(&jdk)];
    checks.extend(tools::artifacts(settings, jdk.as_ref().ok()));
    checks.push(tools::cache(settings));
    checks.push(tools::perf(settings));
    checks.extend(host::checks(Path::new("/"), &Machine::this()));
    checks
}
