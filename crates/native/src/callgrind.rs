//! Callgrind: instructions of each function in a window of one process.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use crate::launch::{Launch, LaunchError, Ran, Wanted, system, windows};
use crate::{Program, Reported};

/// Runs one process of the program under callgrind. Of what is reported, the sum is all that the program executed.
///
/// # Errors
/// When the program cannot be run, or valgrind fails.
pub fn callgrind(
    program: &Program,
    launch: &Launch,
    dose: Option<(u64, u32)>,
    interrupted: &AtomicBool,
) -> Result<(Ran, Reported), LaunchError> {
    let file = launch.directory.join("callgrind.out");
    let _ = std::fs::remove_file(&file);
    let words = [
        "valgrind".into(),
        "--tool=callgrind".into(),
        "--quiet".into(),
        "--demangle=no".into(),
        // What valgrind itself says must not stand in the program's output.
        format!(
            "--log-file={}",
            launch.directory.join("valgrind.log").display()
        ),
        format!("--callgrind-out-file={}", file.display()),
    ];
    let mut under = Launch {
        before: words.to_vec(),
        ..launch.clone()
    };
    let wanted = Wanted {
        dose,
        least_s: 0.0,
        least: 1,
    };
    let mut ran = windows(&mut under, &[wanted], interrupted)?;
    let text = std::fs::read_to_string(&file).map_err(system(&file))?;
    let reported = reported(program, &text);
    match ran.pop() {
        Some(ran) if !reported.functions.is_empty() => Ok((ran, reported)),
        _ => Err(LaunchError::Profiler(format!(
            "{} tells no function",
            file.display()
        ))),
    }
}

/// Reads a file of callgrind: exclusive costs per function.
fn reported(program: &Program, text: &str) -> Reported {
    let mut names = Names::default();
    let (mut object, mut function) = (String::new(), String::new());
    let mut costs: BTreeMap<(String, String), f64> = BTreeMap::new();
    let mut inclusive = false;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("ob=") {
            object = names.objects.get(name);
        } else if let Some(name) = line.strip_prefix("cob=") {
            names.objects.get(name);
        } else if let Some(name) = line.strip_prefix("fn=") {
            function = names.functions.get(name);
        } else if let Some(name) = line.strip_prefix("cfn=") {
            names.functions.get(name);
        } else if line.starts_with("calls=") {
            inclusive = true;
        } else if line.starts_with(|sign: char| sign.is_ascii_digit() || "+-*".contains(sign)) {
            // Behind a call stands what the callee cost.
            if !std::mem::take(&mut inclusive) {
                let cost = line
                    .split_whitespace()
                    .nth(1)
                    .and_then(|cost| cost.parse::<f64>().ok());
                *costs
                    .entry((object.clone(), function.clone()))
                    .or_insert(0.0) += cost.unwrap_or(0.0);
            }
        }
    }
    let mut all = Reported::default();
    for ((object, function), cost) in costs {
        // The second level of a recursion has a name of its own.
        let plain = function.split('\'').next().unwrap_or_default();
        all.add(program.named(plain, &object), cost);
    }
    all
}

/// Names are written once, then as numbers: `(3) main`, `(3)`.
#[derive(Default)]
struct Names {
    objects: Table,
    functions: Table,
}

#[derive(Default)]
struct Table(BTreeMap<String, String>);

impl Table {
    fn get(&mut self, text: &str) -> String {
        match text.split_once(')') {
            Some((number, name)) if number.starts_with('(') && !name.trim().is_empty() => {
                self.0.insert(number.to_owned(), name.trim().to_owned());
                name.trim().to_owned()
            }
            Some((number, _)) if number.starts_with('(') => {
                self.0.get(number).cloned().unwrap_or_default()
            }
            _ => text.to_owned(),
        }
    }
}
