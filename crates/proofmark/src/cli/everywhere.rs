//! Options of every command: which of them a command takes, in its help and on its command line.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Command, ValueEnum};

use super::workload::usage;
use crate::request::Format;

const FORMAT: &str = "format";
const DETAILS: &str = "details";
const JDK: &str = "jdk";
const QUIET: &str = "quiet";

/// What a command takes of the options of every command.
struct Takes {
    formats: &'static [Format],
    details: bool,
    jdk: bool,
    quiet: bool,
}

fn takes(path: &[&str]) -> Takes {
    use Format::{Collapsed, Csv, Json, Pprof, Text};
    let (formats, jdk): (&[Format], bool) = match path {
        ["import"] => (&[Text, Json, Collapsed, Pprof], false),
        ["diff"] | ["study", "analyze"] => (&[Text, Json, Csv], false),
        // What the commands below it take.
        ["study"] => (&[Text, Json, Csv], true),
        ["count", "compare" | "show"] => (&[Text, Json], false),
        ["speedup" | "race" | "slots"] => (&[Text, Json], false),
        ["completions" | "man" | "cc" | "c++" | "rustc"] => (&[Text], false),
        _ => (&[Text, Json], true),
    };
    Takes {
        formats,
        details: matches!(path, ["dose" | "assess" | "demo"]),
        jdk,
        // All words behind these are a compiler's.
        quiet: !matches!(path, ["cc" | "c++" | "rustc"]),
    }
}

/// The command line with these options as each command takes them, and what commands do in one form: no full stop behind
/// it in lists.
pub(super) fn adapted(root: Command) -> Command {
    root.clone()
        .mut_subcommands(|sub| of_command(&root, sub, &[]))
}

fn of_command(root: &Command, command: Command, above: &[&str]) -> Command {
    let name = command.get_name().to_owned();
    let path: Vec<&str> = above.iter().copied().chain([name.as_str()]).collect();
    let command = command.mut_subcommands(|sub| of_command(root, sub, &path));
    let takes = takes(&path);
    let options = root.get_arguments().filter_map(|option| {
        let option = option.clone();
        match option.get_id().as_str() {
            FORMAT => Some(
                option
                    .value_parser(parser(takes.formats))
                    .hide(takes.formats.len() < 2),
            ),
            DETAILS => Some(option.hide(!takes.details)),
            JDK => Some(option.hide(!takes.jdk)),
            QUIET => Some(option.hide(!takes.quiet)),
            _ => None,
        }
    });
    let about = command
        .get_long_about()
        .map(|about| flowing(&about.to_string()));
    let short = command.get_about().map(|about| {
        let about = about.to_string();
        about.strip_suffix('.').unwrap_or(&about).to_owned()
    });
    let command = super::texts::own(command.args(options), &path);
    let command = match short {
        Some(short) => command.about(short),
        None => command,
    };
    match about {
        Some(about) => command.long_about(about),
        None => command,
    }
}

/// Text whose paragraphs are one line each: the terminal decides where they break. Indented lines, examples, stay.
fn flowing(text: &str) -> String {
    let mut out = String::new();
    let mut before = "";
    for line in text.lines() {
        let goes_on = is_prose(before) && is_prose(line) && !before.ends_with(':');
        if !out.is_empty() {
            out.push(if goes_on { ' ' } else { '\n' });
        }
        out.push_str(line);
        before = line;
    }
    out
}

fn is_prose(line: &str) -> bool {
    !line.is_empty() && !line.starts_with(' ')
}

/// Of the names of these formats.
fn parser(formats: &'static [Format]) -> impl TypedValueParser<Value = Format> {
    let values = formats.iter().filter_map(ValueEnum::to_possible_value);
    PossibleValuesParser::new(values).try_map(|name| Format::from_str(&name, false))
}

/// Refuses options that stand in front of a command that does not take them.
///
/// # Errors
/// With the option and what the command takes.
pub(super) fn check(matches: &ArgMatches) -> anyhow::Result<()> {
    let mut path = Vec::new();
    let mut leaf = matches;
    while let Some((name, below)) = leaf.subcommand() {
        path.push(name);
        leaf = below;
    }
    let takes = takes(&path);
    let command = path.join(" ");
    let given = |id| matches.value_source(id) == Some(clap::parser::ValueSource::CommandLine);
    if given(JDK) && !takes.jdk {
        return Err(usage(&format!(
            "{command} takes no --jdk: it starts no JVM"
        )));
    }
    if given(DETAILS) && !takes.details {
        return Err(usage(&format!(
            "{command} takes no --details: it prints all that it knows"
        )));
    }
    match matches.get_one::<Format>(FORMAT) {
        Some(format) if !takes.formats.contains(format) => {
            let known: Vec<&str> = takes.formats.iter().map(|format| format.name()).collect();
            Err(usage(&format!(
                "{command} cannot write --format {}; it writes: {}",
                format.name(),
                known.join(", ")
            )))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The source has full stops behind some, which only whoever writes it sees.
    #[test]
    fn what_commands_do_is_said_in_one_form() {
        fn all(command: &Command, out: &mut Vec<String>) {
            out.extend(command.get_about().map(ToString::to_string));
            for sub in command.get_subcommands() {
                all(sub, out);
            }
        }
        let mut texts = Vec::new();
        all(&super::super::command(), &mut texts);
        assert!(texts.len() > 20, "{texts:?}");
        let with_stop = texts.iter().find(|text| text.ends_with('.'));
        assert_eq!(with_stop, None);
    }

    /// Else a narrow terminal breaks lines that are broken already.
    #[test]
    fn paragraphs_of_help_are_not_broken_beforehand() {
        fn all(command: &Command, out: &mut Vec<String>) {
            let own = [
                command.get_about(),
                command.get_long_about(),
                command.get_after_help(),
                command.get_after_long_help(),
            ];
            let options = command.get_arguments();
            let of_options = options.flat_map(|one| [one.get_help(), one.get_long_help()]);
            let texts = own.into_iter().chain(of_options).flatten();
            out.extend(texts.map(ToString::to_string));
            for sub in command.get_subcommands() {
                all(sub, out);
            }
        }
        let mut texts = Vec::new();
        all(&super::super::command(), &mut texts);
        assert!(texts.len() > 100, "{texts:?}");
        for text in texts {
            let lines: Vec<&str> = text.lines().collect();
            let broken = lines
                .windows(2)
                .find(|two| is_prose(two[0]) && is_prose(two[1]) && !two[0].ends_with(':'));
            assert_eq!(broken, None, "{text}");
            let examples = lines.iter().filter(|line| line.starts_with("  proofmark "));
            assert_eq!(text.matches("\n  proofmark ").count(), examples.count());
        }
    }
}
