//! Misspelt commands below one that takes a program as well: their first word is taken for that program.

use clap::Command;
use clap::error::ErrorKind;
use proofmark_jvm::nearest;
use proofmark_jvm::toolchain::shell_line;

/// What was probably meant by words that were not understood, such as `count compar a b`; none if nothing is near.
pub(super) fn meant(root: &Command, kind: ErrorKind, words: &[String]) -> Option<String> {
    if kind != ErrorKind::UnknownArgument {
        return None;
    }
    let is_command = |word: &String| root.find_subcommand(word).is_some();
    let at = words.iter().skip(1).position(is_command)? + 1;
    let below = at + 1;
    let (above, wrong) = (&words[at], words.get(below)?);
    let known = root.find_subcommand(above)?;
    let names = known.get_subcommands().map(Command::get_name);
    let right = nearest(wrong, names).filter(|right| right != wrong)?;
    let mut told = words.to_vec();
    "proofmark".clone_into(&mut told[0]);
    right.clone_into(&mut told[below]);
    Some(format!(
        "there is no command '{above} {wrong}'; did you mean: {}",
        shell_line(told.into_iter())
    ))
}
