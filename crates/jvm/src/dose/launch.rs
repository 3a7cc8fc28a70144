//! The command line of a JVM with sites.

use std::fmt::Write as _;
use std::path::Path;

use proofmark_experiment::dose::DoseKind;
use proofmark_experiment::dose::sites::{SitePlace, SiteWork, WantedSite};
use proofmark_rewrite::escaped;

use crate::launch::joined;
use crate::profilers::{Engine, ProfilerSpec};
use crate::threads::NOT_OF_THE_PROGRAM;
use crate::toolchain::DoseKit;
use crate::workload::Workload;

/// Ending of the names of profilers that are loaded into a JVM which had started, and compiled, without them: its code has
/// no debug information between safepoints but what the JVM keeps anyway.
pub const ATTACHED: &str = "+attached";

fn is_attached(profiler: Option<&ProfilerSpec>) -> bool {
    profiler.is_some_and(|spec| spec.name.ends_with(ATTACHED))
}

/// The line that tells the agent of a site with this number.
fn line(index: usize, site: &WantedSite) -> String {
    let place = match site.place {
        SitePlace::Entry => "entry".to_owned(),
        SitePlace::Loop(number) => number.to_string(),
        SitePlace::Branch(number) => format!("branch:{number}"),
        SitePlace::Watch => "watch".to_owned(),
    };
    let work = match site.work {
        SiteWork::Turns(DoseKind::Arithmetic, steps) => steps.to_string(),
        SiteWork::Turns(kind, steps) => format!("{}:{steps}", kind.name()),
        SiteWork::Count => "count".to_owned(),
    };
    let [class, method] = [&site.class, &site.method].map(|name| escaped(name));
    let gated = if site.gated { "gated:" } else { "" };
    format!("site={index}\t{class}\t{method}\t\t{gated}{place}\t{work}\n")
}

/// What the agent reads.
pub(super) fn configuration(kit: &DoseKit, sites: &[WantedSite], directory: &Path) -> String {
    let jdk = &kit.count.jdk;
    let mut text = format!(
        "task=sites\njava_home={}\nrelease={}\ndirectory={}\nexits=proofmark/harness/Exit\n",
        jdk.home.display(),
        jdk.version.feature(),
        directory.display()
    );
    for name in NOT_OF_THE_PROGRAM {
        let _ = writeln!(text, "not_program={name}");
    }
    for (index, site) in sites.iter().enumerate() {
        let _ = write!(text, "{}", line(index, site));
    }
    text
}

/// Arguments of `java`: the user's own options, the agent, the profiler's. `configuration` is the agent's file, `socket`
/// the directory of the harness's socket, where the JVM's own temporary files go too if the user does not say otherwise: the last
/// word counts.
pub(super) fn arguments(
    kit: &DoseKit,
    workload: &Workload,
    profiler: Option<&ProfilerSpec>,
    configuration: &Path,
    socket: &Path,
) -> Vec<String> {
    let mut words = vec![format!("-Djava.io.tmpdir={}", socket.display())];
    words.extend(own_options(workload));
    words.extend(debug_information(workload, profiler));
    if let Some(Engine::Async { library, .. }) = profiler.map(|spec| &spec.engine)
        && !is_attached(profiler)
    {
        // As its documentation advises: loaded at start, it turns on debug information between safepoints.
        words.push(format!("-agentpath:{}", library.display()));
    }
    words.push(format!(
        "-agentpath:{}={}",
        kit.count.agent.display(),
        configuration.display()
    ));
    words.extend([
        // Interpreted frames have the size that the harness shifts the stack by.
        "-XX:CompileCommand=quiet".to_owned(),
        "-XX:CompileCommand=exclude,proofmark.harness.StackShift::*".to_owned(),
    ]);
    words.extend(["-cp".to_owned(), class_path(kit, workload)]);
    words.extend([
        "proofmark.harness.DoseMain".to_owned(),
        socket.join("s").display().to_string(),
        workload.kind_word().to_owned(),
        workload.target.clone(),
    ]);
    words.extend(workload.arguments.iter().cloned());
    words
}

/// The user's own options. Those that unlock others come first, as the JVM wants it.
fn own_options(workload: &Workload) -> Vec<String> {
    let all = workload.left_out.iter().chain(&workload.jvm_options);
    let (unlocking, others): (Vec<&String>, Vec<&String>) =
        all.partition(|word| word.starts_with("-XX:+Unlock"));
    unlocking.into_iter().chain(others).cloned().collect()
}

/// The JVM keeps debug information between safepoints if an agent asks for compiled methods, as ours does, unless it is
/// told otherwise. So it is told, but for async-profiler, whose own agent asks for them too.
fn debug_information(workload: &Workload, profiler: Option<&ProfilerSpec>) -> Vec<String> {
    let own = workload.jvm_options.iter().chain(&workload.left_out);
    if own
        .into_iter()
        .any(|word| word.ends_with("DebugNonSafepoints"))
    {
        return Vec::new();
    }
    let flag = match profiler {
        Some(spec) if spec.debug_non_safepoints => "-XX:+DebugNonSafepoints",
        Some(spec) if matches!(spec.engine, Engine::Async { .. }) && !is_attached(profiler) => {
            return Vec::new();
        }
        _ => "-XX:-DebugNonSafepoints",
    };
    ["-XX:+UnlockDiagnosticVMOptions", flag]
        .map(str::to_owned)
        .into()
}

fn class_path(kit: &DoseKit, workload: &Workload) -> String {
    let mut entries = vec![kit.harness_jar.clone()];
    if workload.class_path.is_empty() {
        entries.push(kit.count.suite_jar.clone());
    }
    entries.extend(workload.class_path.iter().cloned());
    joined(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profilers::ProfilerOptions;
    use crate::toolchain::{CountKit, Jdk, JdkVersion};

    /// Nothing of it is there.
    fn kit() -> DoseKit {
        let jdk = Jdk {
            home: "jdk".into(),
            version: JdkVersion::parse("25.0.3").unwrap(),
            full_version: "25.0.3".into(),
            vendor: "nobody".into(),
        };
        DoseKit {
            count: CountKit {
                jdk,
                runtime_jar: "runtime.jar".into(),
                suite_jar: "suite.jar".into(),
                agent: "agent.so".into(),
            },
            harness_jar: "harness.jar".into(),
        }
    }

    #[test]
    fn the_users_temporary_directory_is_the_programs() {
        let directories = |options: &[&str]| {
            let mut workload = Workload::parse("suite:Queens", Vec::new()).unwrap();
            workload.jvm_options = options.iter().map(|&word| word.to_owned()).collect();
            let all = arguments(&kit(), &workload, None, Path::new("c"), Path::new("/own"));
            let found = all
                .iter()
                .filter_map(|word| word.strip_prefix("-Djava.io.tmpdir="));
            found.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(directories(&[]), ["/own"]);
        // The JVM takes the last one.
        assert_eq!(directories(&["-Djava.io.tmpdir=/x"]), ["/own", "/x"]);
    }

    #[test]
    fn debug_information_is_what_the_profiler_has_outside_of_this_test() {
        let mut workload = Workload::parse("suite:Queens", Vec::new()).unwrap();
        let options = ProfilerOptions {
            async_profiler: Some(("a.jar".into(), "a.so".into())),
            ..ProfilerOptions::default()
        };
        let said = |workload: &Workload, name: Option<&str>| {
            let spec = name.map(|name| ProfilerSpec::parse(name, &options).unwrap());
            debug_information(workload, spec.as_ref()).concat()
        };
        assert!(said(&workload, None).ends_with(":-DebugNonSafepoints"));
        assert!(said(&workload, Some("jfr")).ends_with(":-DebugNonSafepoints"));
        assert_eq!(said(&workload, Some("async")), "");
        let mut attached = ProfilerSpec::parse("async", &options).unwrap();
        attached.name += ATTACHED;
        let flags = debug_information(&workload, Some(&attached)).concat();
        assert!(flags.ends_with(":-DebugNonSafepoints"), "{flags}");
        workload.jvm_options.push("-XX:+DebugNonSafepoints".into());
        assert_eq!(said(&workload, Some("jfr")), "");
    }

    #[test]
    fn options_are_unlocked_before_they_are_used() {
        let mut workload = Workload::parse("suite:Queens", Vec::new()).unwrap();
        workload.left_out = vec!["-XX:+UseJVMCICompiler".into()];
        workload.jvm_options = ["-Da=b", "-XX:+UnlockExperimentalVMOptions"]
            .map(str::to_owned)
            .into();
        let [unlocking, compiler] = [&workload.jvm_options[1], &workload.left_out[0]];
        let expected = [unlocking.as_str(), compiler.as_str(), "-Da=b"];
        assert_eq!(own_options(&workload), expected);
    }

    #[test]
    fn sites_are_lines_with_all_that_the_agent_needs() {
        let site = WantedSite {
            class: "a/B".into(),
            method: "run".into(),
            place: SitePlace::Loop(2),
            work: SiteWork::Turns(DoseKind::Arithmetic, 64),
            gated: false,
        };
        assert_eq!(line(3, &site), "site=3\ta/B\trun\t\t2\t64\n");
        let gated = WantedSite {
            gated: true,
            ..site.clone()
        };
        assert_eq!(line(3, &gated), "site=3\ta/B\trun\t\tgated:2\t64\n");
        let copying = WantedSite {
            work: SiteWork::Turns(DoseKind::Copy, 8),
            ..site.clone()
        };
        assert_eq!(line(3, &copying), "site=3\ta/B\trun\t\t2\tcopy:8\n");
        let counting = WantedSite {
            place: SitePlace::Branch(3),
            work: SiteWork::Count,
            ..site
        };
        let said = "site=0\ta/B\trun\t\tbranch:3\tcount\n";
        assert_eq!(line(0, &counting), said);
        // The JVM allows such names.
        let odd = WantedSite {
            class: "a/\tB".into(),
            method: "run\n\\1".into(),
            ..counting
        };
        let said = "site=0\ta/\\tB\trun\\n\\\\1\t\tbranch:3\tcount\n";
        assert_eq!(line(0, &odd), said);
    }
}
