//! Rewrites a directory of class files and says what became of them and how fast it was, in CPU time of this thread
//! (Linux).
//!
//! `cargo run --release --example tree -- [--exact] [--every-block] [--max-path N] [--no-leaf] [--repeat N] IN OUT`
//!
//! A file `methods.txt` in OUT has a line `id class.name descriptor` per counted method.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt};
use proofmark_rewrite::{
    Checks, MethodIds, Mode, Options, Outcome, Summary, Treatment, World, rewrite,
};

struct Classes(HashMap<String, Arc<Summary>>);

impl World for Classes {
    fn treatment(&self, class: &str) -> Treatment {
        if self.0.contains_key(class) {
            Treatment::Whole
        } else {
            Treatment::Not
        }
    }

    fn summary(&self, class: &str) -> Option<Arc<Summary>> {
        self.0.get(class).cloned()
    }
}

#[derive(Default)]
struct Ids(Vec<String>);

impl MethodIds for Ids {
    fn id(&mut self, class: &str, name: &str, descriptor: &str) -> u32 {
        self.0.push(format!("{class}.{name} {descriptor}"));
        self.0.len() as u32
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut options = Options::default();
    let mut repeat = 1;
    let mut places = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--exact" => options.mode = Mode::Exact,
            "--every-block" => options.checks = Checks::EveryBlock,
            "--max-path" => {
                let max_path = arguments.next().ok_or("--max-path needs a number")?;
                options.checks = Checks::Paths {
                    max_path: max_path.parse()?,
                };
            }
            "--no-leaf" => options.leaf = false,
            "--repeat" => repeat = arguments.next().ok_or("--repeat needs a number")?.parse()?,
            _ => places.push(PathBuf::from(argument)),
        }
    }
    let [from, to] = places.as_slice() else {
        return Err("two directories, please: IN and OUT".into());
    };
    let mut files = Vec::new();
    collect(from, &mut files)?;
    files.sort();
    let mut classes = Vec::new();
    let mut world = Classes(HashMap::new());
    for path in files {
        let bytes = std::fs::read(&path)?;
        if let Ok(summary) = Summary::read(&bytes) {
            world.0.insert(summary.name.clone(), Arc::new(summary));
        }
        classes.push((path, bytes));
    }
    let mut best = f64::INFINITY;
    let mut outcomes = Vec::new();
    let mut ids = Ids::default();
    for _ in 0..repeat {
        ids = Ids::default();
        let start = cpu_seconds()?;
        outcomes = classes
            .iter()
            .map(|(_, bytes)| rewrite(bytes, &options, &world, &mut ids))
            .collect();
        best = best.min(cpu_seconds()? - start);
    }
    write_all(from, to, &classes, &outcomes)?;
    let lines: Vec<String> = (1..)
        .zip(&ids.0)
        .map(|(id, name)| format!("{id} {name}\n"))
        .collect();
    std::fs::write(to.join("methods.txt"), lines.concat())?;
    let size: usize = classes.iter().map(|(_, bytes)| bytes.len()).sum();
    println!(
        "{} classes, {} bytes, {:.1} MB/s",
        classes.len(),
        size,
        size as f64 / 1e6 / best
    );
    summarise(&outcomes);
    Ok(())
}

/// CPU time of this thread; the kernel updates it at every switch and clock tick.
fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds = text.split_whitespace().next().ok_or("schedstat is empty")?;
    Ok(nanoseconds.parse::<f64>()? / 1e9)
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "class")
        {
            files.push(path);
        }
    }
    Ok(())
}

fn write_all(
    from: &Path,
    to: &Path,
    classes: &[(PathBuf, Vec<u8>)],
    outcomes: &[Outcome],
) -> Result<(), Box<dyn Error>> {
    for ((path, bytes), outcome) in classes.iter().zip(outcomes) {
        let place = to.join(path.strip_prefix(from)?);
        std::fs::create_dir_all(place.parent().unwrap_or(to))?;
        match outcome {
            Outcome::Rewritten { bytes, .. } => std::fs::write(place, bytes)?,
            Outcome::LeftAlone { .. } => std::fs::write(place, bytes)?,
        }
    }
    Ok(())
}

fn summarise(outcomes: &[Outcome]) {
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let mut counted = 0;
    let mut size = 0;
    for outcome in outcomes {
        match outcome {
            Outcome::Rewritten { methods, bytes } => {
                size += bytes.len();
                for method in methods {
                    match &method.id {
                        Ok(_) => counted += 1,
                        Err(reason) => {
                            *reasons.entry(format!("method: {reason}")).or_default() += 1
                        }
                    }
                }
            }
            Outcome::LeftAlone { reason } => {
                *reasons.entry(format!("class: {reason}")).or_default() += 1;
            }
        }
    }
    println!("{counted} methods counted, {size} bytes written");
    for (reason, count) in reasons {
        println!("{count:6} {reason}");
    }
}
