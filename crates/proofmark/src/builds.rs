//! Builds of what results are measured with: the program, the JDKs, the profilers. Results of other builds are not taken for
//! those of these.

use std::collections::BTreeMap;
use std::path::Path;

use proofmark_classes::{expand_manifests, expand_wildcards};
use proofmark_jvm::toolchain::{Jdk, Settings, suite_hash};
use proofmark_jvm::{Kind, Workload};
use serde::{Deserialize, Serialize};

use crate::context::Refusal;
use crate::stamp::Stamp;

/// What of a JDK changes when it is built anew in its place.
const OF_JDK: [&str; 2] = ["lib/server/libjvm.so", "lib/modules"];

/// Builds of what a run is measured with, each as far as it is known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Builds {
    /// Everything on the program's class path, or its file; none in runs of earlier versions.
    #[serde(default)]
    program: Option<Vec<Stamp>>,
    /// JDK of the program's own JVMs; none where there are none of them.
    #[serde(default)]
    jdk: Option<JdkBuild>,
    /// JDK of the laboratory; none where there is no laboratory.
    #[serde(default)]
    laboratory: Option<JdkBuild>,
    /// Files of profilers by the profilers' names. Runs that keep them with the profilers' other options have none here.
    #[serde(default)]
    profilers: BTreeMap<String, Stamp>,
}

/// A JDK as it is now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JdkBuild {
    /// Its directory.
    home: String,
    /// Who built it, and its version.
    version: String,
    /// Its machine code and its classes.
    files: Vec<Stamp>,
}

impl Builds {
    /// Of a Java program. Of a bundled one the sources count, not the jar that each installation makes of them.
    #[must_use]
    pub fn of(workload: &Workload, settings: &Settings) -> Self {
        let program = match workload.kind {
            Kind::Suite => vec![Stamp::named("the suite", suite_hash(settings))],
            _ => {
                let paths = expand_manifests(&expand_wildcards(&workload.class_path));
                paths.iter().map(|path| Stamp::of_program(path)).collect()
            }
        };
        Builds {
            program: Some(program),
            ..Builds::default()
        }
    }

    /// Of a native program.
    #[must_use]
    pub fn of_file(program: &Path) -> Self {
        Builds {
            program: Some(vec![Stamp::of_program(program)]),
            ..Builds::default()
        }
    }

    /// The same on this JDK.
    #[must_use]
    pub fn on(self, jdk: Option<&Jdk>) -> Self {
        Builds {
            jdk: jdk.map(JdkBuild::of),
            ..self
        }
    }

    /// The same with this JDK in the laboratory.
    #[must_use]
    pub fn in_laboratory(self, jdk: Option<&Jdk>) -> Self {
        Builds {
            laboratory: jdk.map(JdkBuild::of),
            ..self
        }
    }

    /// The same with files of profilers.
    #[must_use]
    pub fn under(self, profilers: BTreeMap<String, Stamp>) -> Self {
        Builds { profilers, ..self }
    }

    /// The same, and what is only known of before.
    #[must_use]
    pub fn or(self, before: &Self) -> Self {
        let mut profilers = before.profilers.clone();
        profilers.extend(self.profilers);
        Builds {
            program: self.program.or_else(|| before.program.clone()),
            jdk: self.jdk.or_else(|| before.jdk.clone()),
            laboratory: self.laboratory.or_else(|| before.laboratory.clone()),
            profilers,
        }
    }

    /// The first that is of another build than before, in words; none if all is the same as far as both are known.
    #[must_use]
    pub fn difference(&self, before: &Self) -> Option<String> {
        let program = self.program.as_deref().zip(before.program.as_deref());
        if let Some(what) = program.and_then(|(now, before)| changed(now, before)) {
            return Some(format!("another build of the program ({what})"));
        }
        let jdks = [
            ("JDK", &self.jdk, &before.jdk),
            (
                "JDK of the laboratory",
                &self.laboratory,
                &before.laboratory,
            ),
        ];
        let jdk = jdks.into_iter().find_map(|(which, now, before)| {
            let (now, before) = (now.as_ref()?, before.as_ref()?);
            now.difference(before, which)
        });
        jdk.or_else(|| self.other_profiler(before))
    }

    fn other_profiler(&self, before: &Self) -> Option<String> {
        self.profilers.iter().find_map(|(name, now)| {
            let before = before.profilers.get(name)?;
            let what = match now.path() == before.path() {
                true => format!("{} has changed since", now.path()),
                false => format!("{} there, {} now", before.path(), now.path()),
            };
            now.differs_from(before)
                .then(|| format!("another build of {name} ({what})"))
        })
    }
}

impl JdkBuild {
    /// Of a JDK that was found.
    #[must_use]
    pub fn of(jdk: &Jdk) -> Self {
        let file = |name: &&str| Stamp::of(&jdk.home.join(name));
        JdkBuild {
            home: jdk.home.display().to_string(),
            version: format!("{} {}", jdk.vendor, jdk.full_version),
            files: OF_JDK.iter().map(file).collect(),
        }
    }

    /// In what it differs from the one of before; `which`: what it is called.
    fn difference(&self, before: &Self, which: &str) -> Option<String> {
        let words = |jdk: &JdkBuild| format!("{} in {}", jdk.version, jdk.home);
        let (there, now) = (words(before), words(self));
        if there != now {
            return Some(format!("another {which} ({there} there, {now} now)"));
        }
        let what = changed(&self.files, &before.files)?;
        Some(format!("another build of the {which} ({what})"))
    }
}

/// The first file or directory that is not what it was, with what became of it.
fn changed(now: &[Stamp], before: &[Stamp]) -> Option<String> {
    for one in now {
        match with_path(before, one.path()) {
            None => return Some(format!("{} is new", one.path())),
            Some(there) if one.differs_from(there) => {
                return Some(format!("{} has changed since", one.path()));
            }
            Some(_) => {}
        }
    }
    let mut before = before.iter();
    let gone = before.find(|one| with_path(now, one.path()).is_none())?;
    Some(format!("{} is no longer part of it", gone.path()))
}

fn with_path<'s>(all: &'s [Stamp], path: &str) -> Option<&'s Stamp> {
    all.iter().find(|one| one.path() == path)
}

/// Refuses a directory with results of other builds; `what` differs.
#[must_use]
pub fn other_builds(directory: &Path, what: &str) -> Refusal {
    Refusal::Usage(format!(
        "{} holds results of {what}: give another --out, or remove that directory; nothing was changed there",
        directory.display()
    ))
}

#[cfg(test)]
pub(crate) mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use proofmark_jvm::toolchain::jdk_of;

    use super::*;

    /// Makes a directory that looks like a JDK of this release, for which nothing has to be started.
    pub(crate) fn looks_like_jdk(home: &Path, release: &str) {
        for directory in ["bin", "lib/server"] {
            std::fs::create_dir_all(home.join(directory)).unwrap();
        }
        for tool in ["java", "javac", "jar"] {
            let file = home.join("bin").join(tool);
            std::fs::write(&file, "").unwrap();
            let executable = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(&file, executable).unwrap();
        }
        let text = format!("IMPLEMENTOR=\"Acme\"\nJAVA_VERSION=\"{release}\"\n");
        std::fs::write(home.join("release"), text).unwrap();
        std::fs::write(home.join("lib/modules"), "classes").unwrap();
    }

    fn jdk(home: &Path) -> Jdk {
        jdk_of(&Settings::default(), &home.join("bin/java")).unwrap()
    }

    /// What differs now, in words.
    fn said(now: &Builds, before: &Builds) -> String {
        now.difference(before).unwrap_or_default()
    }

    fn on_class_path(paths: &[&Path]) -> Builds {
        let paths = paths.iter().map(|path| path.to_path_buf()).collect();
        let workload = Workload::parse("class:Main", paths).unwrap();
        Builds::of(&workload, &Settings::default())
    }

    #[test]
    fn a_program_that_is_built_anew_is_another_one() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        std::fs::create_dir_all(at("classes/p")).unwrap();
        std::fs::create_dir(at("lib")).unwrap();
        for file in ["classes/p/Main.class", "lib/a.jar"] {
            std::fs::write(at(file), "one").unwrap();
        }
        let (classes, lib) = (at("classes"), at("lib/*"));
        let now = || on_class_path(&[&classes, &lib]);
        let first = now();
        assert_eq!(said(&now(), &first), "");
        let changed = |file: &str| {
            let before = now();
            std::fs::write(at(file), "longer than before").unwrap();
            said(&now(), &before)
        };
        let text = changed("classes/p/Main.class");
        let told = format!(
            "another build of the program ({} has changed since)",
            classes.display()
        );
        assert_eq!(text, told);
        assert!(changed("lib/a.jar").contains("lib/a.jar has changed since"));
        assert!(changed("lib/b.jar").contains("lib/b.jar is new"));
        let before = now();
        std::fs::remove_file(at("lib/a.jar")).unwrap();
        assert!(said(&now(), &before).contains("lib/a.jar is no longer part of it"));
        assert_eq!(said(&now(), &Builds::default()), "", "not known");
        assert_eq!(said(&Builds::default(), &first), "", "not known");
    }

    #[test]
    fn a_bundled_program_is_the_same_in_every_installation() {
        let of = |name: &str| {
            let workload = Workload::parse(name, Vec::new()).unwrap();
            Builds::of(&workload, &Settings::default())
        };
        assert_eq!(said(&of("suite:Queens"), &of("suite:Queens")), "");
        let before = Builds {
            program: Some(vec![Stamp::named("the suite", Some("other".into()))]),
            ..Builds::default()
        };
        let text = said(&of("suite:Queens"), &before);
        assert!(text.contains("the suite has changed since"), "{text}");
    }

    #[test]
    fn another_jdk_is_told_and_so_is_another_build_of_the_same() {
        let place = tempfile::tempdir().unwrap();
        let homes = ["17", "25"].map(|release| place.path().join(release));
        looks_like_jdk(&homes[0], "17.0.9");
        looks_like_jdk(&homes[1], "25.0.1");
        let [old, new] = homes.clone().map(|home| jdk(&home));
        let on = |jdk: &Jdk| Builds::default().on(Some(jdk));
        assert_eq!(said(&on(&old), &on(&old)), "");
        let text = said(&on(&new), &on(&old));
        assert!(text.starts_with("another JDK (Acme 17.0.9 in "), "{text}");
        assert!(text.contains(" there, Acme 25.0.1 in "), "{text}");
        let laboratory = |jdk: &Jdk| Builds::default().in_laboratory(Some(jdk));
        let text = said(&laboratory(&new), &laboratory(&old));
        assert!(
            text.starts_with("another JDK of the laboratory ("),
            "{text}"
        );
        assert_eq!(said(&laboratory(&new), &on(&old)), "", "not the same JVMs");
        let before = on(&old);
        std::fs::write(homes[0].join("lib/modules"), "other classes").unwrap();
        let text = said(&on(&old), &before);
        assert!(text.starts_with("another build of the JDK ("), "{text}");
        let known = Builds::default().or(&before);
        assert_eq!(known, before, "what is known once stays known");
    }

    #[test]
    fn another_build_of_a_profiler_is_told() {
        let place = tempfile::tempdir().unwrap();
        let [a, b] = ["a.so", "b.so"].map(|name| place.path().join(name));
        std::fs::write(&a, "one").unwrap();
        std::fs::write(&b, "one").unwrap();
        let with = |file: &Path| {
            let profilers = [("async".to_owned(), Stamp::of(file))];
            Builds::default().under(profilers.into())
        };
        let before = with(&a);
        assert_eq!(said(&with(&a), &before), "");
        assert_eq!(said(&with(&a), &Builds::default()), "", "not known");
        let text = said(&with(&b), &before);
        assert!(text.starts_with("another build of async ("), "{text}");
        assert!(text.contains("a.so there, "), "{text}");
        std::fs::write(&a, "longer than before").unwrap();
        let text = said(&with(&a), &before);
        assert!(text.contains("a.so has changed since"), "{text}");
    }
}
