//! How a test is asked for again, with more of what it had.

/// The command that takes all options that are named.
const COMMAND: &str = "proofmark dose";
/// What the program's own command begins with.
const OWN_BEGINS: &str = "-- ";
/// How the path of a `java` ends that a shell would take for several words.
const QUOTED_JAVA: &str = "/java'";

/// The same test, as words of `proofmark dose`, quoted for a shell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Again {
    /// What names the program in front of the options: `suite:Queens`; empty where its own command stands last.
    pub program: String,
    /// Options that were asked for, with their values: `--methods`, `3`.
    pub options: Vec<(String, String)>,
    /// The program's own command: `-- java -jar app.jar`; empty where it has none.
    pub command: String,
}

impl Again {
    /// That of a program with a name, where the command at hand takes none of these options itself.
    #[must_use]
    pub fn named(program: String, profilers: &[String], methods: usize, runs: usize) -> Self {
        let option = |name: &str, value: String| (name.to_owned(), value);
        Self {
            program,
            options: vec![
                option("--profiler", profilers.join(",")),
                option("--methods", methods.to_string()),
                option("--runs", runs.to_string()),
            ],
            command: String::new(),
        }
    }

    /// The whole command with these options, which stand in the place of those of the same name; between backticks, so that
    /// it is seen where it ends.
    #[must_use]
    pub fn with(&self, options: &str) -> String {
        let named = |name: &str| options.split(' ').any(|word| word == name);
        let mut words = vec![COMMAND.to_owned(), self.program.clone()];
        let kept = self.options.iter().filter(|(name, _)| !named(name));
        words.extend(kept.map(|(name, value)| format!("{name} {value}")));
        words.extend([options.to_owned(), self.command.clone()]);
        words.retain(|word| !word.is_empty());
        format!("`{}`", words.join(" "))
    }

    /// The whole command with these options, whose JVM has one more option, right behind `java`; none where the program has no command of
    /// its own.
    #[must_use]
    pub fn in_jvm_with(&self, jvm_option: &str, options: &str) -> Option<String> {
        let own = self.command.strip_prefix(OWN_BEGINS)?;
        let end = match own.starts_with('\'') {
            true => own.find(QUOTED_JAVA)? + QUOTED_JAVA.len(),
            false => own.find(' ')?,
        };
        let (java, rest) = own.split_at(end);
        let other = Self {
            command: format!("{OWN_BEGINS}{java} {jvm_option}{rest}"),
            ..self.clone()
        };
        Some(other.with(options))
    }

    /// The whole command without this option, which then has its usual value.
    #[must_use]
    pub fn without(&self, name: &str) -> String {
        let options = self.options.iter().filter(|(one, _)| one != name);
        let other = Self {
            options: options.cloned().collect(),
            ..self.clone()
        };
        other.with("")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(options: &[(&str, &str)]) -> Vec<(String, String)> {
        let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        options.iter().map(pair).collect()
    }

    #[test]
    fn the_programs_own_command_stands_last() {
        let again = Again {
            options: pairs(&[("--runs", "3"), ("--margin", "3")]),
            command: "-- java -jar words.jar 'a text.txt'".into(),
            ..Again::default()
        };
        assert_eq!(
            again.with("--runs 4 --budget 20"),
            "`proofmark dose --margin 3 --runs 4 --budget 20 -- java -jar words.jar 'a text.txt'`"
        );
    }

    #[test]
    fn an_option_of_the_jvm_stands_behind_java() {
        let said = |command: &str| {
            let again = Again {
                options: pairs(&[("--method", "A.put"), ("--runs", "3")]),
                command: command.into(),
                ..Again::default()
            };
            again.in_jvm_with("-Xint", "--method A.get")
        };
        assert_eq!(
            said("-- java -jar words.jar 'a text.txt'").as_deref(),
            Some(
                "`proofmark dose --runs 3 --method A.get -- java -Xint -jar words.jar 'a text.txt'`"
            )
        );
        assert_eq!(
            said("-- '/my jdk/bin/java' -cp . A").as_deref(),
            Some("`proofmark dose --runs 3 --method A.get -- '/my jdk/bin/java' -Xint -cp . A`")
        );
        assert_eq!(said(""), None);
    }

    #[test]
    fn a_name_stands_first() {
        let again = Again::named("suite:Queens".into(), &["jfr".into(), "async".into()], 3, 1);
        assert_eq!(
            again.with("--runs 3"),
            "`proofmark dose suite:Queens --profiler jfr,async --methods 3 --runs 3`"
        );
        assert_eq!(
            again.without("--runs"),
            "`proofmark dose suite:Queens --profiler jfr,async --methods 3`"
        );
        assert_eq!(
            Again::default().with("--runs 3"),
            "`proofmark dose --runs 3`"
        );
    }
}
