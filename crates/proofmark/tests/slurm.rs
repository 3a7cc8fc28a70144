//! `evaluate --on slurm` with commands of Slurm that are scripts: what is submitted, and what becomes of it.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use crate::common::{Place, kit, stderr, until};
use proofmark_experiment::evaluate::{Evaluation, ProgramResult};
use rustix::process::{Pid, Signal, kill_process};

/// Commands of a cluster that write down how they are called. Files in `state` tell them what to answer: `queue` is what
/// `squeue` says behind the name of the array.
struct Cluster {
    place: Place,
}

/// What every `sbatch` does: where it is called with which name, and for which tasks.
const SBATCH: &str = r#"
for word; do
  case $word in
    --job-name=*) printf %s "${word#--job-name=}" > "$state/name" ;;
    --array=0-*) last=${word#--array=0-} ;;
  esac
done
array=$(dirname "$word")
"#;

/// Every line of `queue` stands behind the name of the array, `4711` being its id.
const SQUEUE: &str = r#"
[ ! -e "$state/queue" ] || sed "s/^/$(cat "$state/name")|4711|/" "$state/queue"
"#;

impl Cluster {
    /// One whose `sbatch` ends with this, its array's directory being `$array` and its last task `$last`.
    fn new(sbatch: &str) -> Self {
        let cluster = Cluster {
            place: Place::new(),
        };
        for directory in ["bin", "state"] {
            std::fs::create_dir(cluster.place.path().join(directory)).unwrap();
        }
        cluster.command("sbatch", &format!("{SBATCH}\n{sbatch}\necho 4711"));
        cluster.command("squeue", SQUEUE);
        cluster.command("sacct", "echo 'FAILED|3:0'");
        cluster.command("scancel", "");
        cluster
    }

    /// Makes a command, which also writes down how it is called.
    fn command(&self, name: &str, body: &str) {
        let state = self.state("").display().to_string();
        let script =
            format!("#!/bin/sh\nstate={state}\necho {name} \"$@\" >> $state/calls\n{body}\n");
        let file = self.place.path().join("bin").join(name);
        std::fs::write(&file, script).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn state(&self, name: &str) -> PathBuf {
        self.place.path().join("state").join(name)
    }

    /// How this command was called, in order.
    fn calls(&self, command: &str) -> Vec<String> {
        let all = std::fs::read_to_string(self.state("calls")).unwrap_or_default();
        let words = all.lines().filter_map(|line| line.strip_prefix(command));
        words.map(|words| words.trim().to_owned()).collect()
    }

    fn evaluate(&self, words: &[&str]) -> Command {
        let mut command = self.place.command("evaluate", &["--on", "slurm"]);
        let path = std::env::var("PATH").unwrap();
        let bin = self.place.path().join("bin");
        command
            .env("PATH", format!("{}:{path}", bin.display()))
            .args(["--profiler", "none", "--format", "json"])
            .args(words);
        command
    }

    /// Leaves the result of a program where a task of the next array finds it, as `NAME.json`.
    fn result(&self, program: &str) -> ProgramResult {
        let result = ProgramResult {
            failed: None,
            wall_s: 12.5,
            ..ProgramResult::failed(program, String::new())
        };
        let file = self.state(&format!("{}.json", program.replace(':', "_")));
        std::fs::write(file, serde_json::to_string(&result).unwrap()).unwrap();
        result
    }
}

fn found(output: &Output) -> Evaluation {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(output)))
}

fn evaluation(programs: Vec<ProgramResult>) -> Evaluation {
    Evaluation::of(&[100.0], programs)
}

#[test]
fn what_is_missing_is_submitted_and_a_lost_task_is_told_with_its_log() {
    let cluster = Cluster::new(
        r#"
        case $last in
          1) cp "$state/suite_Towers.json" "$array/0.json"
             printf 'it rains\nproofmark: it snows\n' > "$array/1.log" ;;
          0) cp "$state/suite_List.json" "$array/0.json" ;;
        esac"#,
    );
    let towers = cluster.result("suite:Towers");
    let words = ["suite:Towers", "suite:List"];
    let options = [&["--slurm-option=--partition=long"][..], &words[..]].concat();
    let output = cluster.evaluate(&options).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let first = found(&output);
    assert_eq!(first.programs[0], towers);
    let lost = first.programs[1].failed.as_deref().unwrap();
    for told in [
        "job 4711_1",
        "FAILED, exit code 3:0",
        "it rains",
        "it snows",
        "1.log",
    ] {
        assert!(lost.contains(told), "{told}: {lost}");
    }
    let submitted = cluster.calls("sbatch");
    assert_eq!(submitted.len(), 1, "{submitted:?}");
    for word in [
        "--parsable",
        "--exclusive",
        "--array=0-1",
        "--partition=long /",
        "/slurm/1/job.sh",
    ] {
        assert!(submitted[0].contains(word), "{word}: {submitted:?}");
    }

    // What was lost is tried again, alone, and what local evaluations print is printed.
    let list = cluster.result("suite:List");
    let output = cluster.evaluate(&words).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(found(&output), evaluation(vec![towers, list]));
    let submitted = cluster.calls("sbatch");
    assert_eq!(submitted.len(), 2, "{submitted:?}");
    assert!(submitted[1].contains("--array=0-0 "), "{submitted:?}");

    let output = cluster.evaluate(&words).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(cluster.calls("sbatch").len(), 2, "nothing is missing");
}

/// Interrupts an evaluation as soon as it has seen that its tasks run.
fn interrupted(cluster: &Cluster, words: &[&str]) -> Output {
    let before = cluster.calls("squeue").len();
    let mut command = cluster.evaluate(words);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut tool = command.spawn().unwrap();
    until(&mut tool, |_| cluster.calls("squeue").len() > before);
    let pid = Pid::from_raw(tool.id().cast_signed()).unwrap();
    kill_process(pid, Signal::INT).unwrap();
    tool.wait_with_output().unwrap()
}

#[test]
fn an_interrupt_cancels_the_tasks_that_are_left_and_no_others() {
    let cluster = Cluster::new(r#"cp "$state/suite_Towers.json" "$array/0.json""#);
    let towers = cluster.result("suite:Towers");
    let words = ["suite:Towers", "suite:List"];
    std::fs::write(cluster.state("queue"), "1|RUNNING|None\n").unwrap();
    let output = interrupted(&cluster, &words);
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert_eq!(cluster.calls("scancel"), ["4711_1"]);
    let said = stderr(&output);
    assert!(said.contains("jobs were cancelled: 4711_1"), "{said}");
    assert!(said.contains("--out"), "{said}");

    // The queue is empty now: the program that is left is submitted, the one that was measured is not.
    std::fs::remove_file(cluster.state("queue")).unwrap();
    cluster.command(
        "sbatch",
        &format!("{SBATCH}\ncp $state/suite_List.json $array/0.json\necho 4712"),
    );
    let list = cluster.result("suite:List");
    let output = cluster.evaluate(&words).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(found(&output), evaluation(vec![towers, list]));
    assert!(cluster.calls("sbatch")[1].contains("--array=0-0 "));
}

#[test]
fn jobs_that_are_left_running_are_not_submitted_twice() {
    let cluster = Cluster::new("");
    let words = ["--leave-jobs", "suite:Towers", "suite:List"];
    std::fs::write(
        cluster.state("queue"),
        "0|RUNNING|None\n1|PENDING|Resources\n",
    )
    .unwrap();
    let output = interrupted(&cluster, &words);
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let said = stderr(&output);
    assert!(said.contains("jobs go on: 4711_0 4711_1"), "{said}");
    assert_eq!(cluster.calls("scancel"), [""; 0]);

    // One has ended since then and nobody took its result; of the other the id did not get here.
    let (towers, list) = (cluster.result("suite:Towers"), cluster.result("suite:List"));
    let array = cluster.place.path().join("out/slurm/1");
    std::fs::copy(cluster.state("suite_Towers.json"), array.join("0.json")).unwrap();
    let text = std::fs::read_to_string(array.join("array.json")).unwrap();
    std::fs::write(array.join("array.json"), text.replace("\"4711\"", "null")).unwrap();
    std::fs::write(cluster.state("queue"), "1|RUNNING|None\n").unwrap();
    let output = interrupted(&cluster, &words[1..]);
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert_eq!(cluster.calls("scancel"), ["4711_1"]);
    assert_eq!(cluster.calls("sbatch").len(), 1, "it is known by its name");

    // A look at the queue later it has ended.
    let ends = format!(
        "{SQUEUE}\ncp $state/suite_List.json {}; rm -f $state/queue",
        array.join("1.json").display()
    );
    cluster.command("squeue", &ends);
    let output = cluster.evaluate(&words).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(found(&output), evaluation(vec![towers, list]));
    assert_eq!(cluster.calls("sbatch").len(), 1);
}

#[test]
fn a_task_that_ends_while_the_queue_is_asked_is_not_submitted_twice() {
    let cluster = Cluster::new("");
    let words = ["--leave-jobs", "suite:Towers"];
    std::fs::write(cluster.state("queue"), "0|RUNNING|None\n").unwrap();
    interrupted(&cluster, &words);
    let towers = cluster.result("suite:Towers");
    let left = cluster.place.path().join("out/slurm/1/0.json");
    // Its result was not there when results were looked for, and it is no longer in the queue.
    let ended = format!(
        "[ ! -e $state/queue ] || cp $state/suite_Towers.json {}; rm -f $state/queue",
        left.display()
    );
    cluster.command("squeue", &ended);
    let output = cluster.evaluate(&words).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(found(&output), evaluation(vec![towers]));
    assert_eq!(cluster.calls("sbatch").len(), 1);
}

#[test]
fn slurms_own_words_are_told_where_it_does_not_take_the_jobs() {
    let cluster = Cluster::new("");
    cluster.command(
        "sbatch",
        "echo 'sbatch: error: invalid partition: lon' >&2; exit 1",
    );
    let output = cluster.evaluate(&["suite:Towers"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("invalid partition: lon"),
        "{}",
        stderr(&output)
    );

    // Where it cannot be told whether jobs still run, none is submitted.
    cluster.command("sbatch", &format!("{SBATCH}\necho 4711"));
    std::fs::write(cluster.state("queue"), "0|RUNNING|None\n").unwrap();
    interrupted(&cluster, &["--leave-jobs", "suite:Towers"]);
    let submitted = cluster.calls("sbatch").len();
    cluster.command(
        "squeue",
        "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1",
    );
    let output = cluster.evaluate(&["suite:Towers"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("Unable to contact"),
        "{}",
        stderr(&output)
    );
    assert_eq!(cluster.calls("sbatch").len(), submitted);
}

/// A `sbatch` that starts every task at once, here.
const REALLY: &str = r#"
task=0
while [ $task -le $last ]; do
  SLURM_ARRAY_TASK_ID=$task sh "$word" > "$array/$task.log" 2>&1 &
  echo "$task|RUNNING|None" >> "$state/queue"
  task=$((task + 1))
done
"#;

#[test]
fn a_task_is_this_very_command_for_one_program() {
    if kit().is_none() {
        return;
    }
    let cluster = Cluster::new(REALLY);
    let words = ["suite:trouble.Throws", "--", "suite:trouble.Unrepeatable"];
    let output = cluster.evaluate(&words).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let found = found(&output);
    let failed = |at: usize| found.programs[at].failed.as_deref().unwrap();
    assert!(failed(0).contains("thrown on purpose"), "{}", failed(0));
    assert!(
        !failed(0).contains("Slurm"),
        "its own result: {}",
        failed(0)
    );
    assert!(!failed(1).contains("without a result"), "{}", failed(1));
    assert!(found.programs.iter().all(|one| one.wall_s > 0.0));
    let out = cluster.place.path().join("out");
    let own = ["suite_trouble.Throws", "suite_trouble.Unrepeatable"];
    assert!(
        own.iter()
            .all(|name| out.join(name).join("manifest.json").exists())
    );
}
