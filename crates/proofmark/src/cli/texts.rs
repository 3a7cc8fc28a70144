//! Options that several commands share, in the words of each: what it says of other commands helps nobody who asks for this one.

use clap::Command;

/// A command: the names that lead to it.
type Path<'p> = [&'p str];

/// The command with these options in its own words.
pub(super) fn own(command: Command, path: &Path<'_>) -> Command {
    command.mut_args(|option| match of(path, option.get_id().as_str()) {
        Some(text) => option.help(text),
        None => option,
    })
}

/// What an option of that id does for the command; none if what stands at the option says it.
fn of(path: &Path<'_>, option: &str) -> Option<&'static str> {
    Some(match (option, path) {
        ("jdk", ["dose" | "count"] | ["count", "overhead"]) => {
            "JDK to use, any from 17 on, if your command names no java by its path (else the java on PATH)."
        }
        ("jdk", ["count", _]) => "JDK to use, any from 17 on (else the java on PATH).",
        ("jdk", ["assess"]) => {
            "JDK to use: a JDK 25, with sites too if your command names no java by its path (else JAVA_HOME, PATH and the usual places are searched, for sites PATH alone)."
        }
        ("jdk", ["demo" | "evaluate"]) => {
            "JDK to use: a JDK 25, with sites too (else JAVA_HOME, PATH and the usual places are searched, for sites PATH alone)."
        }
        ("jdk", [_, ..]) => {
            "JDK to use: a JDK 25 (else JAVA_HOME, PATH and the usual places are searched)."
        }
        ("out", ["dose"]) => {
            "Directory for the results; a test that is begun again there starts over."
        }
        ("out", ["assess"]) => {
            "Directory for the results; an interrupted run in it is continued, but for its sites, which start over."
        }
        ("java", ["dose" | "divine"]) => {
            "Your program as you start it: -- java [OPTION...] -cp PATH CLASS [ARGUMENT...], -- java [OPTION...] -jar JAR [ARGUMENT...], or, of a native program, -- ./program [ARGUMENT...]"
        }
        ("runs", ["dose"]) => {
            "JVMs per profiler. JVMs inline differently, so each is judged by itself, and intervals are over JVMs (5 or more narrow them); one JVM tells nothing of others. A number that you give is exactly how many are asked [default: 4, and 2 more where these would probably decide]."
        }
        ("runs", ["assess"]) => {
            "JVMs per profiler, with sites and in the laboratory. JVMs inline differently, so each is judged by itself, and intervals are over JVMs (5 or more narrow them); one JVM tells nothing of others. With the same --out and more runs those of the laboratory are kept. A number that you give is exactly how many are asked [default: 4 with sites, and 2 more where these would probably decide; 1 in the laboratory]."
        }
        ("interval", ["dose"]) => {
            "Time between a profiler's samples, in ms (default of a JVM's: 0.2 for async-profiler, 1 for JFR)."
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Options whose texts were one for all commands.
    const SHARED: [&str; 4] = ["jdk", "out", "runs", "interval"];

    /// The texts of those options of every command below this one, with the command.
    fn texts(above: &Command, path: &str, all: &mut Vec<(String, String)>) {
        for command in above.get_subcommands() {
            let path = format!("{path} {}", command.get_name());
            let options = command.get_arguments().filter(|one| !one.is_hide_set());
            let shared = options.filter(|one| SHARED.contains(&one.get_id().as_str()));
            let said = shared.filter_map(clap::Arg::get_help);
            all.extend(said.map(|text| (path.clone(), text.to_string())));
            texts(command, &path, all);
        }
    }

    #[test]
    fn options_speak_of_no_other_command() {
        let mut all = Vec::new();
        texts(&super::super::command(), "", &mut all);
        assert!(all.len() > 20, "{all:?}");
        for (path, text) in &all {
            for other in ["assess", "count", "dose", "evaluate"] {
                let own = path.split(' ').any(|name| name == other);
                let mut words = text.split(|c: char| !c.is_alphanumeric());
                let named = words.any(|word| word == other);
                assert!(own || !named, "{path}: {text}");
            }
        }
        let of_dose = all.iter().filter(|(path, _)| path == " dose");
        let of_dose: Vec<&String> = of_dose.map(|(_, text)| text).collect();
        assert_eq!(of_dose.len(), SHARED.len(), "{of_dose:?}");
        let elsewhere = of_dose.iter().find(|text| text.contains("laboratory"));
        assert_eq!(elsewhere, None);
    }
    /// Who reads the list of commands has met none of our words yet.
    #[test]
    fn the_list_of_commands_names_graal_and_no_laboratory() {
        let command = super::super::command();
        let about = |one: &Command| {
            let about = one.get_about().map(ToString::to_string);
            about.unwrap_or_default()
        };
        for one in command.get_subcommands() {
            assert!(!about(one).contains("laboratory"), "{}", about(one));
        }
        let assess = command.find_subcommand("assess").expect("a command");
        assert!(about(assess).contains("under Graal"), "{}", about(assess));
    }
}
