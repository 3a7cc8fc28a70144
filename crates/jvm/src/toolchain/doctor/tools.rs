//! The tools: JDK, locked files, mvn, cache, perf.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use proofmark_experiment::doctor::{Check, CheckStatus};

use crate::toolchain::artifact::{in_local_repository, remedy};
use crate::toolchain::cache::{Cache, NEEDED_MB};
use crate::toolchain::error::JDK_REMEDY;
use crate::toolchain::kit::{async_profiler_entry, graal_entry};
use crate::toolchain::lock::{Artifact, Lock};
use crate::toolchain::process::run;
use crate::toolchain::{Jdk, Settings, ToolchainError};

pub(super) fn jdk(found: &Result<Jdk, ToolchainError>) -> Check {
    match found {
        Ok(jdk) => Check::ok(
            "jdk",
            format!(
                "{} ({}) at {}",
                jdk.full_version,
                jdk.vendor,
                jdk.home.display()
            ),
        ),
        Err(ToolchainError::NoJdk { seen }) if seen.is_empty() => {
            Check::missing("jdk", "no JDK at all", JDK_REMEDY)
        }
        Err(ToolchainError::NoJdk { seen }) => Check::missing("jdk", seen.join("; "), JDK_REMEDY),
        Err(ToolchainError::UnusableJdk { home, problem }) => {
            Check::missing("jdk", format!("{}: {problem}", home.display()), JDK_REMEDY)
        }
        Err(other) => Check::missing("jdk", other.to_string(), JDK_REMEDY),
    }
}

/// Graal, async-profiler, and mvn, which matters only when one of them must be fetched.
pub(super) fn artifacts(settings: &Settings, jdk: Option<&Jdk>) -> Vec<Check> {
    let lock = match Lock::committed() {
        Ok(lock) => lock,
        Err(error) => {
            return vec![Check::missing(
                "graal",
                error.to_string(),
                "restore toolchain.lock",
            )];
        }
    };
    let cache = Cache::open(settings).ok();
    let cached =
        |(name, key): (String, String)| cache.as_ref().is_some_and(|cache| cache.has(&name, &key));
    let mut checks = Vec::new();
    match jdk.map(|jdk| lock.graal_for(jdk)) {
        None => checks.push(Check::missing(
            "graal",
            "which version depends on the JDK",
            "get a JDK first",
        )),
        Some(Err(error)) => checks.push(Check::missing("graal", error.to_string(), JDK_REMEDY)),
        Some(Ok(jars)) => checks.push(locked(settings, "graal", &jars, cached(graal_entry(&jars)))),
    }
    if let Ok(jar) = lock.async_profiler() {
        let there = async_profiler_entry(&jar).is_some_and(cached);
        let mut check = locked(settings, "async-profiler", &[jar], there);
        // Only this profiler cannot be assessed then.
        check.status = check.status.min(CheckStatus::Limited);
        checks.push(check);
    }
    let to_fetch = checks.iter().any(|check| check.status != CheckStatus::Ok);
    checks.push(mvn(settings, to_fetch));
    checks
}

fn locked(settings: &Settings, name: &str, jars: &[Artifact], cached: bool) -> Check {
    let version = &jars[0].version;
    let absent: Vec<_> = jars
        .iter()
        .filter(|jar| in_local_repository(settings, jar).is_none())
        .collect();
    let megabytes = absent
        .iter()
        .map(|jar| jar.bytes)
        .sum::<u64>()
        .div_ceil(1 << 20);
    if cached {
        Check::ok(name, format!("{version}, in the cache"))
    } else if absent.is_empty() {
        Check::ok(name, format!("{version}, in the local Maven repository"))
    } else if settings.repository.is_some() || settings.on_path("mvn").is_some() {
        let detail =
            format!("{version} is not here yet: {megabytes} MB will be fetched at first use");
        Check::limited(
            name,
            detail,
            "nothing, or fetch it now by any command that measures",
        )
    } else {
        Check::missing(
            name,
            format!("{version} is not here and there is no mvn to fetch it"),
            remedy(settings),
        )
    }
}

fn mvn(settings: &Settings, to_fetch: bool) -> Check {
    match (settings.on_path("mvn"), &settings.repository, to_fetch) {
        (_, Some(base), _) => Check::ok("mvn", format!("not used: PROOFMARK_REPOSITORY is {base}")),
        (Some(mvn), None, _) => Check::ok("mvn", mvn.display().to_string()),
        (None, None, false) => Check::ok("mvn", "not on PATH, and not needed: everything is here"),
        (None, None, true) => Check::limited("mvn", "not on PATH", remedy(settings)),
    }
}

/// Can the cache be written, and is there room?
pub(super) fn cache(settings: &Settings) -> Check {
    const OTHER_PLACE: &str =
        "set XDG_CACHE_HOME to a directory that can be written, with 60 MB free";
    let Some(root) = &settings.cache else {
        return Check::missing(
            "cache",
            "neither XDG_CACHE_HOME nor HOME is set",
            OTHER_PLACE,
        );
    };
    let existing = root
        .ancestors()
        .find(|path| path.exists())
        .unwrap_or(Path::new("/"));
    if rustix::fs::access(existing, rustix::fs::Access::WRITE_OK).is_err() {
        return Check::missing(
            "cache",
            format!("{} cannot be written", existing.display()),
            OTHER_PLACE,
        );
    }
    let free = rustix::fs::statvfs(existing)
        .map_or(u64::MAX, |fs| fs.f_bavail.saturating_mul(fs.f_frsize))
        >> 20;
    let detail = format!("{}, {free} MB free", root.display());
    match free < NEEDED_MB {
        true => Check::limited("cache", detail, OTHER_PLACE),
        false => Check::ok("cache", detail),
    }
}

pub(super) fn perf(settings: &Settings) -> Check {
    const REMEDY: &str = "install your distribution's package (linux-perf, linux-tools) to assess the profiler `perf`";
    let Some(perf) = settings.on_path("perf") else {
        return Check::limited("perf-tool", "no perf on PATH", REMEDY);
    };
    match run(
        Command::new(&perf).arg("--version"),
        Duration::from_secs(10),
    ) {
        Ok(done) if done.status.success() => Check::ok(
            "perf-tool",
            format!("{} at {}", done.output.trim(), perf.display()),
        ),
        Ok(done) => {
            let first = done
                .output
                .lines()
                .find(|line| !line.trim().is_empty())
                .unwrap_or("no output")
                .to_owned();
            Check::limited(
                "perf-tool",
                format!("{} does not run: {first}", perf.display()),
                REMEDY,
            )
        }
        Err(error) => Check::limited(
            "perf-tool",
            format!("{} does not run: {error}", perf.display()),
            REMEDY,
        ),
    }
}
