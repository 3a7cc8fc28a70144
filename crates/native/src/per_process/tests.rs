//! A command of the user's around a program that says something; what gprof and gperftools leave.

use std::collections::BTreeMap;

use super::*;

/// `sh` that says a word.
fn launch(place: &Path) -> Launch {
    Launch {
        before: Vec::new(),
        program: "/bin/sh".into(),
        arguments: ["-c", "echo said"].map(str::to_owned).into(),
        directory: place.to_owned(),
        most_s: 60.0,
        output: None,
        marked: false,
    }
}

/// What comes of a window of two processes under a command.
fn under(line: &str) -> Result<(Ran, Reported), LaunchError> {
    let place = tempfile::Builder::new().prefix("it's ").tempdir().unwrap();
    let interrupted = AtomicBool::new(false);
    let mut runner = Runner::new(launch(place.path()));
    let wanted = Wanted {
        dose: None,
        least_s: 0.0,
        least: 2,
    };
    runner.windows(&[wanted], &interrupted)?;
    let program = Program::without_sites("/bin/sh".as_ref());
    let profiler = PerProcess::Command { line: line.into() };
    let all = per_process_windows(&program, &mut runner, &[wanted], &profiler, &interrupted);
    all.map(|mut all| all.remove(0))
}

#[test]
fn every_process_has_a_profile_of_its_own() {
    let line = "{program}; echo noise $$ >&2; printf 'main;f 3\\nmain;g;[unknown] 1\\n' >{out}";
    let (ran, reported) = under(line).unwrap();
    assert_eq!(ran.iterations(), 2);
    assert_eq!(reported.functions, BTreeMap::from([("f".to_owned(), 6.0)]));
    assert_eq!(reported.other, 2.0);
}

#[test]
fn what_the_profiler_spoils_is_its_own_fault() {
    for (line, says) in [
        ("{program}; echo more; : >{out}", "standard output"),
        (
            "echo no tool >&2; exit 3 # {out}",
            "exit status is 3, not 0: no tool",
        ),
        ("{program}; : {out}", "wrote nothing to {out}"),
        ("{program}; printf '\\001\\002' >{out}", "profile: "),
        ("kill -9 $$ # {out}", "signal 9"),
    ] {
        let error = under(line).unwrap_err();
        assert!(matches!(error, LaunchError::Profiler(_)), "{line}: {error}");
        assert!(error.to_string().contains(says), "{line}: {error}");
    }
}

#[test]
fn what_takes_too_long_under_a_profiler_is_its_own_fault() {
    let place = tempfile::tempdir().unwrap();
    let mut runner = Runner::new(Launch {
        most_s: 0.2,
        ..launch(place.path())
    });
    let program = Program::without_sites("/bin/sh".as_ref());
    let profiler = PerProcess::Command {
        line: "exec sleep 600 # {program} {out}".into(),
    };
    let wanted = Wanted {
        dose: None,
        least_s: 0.0,
        least: 1,
    };
    let interrupted = AtomicBool::new(false);
    let all = per_process_windows(&program, &mut runner, &[wanted], &profiler, &interrupted);
    let error = all.unwrap_err();
    assert!(matches!(error, LaunchError::Profiler(_)), "{error}");
    let says = "under it a run of the program took longer than 0.2 s";
    assert!(error.to_string().contains(says), "{error}");
}

#[test]
fn what_needs_whole_processes_or_another_build_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let interrupted = AtomicBool::new(false);
    let program = Program::without_sites("/bin/sh".as_ref());
    let refused = |marked: bool| {
        let mut runner = Runner::new(Launch {
            marked,
            ..launch(place.path())
        });
        let profiler = PerProcess::Gprof;
        let all = per_process_windows(&program, &mut runner, &[], &profiler, &interrupted);
        all.unwrap_err().to_string()
    };
    assert!(refused(false).contains("with -pg"), "{}", refused(false));
    assert!(refused(true).contains("marks its iterations"));
}

#[test]
fn profilers_stand_in_front_of_the_program() {
    let gperftools = PerProcess::Gperftools {
        library: "/l/libprofiler.so.0".into(),
        rate_hz: 1000.0,
    };
    let words = gperftools.before("/p".as_ref());
    assert_eq!(
        words,
        [
            "env",
            "LD_PRELOAD=/l/libprofiler.so.0",
            "CPUPROFILE=/p/profile",
            "CPUPROFILE_FREQUENCY=1000"
        ]
    );
    let words = PerProcess::Gprof.before("/p".as_ref());
    assert_eq!(words, ["env", "GMON_OUT_PREFIX=/p/profile"]);
    assert_eq!(quoted("it's"), "'it'\\''s'");
}

/// Samples where no function is known are not lost.
#[test]
fn samples_without_a_name_are_counted() {
    let program = Program::without_sites("/none".as_ref());
    let mut files = Files::default();
    let mut bytes = b"gmon\x01\0\0\0".to_vec();
    bytes.extend([0; 13]);
    bytes.extend(0x1000_u64.to_le_bytes());
    bytes.extend(0x1008_u64.to_le_bytes());
    bytes.extend([2, 0, 0, 0, 100, 0, 0, 0]);
    bytes.extend([0; 16]);
    bytes.extend([3, 0, 4, 0]);
    let counted = of_gprof(&program, &bytes, &mut files).unwrap();
    assert_eq!(counted, BTreeMap::from([(None, 7.0)]));
    let words: [u64; 11] = [0, 3, 0, 4000, 0, 5, 1, 0x1010, 0, 1, 0];
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.extend(b"1000-2000 r-xp 00000000 fe:01 7 /none\n");
    let counted = of_gperftools(&program, &bytes, &mut files).unwrap();
    assert_eq!(counted, BTreeMap::from([(None, 5.0)]));
}
