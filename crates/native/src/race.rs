//! Runs of a program with sites that may fail: how each ends, without a dose and with one.
//!
//! A run is a process group of its own. When the process has ended, or has taken too long, what is left of the group is ended
//! too, so that no run disturbs the next one. A process that leaves its group is nobody's.

use std::fs::File;
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use proofmark_experiment::lab::{Failure, LabError};
use proofmark_experiment::race::{Dose, End, RaceLab, Ran};

use crate::doses::DoseFile;
use crate::group::{Group, LOOK};
use crate::launch::{LaunchError, children_ns, system};
use crate::sites::TableSite;

/// Bytes of output that are read at once.
const CHUNK: usize = 1 << 16;

/// How a program is run.
#[derive(Clone)]
pub struct RaceSettings {
    /// Its file, with sites.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Directory for its output and for doses.
    pub directory: PathBuf,
    /// Longest that a run may take, s.
    pub timeout_s: f64,
    /// Text by which a run has failed that puts it out.
    pub failed_if: Option<String>,
    /// Sites of the functions that get a dose, in the order of the request.
    pub sites: Vec<TableSite>,
    /// Set when the user wants to stop.
    pub interrupted: Arc<AtomicBool>,
}

/// Runs of a program.
pub struct Races {
    settings: RaceSettings,
    doses: DoseFile,
}

impl Races {
    /// Of a program; its directory is there.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn new(settings: RaceSettings) -> Result<Self, LabError> {
        let path = settings.directory.join("dose");
        let doses = DoseFile::create(&path).map_err(system(&path))?;
        Ok(Self { settings, doses })
    }

    fn start(&self) -> Result<Group, LaunchError> {
        let [out, err] = self
            .files()
            .map(|path| File::create(&path).map_err(system(&path)));
        let settings = &self.settings;
        let mut command = Command::new(&settings.program);
        command.args(&settings.arguments);
        command.env("PROOFMARK_DOSES", self.doses.path());
        command.stdin(Stdio::null()).stdout(out?).stderr(err?);
        Group::start(&mut command).map_err(system(&settings.program))
    }

    fn files(&self) -> [PathBuf; 2] {
        ["stdout", "stderr"].map(|name| self.settings.directory.join(name))
    }

    /// Waits for the end of a process; none where it takes too long. Then and else its group is ended.
    fn ended(
        &self,
        started: &mut Group,
        begin: Instant,
    ) -> Result<Option<ExitStatus>, LaunchError> {
        loop {
            if started.has_ended(LOOK).map_err(waiting)? {
                return started.end().map(Some).map_err(waiting);
            }
            if self.settings.interrupted.load(Ordering::Relaxed) {
                return Err(LaunchError::Interrupted);
            }
            if begin.elapsed().as_secs_f64() > self.settings.timeout_s {
                started.end().map_err(waiting)?;
                return Ok(None);
            }
        }
    }

    /// How a run ended.
    fn end_of(&self, status: Option<ExitStatus>) -> Result<End, LaunchError> {
        let Some(status) = status else {
            return Ok(End::TooLong);
        };
        if let Some(signal) = status.signal() {
            return Ok(End::Signal(signal));
        }
        if let Some(code) = status.code().filter(|code| *code != 0) {
            return Ok(End::Status(code));
        }
        if let Some(text) = &self.settings.failed_if {
            for path in self.files() {
                let said = File::open(&path).and_then(|file| contains(file, text.as_bytes()));
                if said.map_err(system(&path))? {
                    return Ok(End::Output);
                }
            }
        }
        Ok(End::Passed)
    }

    fn key(&self, dose: Dose) -> u64 {
        let site = self.settings.sites.get(dose.function);
        site.map_or(0, |site| site.key)
    }
}

impl RaceLab for Races {
    fn run(&mut self, dose: Option<Dose>) -> Result<Ran, LabError> {
        if self.settings.interrupted.load(Ordering::Relaxed) {
            return Err(LaunchError::Interrupted.into());
        }
        let (key, turns) = dose.map_or((0, 0), |dose| (self.key(dose), dose.turns));
        let failed = system(self.doses.path());
        self.doses.set(key, turns).map_err(failed)?;
        let before_ns = children_ns();
        let begin = Instant::now();
        let mut started = self.start()?;
        let status = self.ended(&mut started, begin)?;
        let wall_s = begin.elapsed().as_secs_f64();
        let cpu_s = ((children_ns() - before_ns) / 1e9).max(0.0);
        let failed = system(self.doses.path());
        if turns > 0 && self.doses.obeyed().map_err(failed)? == 0 {
            return Err(LabError::new(Failure::Refused, NOT_TAKEN));
        }
        Ok(Ran {
            end: self.end_of(status)?,
            wall_s,
            cpu_s,
        })
    }

    fn keep(&mut self, dose: Dose) -> Result<String, LabError> {
        let sites = &self.settings.sites;
        let name = sites
            .get(dose.function)
            .map_or("", |site| site.function.as_str());
        let plain = |sign: char| sign.is_ascii_alphanumeric() || "_.".contains(sign);
        let name: String = name
            .chars()
            .map(|sign| if plain(sign) { sign } else { '_' })
            .take(60)
            .collect();
        let file = format!("{}-{name}.dose", dose.function + 1);
        let path = self.settings.directory.join(file);
        let kept = DoseFile::create(&path).and_then(|file| file.set(self.key(dose), dose.turns));
        kept.map_err(system(&path))?;
        Ok(path.display().to_string())
    }
}

const NOT_TAKEN: &str = "the program did not take the dose: name the program itself, not what starts it, and let it keep its \
     environment (set-user-ID programs do not)";

fn waiting(error: io::Error) -> LaunchError {
    system(Path::new("waiting for the program"))(error)
}

/// Whether a text is in what is read.
fn contains(mut from: impl io::Read, text: &[u8]) -> io::Result<bool> {
    if text.is_empty() {
        return Ok(false);
    }
    let mut seen = Vec::new();
    let mut chunk = vec![0; CHUNK];
    loop {
        let length = from.read(&mut chunk)?;
        if length == 0 {
            return Ok(false);
        }
        seen.extend_from_slice(&chunk[..length]);
        if seen.windows(text.len()).any(|part| part == text) {
            return Ok(true);
        }
        // The text may begin here and end in what comes next.
        let kept = seen.len().min(text.len() - 1);
        seen.drain(..seen.len() - kept);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Reads so many bytes at once.
    struct Slow<'t>(&'t [u8], usize);

    impl io::Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let length = self.1.min(self.0.len()).min(into.len());
            let (now, later) = self.0.split_at(length);
            into[..length].copy_from_slice(now);
            self.0 = later;
            Ok(length)
        }
    }

    #[test]
    fn a_text_is_found_wherever_reading_stops() {
        let said = b"all went well, but: LOST one";
        for at_once in 1..30 {
            let found = |text: &str| contains(Slow(said, at_once), text.as_bytes()).unwrap();
            assert!(found("LOST") && found("all") && found("one") && found("l"));
            assert!(!found("lost") && !found("ones") && !found(""), "{at_once}");
        }
    }

    fn races(script: &str, timeout_s: f64, place: &Path) -> Races {
        let settings = RaceSettings {
            program: "/bin/sh".into(),
            arguments: vec!["-c".into(), script.into()],
            directory: place.to_owned(),
            timeout_s,
            failed_if: Some("wrong".into()),
            sites: Vec::new(),
            interrupted: Arc::default(),
        };
        Races::new(settings).unwrap()
    }

    #[test]
    fn every_end_is_told_from_the_others() {
        let place = tempfile::tempdir().unwrap();
        for (script, timeout_s, end) in [
            ("exit 0", 60.0, End::Passed),
            ("echo fine", 60.0, End::Passed),
            ("exit 7", 60.0, End::Status(7)),
            ("kill -9 $$", 60.0, End::Signal(9)),
            ("echo this is wrong", 60.0, End::Output),
            ("echo wrong >&2", 60.0, End::Output),
            ("while :; do :; done", 0.1, End::TooLong),
        ] {
            let ran = races(script, timeout_s, place.path()).run(None).unwrap();
            assert_eq!(ran.end, end, "{script}");
        }
    }

    /// Its child alone holds the pipe open once it has ended, and would for ten minutes.
    #[test]
    fn what_a_run_leaves_behind_is_ended() {
        let place = tempfile::tempdir().unwrap();
        let pipe = place.path().join("pipe");
        let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let script = format!("exec 9> {}; sleep 600 & exit 3", pipe.display());
        let (send, receive) = std::sync::mpsc::channel();
        std::thread::spawn(move || drop(send.send(std::fs::read(pipe))));
        let ran = races(&script, 60.0, place.path()).run(None).unwrap();
        assert_eq!(ran.end, End::Status(3));
        let read = receive.recv_timeout(Duration::from_secs(60));
        assert_eq!(read.expect("its child has ended").unwrap(), b"");
    }

    #[test]
    fn a_program_that_does_not_take_the_dose_is_refused_and_doses_are_kept() {
        let place = tempfile::tempdir().unwrap();
        let mut lab = races("exit 0", 60.0, place.path());
        lab.settings.sites = vec![TableSite {
            function: "a::b<c>".into(),
            file: "a.rs".into(),
            line: 1,
            key: 0x0102,
        }];
        let dose = Dose {
            function: 0,
            turns: 9,
        };
        let refused = lab.run(Some(dose)).unwrap_err();
        assert!(refused.to_string().contains("did not take the dose"));
        let kept = lab.keep(dose).unwrap();
        assert!(kept.ends_with("1-a__b_c_.dose"), "{kept}");
        let bytes = std::fs::read(kept).unwrap();
        assert_eq!(bytes[..8], *b"PRMDOSE1");
        assert_eq!((bytes[8], bytes[9], bytes[16]), (2, 1, 9));
    }

    #[test]
    fn a_user_who_wants_to_stop_ends_the_run() {
        let place = tempfile::tempdir().unwrap();
        let mut lab = races("exit 0", 60.0, place.path());
        lab.settings.interrupted.store(true, Ordering::Relaxed);
        let error = lab.run(None).unwrap_err();
        assert_eq!(error.failure, Failure::Interrupted);
    }
}
