//! The command line: what is written becomes a [`Request`] here, once. Nothing else knows of clap.

mod analyze;
mod assess;
mod candidates;
mod count;
mod demo;
mod divine;
#[cfg(test)]
mod documents;
mod dose;
mod evaluate;
mod events;
mod everywhere;
mod format;
mod import;
mod man;
mod misspelt;
mod names;
mod native;
mod number;
mod race;
mod search;
mod sites;
mod slots;
mod slurm;
mod speedup;
mod study;
mod study_run;
mod texts;
mod workload;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use proofmark_jvm::toolchain::shell_line;
use proofmark_native::Language;

use crate::console;
use crate::request::{Format, Request};

use analyze::DiffArguments;
use assess::AssessArguments;
use candidates::CandidatesArguments;
use count::CountArguments;
use demo::DemoArguments;
use divine::DivineArguments;
use dose::DoseArguments;
use evaluate::EvaluateArguments;
use events::EventsArguments;
use import::ImportArguments;
use race::RaceArguments;
use slots::SlotsArguments;
use speedup::SpeedupArguments;
use study::StudyCommand;

/// How wrong is a profiler on your own program, on your own machine?
///
/// Proofmark adds known amounts of time to a program and checks whether a profiler reports exactly those.
#[derive(Debug, Parser)]
#[command(bin_name = "proofmark", version, arg_required_else_help = true, after_help = AFTER)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// What is printed on standard output.
    #[arg(long, global = true, value_enum, default_value_t = Format::Text, help_heading = EVERYWHERE)]
    pub format: Format,
    /// Print the result with all details: what it says of each row and why, in full sentences (they are also in report.txt and report.html).
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub details: bool,
    /// JDK to use: a JDK 25; with dose and count any from 17 on, if your command names no java by its path (else JAVA_HOME, PATH and the usual places are searched, for dose and count PATH alone).
    #[arg(long, global = true, value_name = "DIR", help_heading = EVERYWHERE)]
    pub jdk: Option<PathBuf>,
    /// Say nothing on standard error but errors: no progress, no notes.
    #[arg(long, short, global = true, help_heading = EVERYWHERE)]
    pub quiet: bool,
}

const EVERYWHERE: &str = "Options of every command";
/// Each paragraph is one line: the terminal breaks it.
const AFTER: &str = "\
Exit codes: 0 right, 1 wrong, 2 usage, 3 this machine (or workload) cannot be measured, 4 undecided, 130 interrupted.

Start with: proofmark doctor, then proofmark demo. Your own program: proofmark dose -- java -jar app.jar";

/// Commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Judge JFR and async-profiler on a bundled program: the main job in one command, some 5 minutes.
    Demo(DemoArguments),
    /// What this machine can measure, what is missing, how to get it.
    Doctor {
        /// Measure the calibration anew (some 12 s), although one is kept.
        #[arg(long)]
        calibrate: bool,
    },
    /// Judge profilers on your own program: time is added to one method after the other, and must be reported there.
    ///
    /// A short loop, a site, is added to each of the hottest methods in turn. The time by which the program gets longer must be
    /// reported in that method. A java from 17 to 25 (tested with 17 and 25), with its compiler and flags (not with modules or
    /// agents), or a native program; no Graal, no calibration, no hardware counter.
    ///
    /// Examples:
    ///   proofmark dose suite:Queens
    ///   proofmark dose --profiler async,jfr,jfr+nonsafepoints -- java -XX:+UseParallelGC -cp app.jar com.acme.Main input.txt
    ///   proofmark dose --method com.acme.Parser.next --methods 4 -- java -jar app.jar
    ///   proofmark dose --profiler perf,callgrind -- ./program input.txt   # built with proofmark cc, c++ or rustc
    #[command(verbatim_doc_comment)]
    Dose(Box<DoseArguments>),
    /// Judge profilers on a Java program twice: as `dose` does, then deeper, by slowing its own machine code under Graal.
    ///
    /// First time is added to the hottest methods on your own JVM, with its compiler and flags (see `dose`); then, where
    /// a JDK 25 and Graal can be had, the program's own code is slowed in the laboratory: a JVM with the Graal compiler,
    /// which is changed so that single pieces of machine code can be made longer.
    ///
    /// Examples:
    ///   proofmark assess suite:Queens --profiler async,jfr,jfr-cpu
    ///   proofmark assess --profiler async -- java -cp app.jar com.acme.Main input.txt
    ///   proofmark assess suite:Json --profiler 'cmd:my-profiler --pid {pid} --out {out}'
    #[command(verbatim_doc_comment)]
    Assess(Box<AssessArguments>),
    /// Find how many instructions slow every block of a program by the same factor: a plan file.
    ///
    /// Examples:
    ///   proofmark divine suite:Towers --target 100
    ///   proofmark divine -o plan.json -- java -cp app.jar com.acme.Main input.txt
    ///   proofmark divine -- ./program input.txt   # built with PROOFMARK_SLOTS=1 by proofmark cc or c++
    #[command(verbatim_doc_comment)]
    Divine(DivineArguments),
    /// Compare instructions that slow code: how finely and evenly, and does a profiler still show the same?
    ///
    /// Every candidate goes into the blocks of the program until each is slower by the target; published figures stand in
    /// docs/studies/candidates. A candidate that is clearly better than the one that this machine's calibration suggests is
    /// remembered: `divine`, `evaluate` and `assess` take it on this machine from then on, unless --filler says otherwise.
    ///
    /// Examples:
    ///   proofmark candidates
    ///   proofmark candidates --filler mov,nop --insertion-point start,spread,end suite:Queens
    #[command(verbatim_doc_comment)]
    Candidates(Box<CandidatesArguments>),
    /// Say what a native program would gain if one of its functions were faster: everything else is slowed instead.
    ///
    /// The program runs alternately under a plan of `divine` and under that plan without one function's instructions.
    /// Comparing them shows the program with that function faster: for a program with threads that is the time that a user
    /// would wait, not a part of the CPU time.
    ///
    /// Examples:
    ///   proofmark speedup --plan plan.json -- ./program input.txt   # built with PROOFMARK_SLOTS=1 by proofmark cc or c++
    ///   proofmark speedup --plan plan.json --function parse --function hash --rounds 20 -- ./program input.txt
    #[command(verbatim_doc_comment)]
    Speedup(SpeedupArguments),
    /// Check what goes into the slots of a native program: all its code is read by a disassembler, and nothing is run.
    ///
    /// Every function is compared with the same one without slots, with empty slots and with two instructions in every block,
    /// and so are the borders of its blocks. The exit code is 1 if something differs. `divine` does this with the hot functions,
    /// in every variant.
    ///
    /// Examples:
    ///   proofmark slots ./program        # built with PROOFMARK_SLOTS=1 by proofmark cc or c++
    ///   proofmark slots --filler nop ./program --format json
    #[command(verbatim_doc_comment)]
    Slots(SlotsArguments),
    /// Run a native program without and with time added in a function, and say whether it fails more often then.
    ///
    /// A race shows where two threads meet; a function that takes longer between reading and writing what they share makes
    /// them meet more often. A run has failed if its exit status is not 0, a signal ended it, or it took too long. The exit
    /// code is 1 if any run failed, with the added time or without.
    ///
    /// Examples:
    ///   proofmark race --function next_id -- ./program input.txt    # built with proofmark cc, c++ or rustc
    ///   proofmark race --function next_id --turns 50000 --runs 200 --failed-if 'lost update' -- ./program
    #[command(verbatim_doc_comment)]
    Race(RaceArguments),
    /// Repeat the study "Divining Profiler Accuracy" on many programs: slowed as asked? shares unchanged? added time reported where it is spent?
    ///
    /// Every program gets its plans, then its profilers are judged as `assess` does: in the laboratory (a JVM with Graal), and
    /// with sites (loops that add time to methods) on your own JVM;
    /// figures over all programs stand beside the published ones. Some 10 minutes for each program; with --profiler none 4.
    /// A program that cannot be measured is a result (the exit code is 3 then), and a stopped evaluation is continued with the same --out.
    ///
    /// Examples:
    ///   proofmark evaluate --out evaluation
    ///   proofmark evaluate --profiler none --target 100,50,150 suite:Towers suite:Json
    ///   proofmark evaluate --programs programs.toml --profiler async,jfr,jfr+nonsafepoints
    ///   proofmark evaluate --show evaluation-1/evaluation.json evaluation-2/evaluation.json --out both
    ///   proofmark evaluate --on slurm --out /shared/evaluation --slurm-option=--partition=long
    #[command(verbatim_doc_comment)]
    Evaluate(Box<EvaluateArguments>),
    /// Show a profile's top methods, or convert it: JFR, async-profiler, perf, pprof, callgrind and more.
    ///
    /// Reads JFR (of the JDK and of async-profiler), collapsed stacks, async-profiler's text, perf.data, perf script,
    /// pprof, callgrind, Honest Profiler, JSON of speedscope, Firefox Profiler and samply, and exported tables of
    /// YourKit, JProfiler and VTune; the content tells which. A damaged file gives what comes before the damage, marked INCOMPLETE.
    ///
    /// Examples:
    ///   proofmark import recording.jfr --thread main --top 10
    ///   proofmark import recording.jfr --format collapsed -o stacks.txt      # for flame graphs
    ///   proofmark import perf.data --perf-map perf-4711.map --format pprof -o profile.pb
    ///   proofmark import profile.pb --format json | jq '.methods'
    #[command(verbatim_doc_comment)]
    Import(ImportArguments),
    /// Do profilers agree with themselves and with each other?
    #[command(subcommand)]
    Study(StudyCommand),
    /// Say which methods changed from A to B by more than the noise between runs explains (exit code 1 if any did).
    ///
    /// With one recording a side the noise between runs cannot be seen: what changed then ends with exit code 4, undecided.
    ///
    /// Examples:
    ///   proofmark diff before/ after/ --group-by '{program}-{run}.jfr'
    ///   proofmark diff study-1/ study-2/ --least-change 1
    #[command(verbatim_doc_comment)]
    Diff(DiffArguments),
    /// Count what optimised code does: 43 types of events, such as allocations, guards, calls and loads.
    ///
    /// Graal (on a JDK 25) compiles counters into the program's code, behind all optimisations that could remove an event.
    ///
    /// Examples:
    ///   proofmark events suite:Json
    ///   proofmark events suite:Towers --category allocations,branches --strategy dec
    ///   proofmark events --no-jdk --units Parser -- java -cp app.jar com.acme.Main input.txt
    ///   proofmark events --list
    #[command(verbatim_doc_comment)]
    Events(Box<EventsArguments>),
    /// Count bytecodes instead of time: the same program gives the same profile, on every machine.
    ///
    /// Classes are rewritten while they are loaded; every thread counts the bytecodes that it executes and takes a
    /// sample of its calls each time the counter runs out. The program's output stays what it is; a summary goes to
    /// standard error. The exit status is the program's.
    ///
    /// Examples:
    ///   proofmark count -o profile.collapsed -- java -cp app.jar com.acme.Main input.txt
    ///   proofmark count --exact -o exact.count suite:Json
    ///   proofmark count compare exact.count async.jfr
    #[command(verbatim_doc_comment)]
    Count(Box<CountArguments>),
    /// Compile C with sites for `dose`, wherever a build takes CC="proofmark cc": the system's cc (or PROOFMARK_CC) does the work.
    ///
    /// Every function gets a site at its entry, which makes no turn unless `dose` asks for it. All words are the compiler's.
    /// Link with the same command. With PROOFMARK_SLOTS=1 in the environment it leaves the code as it is instead, and keeps in
    /// the objects what `divine` needs to slow their blocks.
    #[command(disable_help_flag = true)]
    Cc(native::CompilerArguments),
    /// Compile C++ with sites for `dose`: CXX="proofmark c++"; the system's c++ (or PROOFMARK_CXX) does the work.
    #[command(name = "c++", disable_help_flag = true)]
    Cxx(native::CompilerArguments),
    /// Compile Rust with sites for `dose`: RUSTC_WRAPPER=proofmark cargo build; rustc does the work.
    ///
    /// Cargo calls `proofmark rustc` with rustc's words then; all of them are rustc's. Give such builds a target directory of
    /// their own, since cargo does not see from the variable that something is to be compiled anew. Build scripts and
    /// procedural macros get no sites, and the standard library comes compiled.
    ///
    /// Examples:
    ///   RUSTC_WRAPPER=proofmark cargo build --release --target-dir target/proofmark
    ///   proofmark rustc -O -g main.rs
    #[command(disable_help_flag = true, verbatim_doc_comment)]
    Rustc(native::CompilerArguments),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page of all commands, in roff: proofmark man | man -l -
    Man,
}

impl Command {
    /// What is asked for.
    ///
    /// # Errors
    /// When it cannot be meant: the message says what can.
    pub fn request(self) -> anyhow::Result<Request> {
        Ok(match self {
            Self::Demo(demo) => Request::Demo(Box::new(demo.request()?)),
            Self::Doctor { calibrate } => Request::Doctor { anew: calibrate },
            Self::Divine(divine) => divine.request()?,
            Self::Candidates(all) => Request::Candidates(all.request()?),
            Self::Assess(assess) => Request::Assess(Box::new(assess.request()?)),
            Self::Evaluate(all) => all.asked()?,
            Self::Dose(dose) => dose.request()?,
            Self::Speedup(speedup) => speedup.request()?,
            Self::Slots(slots) => slots.request(),
            Self::Race(race) => race.request()?,
            Self::Cc(words) => Request::Compile(words.request(Language::C)),
            Self::Cxx(words) => Request::Compile(words.request(Language::Cpp)),
            Self::Rustc(words) => Request::CompileRust(words.rust_request()),
            Self::Import(import) => Request::Import(import.request()),
            Self::Study(study) => study.request()?,
            Self::Diff(diff) => Request::Diff(diff.request()?),
            Self::Events(events) => events.request()?,
            Self::Count(count) => count.request()?,
            Self::Completions { shell } => Request::Completions(completions(shell)),
            Self::Man => Request::ManPage(man::page(command())?),
        })
    }
}

/// The command line, every command with the options that it takes.
#[must_use]
pub fn command() -> clap::Command {
    everywhere::adapted(Arguments::command())
}

/// What the words of the command line came to.
#[derive(Debug)]
pub enum Parsed {
    /// Something is to be done.
    Arguments(Box<Arguments>),
    /// The words behind our own are another command's.
    Forwarded(Box<Request>),
    /// Help was printed, or what is wrong: the exit code.
    Answered(u8),
}

/// Reads this process's command line. Help that is asked for, and what is wrong, is printed here.
///
/// # Errors
/// When an option does not go with the command, or help cannot be written.
pub fn parse() -> anyhow::Result<Parsed> {
    if let Some(request) = native::forwarded(std::env::args_os())? {
        return Ok(Parsed::Forwarded(Box::new(request)));
    }
    let words = words_of(std::env::args_os())?;
    let read = command().try_get_matches_from(&words);
    let read = read.and_then(|matches| Ok((Arguments::from_arg_matches(&matches)?, matches)));
    match read {
        Ok((arguments, matches)) => {
            everywhere::check(&matches)?;
            if let Some(told) = misspelt::near(&command(), &words) {
                return Err(workload::usage(&told));
            }
            Ok(Parsed::Arguments(Box::new(arguments)))
        }
        Err(error) => {
            if let Some(told) = misspelt::meant(&command(), error.kind(), &words) {
                return Err(workload::usage(&told));
            }
            if let Some(command) = without_dashes(error.kind(), words) {
                return Err(workload::usage(&format!(
                    "put -- before the program's command: {command}"
                )));
            }
            // Every error begins with the same word.
            let own = |text: String| text.replacen("error:", "proofmark:", 1);
            let text = console::Colored {
                colored: error.render().ansi().to_string(),
                plain: error.render().to_string(),
            };
            if error.use_stderr() {
                console::say_colored(&console::Colored {
                    colored: own(text.colored),
                    plain: own(text.plain),
                });
            } else {
                console::print_colored(&text)?;
            }
            Ok(Parsed::Answered(error.exit_code().try_into()?))
        }
    }
}

/// The words as text. Names of files that are none could be neither shown nor handed on to JVMs.
fn words_of(words: impl Iterator<Item = OsString>) -> anyhow::Result<Vec<String>> {
    let text = |word: OsString| {
        word.into_string().map_err(|word| {
            let shown = word.display();
            workload::usage(&format!(
                "{shown} is no UTF-8 text; rename the file, or link to it"
            ))
        })
    };
    words.map(text).collect()
}

/// The command line with `--` in front of the first `java`, if there is none and that is what was not understood.
fn without_dashes(kind: ErrorKind, words: Vec<String>) -> Option<String> {
    let is_java = |word: &String| word == "java" || word.ends_with("/java");
    let at = words.iter().skip(1).position(is_java)? + 1;
    let before = &words[1..at];
    if kind != ErrorKind::UnknownArgument || before.iter().any(|word| word == "--") {
        return None;
    }
    let told = ["proofmark".to_owned()];
    let dashes = ["--".to_owned()];
    let all = told.iter().chain(before).chain(&dashes);
    Some(shell_line(all.chain(&words[at..]).cloned()))
}

fn completions(shell: clap_complete::Shell) -> String {
    let mut script = Vec::new();
    let mut command = command();
    clap_complete::generate(shell, &mut command, "proofmark", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}
