//! How many bytecodes the JVM says it executed: one event each, in a run of its own.

use proofmark_classes::{Image, Program, Scope};
use proofmark_count::Executed;
use proofmark_jvm::Temporary;
use proofmark_profile::CountFile;
use proofmark_rewrite::{Treatment, World};

use super::command::JavaCommand;
use super::live::start;
use super::runtime::{Told, prepare};
use crate::context::Refusal;
use crate::request::CountRequest;

/// Runs the program again, without rewriting, its output on standard error.
pub(super) fn executed(
    command: &JavaCommand,
    request: &CountRequest,
    counted: &CountFile,
) -> anyhow::Result<Executed> {
    let counting = &request.counting;
    let directory = Temporary::create(&std::env::temp_dir())?;
    let told = Told {
        counting,
        output: None,
        agent: None,
        alone: false,
    };
    let load = prepare(&command.kit, &told, &directory, "step")?;
    let status = start(command, &load, true)?;
    let text = std::fs::read_to_string(directory.path().join("steps"))
        .map_err(|_| Refusal::Cannot(format!("the JVM ended without counting steps ({status})")))?;
    let scope = if counting.include_jdk {
        Scope::Jdk
    } else {
        Scope::Application
    };
    let image = Image::open(&command.kit.jdk.home)?;
    let program = Program::new(&[], image, command.kit.jdk.version.feature(), scope)
        .without(&counting.exclude)
        .with(&counting.include);
    let counts =
        |class: &str| program.treatment(class) != Treatment::Not && !program.leaves_out(class);
    let (in_scope, hidden, all) = sums(&text, counts);
    let share = |of: u64| counted.bytecodes() as f64 / of as f64 * 100.0;
    Ok(Executed {
        in_scope,
        hidden,
        all,
        counted_in_scope_pct: share(in_scope),
        counted_pct: share(all),
    })
}

/// Bytecodes in scope, those of them in hidden classes, and all. JVMTI writes a dot behind the name of a hidden class.
fn sums(text: &str, in_scope: impl Fn(&str) -> bool) -> (u64, u64, u64) {
    let (mut inside, mut hidden, mut all) = (0, 0, 0);
    for line in text.lines() {
        let mut fields = line.split('\t');
        let (Some(count), Some(class)) = (fields.next(), fields.next()) else {
            continue;
        };
        let count: u64 = count.parse().unwrap_or(0);
        all += count;
        if in_scope(class) {
            inside += count;
            hidden += if class.contains('.') { count } else { 0 };
        }
    }
    (inside, hidden, all)
}

#[cfg(test)]
mod tests {
    #[test]
    fn steps_are_added_up_by_scope() {
        let text = "10\tA\tm\t()V\n5\tjava/X\tm\t()V\n2\tA$$Lambda.0x12\tm\t()V\nnonsense\n";
        let sums = super::sums(text, |class| class.starts_with('A'));
        assert_eq!(sums, (12, 2, 17));
    }
}
