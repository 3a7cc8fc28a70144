//! Where bad arguments are tried: files, a home directory, and a JDK that records that it was started.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Files for bad arguments, a home directory, and a JDK that records that it was started.
pub struct Scene {
    pub place: tempfile::TempDir,
}

impl Scene {
    /// All of them, in a place of its own.
    pub fn new() -> Self {
        let scene = Scene {
            place: tempfile::tempdir().unwrap(),
        };
        let at = |name: &str| scene.at(name);
        let directories = [
            "home",
            "tmp",
            "full",
            "mine",
            "kinds/copy",
            "run",
            "classes/p",
            "jdk/bin",
            "bench/META-INF",
        ];
        for directory in directories {
            std::fs::create_dir_all(at(directory)).unwrap();
        }
        for (name, text) in [
            ("file", "text"),
            ("full/x", ""),
            ("mine/report.html", "mine"),
            ("kinds/copy/dose.json", "{}"),
            ("classes/p/A.class", ""),
            ("bench/META-INF/BenchmarkList", BENCHMARKS),
            ("bounce.json", PLAN_OF_BOUNCE),
            ("damaged.json", &PLAN_OF_BOUNCE[..60]),
            ("programs.toml", PROGRAMS),
            ("evaluation.json", EVALUATION),
            ("strange.json", "{\"schema\": \"proofmark-evaluation/1\"}"),
            ("nothing.json", "{\"programs\": []}"),
            ("run/manifest.json", "{\"format\": 1, \"run\": {}}"),
            (
                "jdk/release",
                "JAVA_VERSION=\"25.0.3\"\nIMPLEMENTOR=\"Acme\"\nMODULES=\"java.base jdk.internal.vm.ci\"\n",
            ),
        ] {
            std::fs::write(at(name), text).unwrap();
        }
        let jar = std::fs::File::create(at("app.jar")).unwrap();
        let mut jar = zip::ZipWriter::new(jar);
        jar.start_file("p/A.class", zip::write::SimpleFileOptions::default())
            .unwrap();
        jar.finish().unwrap();
        for tool in ["java", "javac", "jar", "jcmd", "jimage", "mvn", "curl"] {
            let script = format!(
                "#!/bin/sh\necho {tool} \"$@\" >> {}\n",
                at("started").display()
            );
            std::fs::write(at("jdk/bin").join(tool), script).unwrap();
            let executable = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(at("jdk/bin").join(tool), executable).unwrap();
        }
        scene
    }

    /// With the classes of [`CLASSES`]; none without a compiler.
    pub fn with_classes() -> Option<Self> {
        let jdk = proofmark_test_support::jdks_with(&["javac"]).pop()?;
        let scene = Scene::new();
        std::fs::write(scene.at("B.java"), CLASSES).unwrap();
        let javac = proofmark_test_support::quick_tool(&jdk, "javac")
            .arg("-d")
            .args([scene.at("classes"), scene.at("B.java")])
            .status();
        assert!(javac.unwrap().success());
        Some(scene)
    }

    /// The path of one of its files.
    pub fn at(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    /// `@` is the place of the files, `+` a space inside of a word, `{plus}` a plus.
    pub fn run(&self, command: &str, words: &str) -> Output {
        let place = self.place.path().display().to_string();
        let words = words.split_whitespace();
        let words = words.map(|word| word.replace('@', &place).replace('+', " "));
        let words = words.map(|word| word.replace("{plus}", "+"));
        Command::new(env!("CARGO_BIN_EXE_proofmark"))
            .args(command.split(' '))
            .args(words)
            .env_clear()
            .env("HOME", self.at("home"))
            .env("TMPDIR", self.at("tmp"))
            .env("PATH", self.at("jdk/bin"))
            .env("JAVA_HOME", self.at("jdk"))
            .env("PROOFMARK_JDK", self.at("jdk"))
            .stdin(Stdio::null())
            .current_dir(self.place.path())
            .output()
            .unwrap()
    }

    /// What was started of the JDK, and what lies in the home directory and among temporary files.
    pub fn traces(&self) -> Vec<String> {
        let started = std::fs::read_to_string(self.at("started")).unwrap_or_default();
        let mut traces: Vec<String> = started.lines().map(str::to_owned).collect();
        for directory in ["home", "tmp"] {
            traces.extend(names(&self.at(directory)));
        }
        traces
    }
}

/// What lies in a directory.
pub fn names(directory: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(directory).unwrap();
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().path();
    entries.map(|e| name(e).display().to_string()).collect()
}

const CLASSES: &str =
    "package p; public abstract class B { void inst() {} static int work(int n) { return n; }
    static long work(long n) { return n; } static void fine() {}
    static class C implements Runnable { C(int n) {} public void run() {} }
    static class D {} static class E extends C { E() { super(1); } }
    static class F extends java.util.Random {} }";

const EVALUATION: &str = r#"{
    "schema": "proofmark-evaluation/1", "environments": [], "targets_pct": [100.0], "programs": [],
    "slowing": [], "share_changes": [], "added_time": []
}"#;

const PROGRAMS: &str = "[[program]]\nname = \"fine\"\nworkload = \"suite:Towers\"\n\
    [[program]]\nname = \"broken\"\nworkload = \"class:p.Misspelt\"\nclass_path = [\"classes\"]\n";

const BENCHMARKS: &str = "JMH S 6 p.Sort S 1 g S 4 fast S 10 Throughput E A 1 1 1 E\n\
    JMH S 6 p.Sort S 1 g S 4 slow S 10 Throughput E A 1 1 1 E\n";

const PLAN_OF_BOUNCE: &str = r#"{
    "schema": "proofmark-plan/2", "workload": "Bounce", "target_pct": 100.0,
    "environment": {"machine": "m", "jdk": "j", "graal": "g", "event": "cpu-clock:u"},
    "units": [], "coverage_pct": 99.0, "plans_tried": 1, "wall_s": 1.0, "overhead_pct": null,
    "block_error_pt": null, "block_error_raw_pt": null, "block_error_noise_pt": null,
    "cluster_error_pt": null, "within_10_pt_pct": null
}"#;
