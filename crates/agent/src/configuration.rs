//! What the command wrote into a file for the agent: lines `name=value`.

use std::path::PathBuf;

use proofmark_classes::Scope;
use proofmark_rewrite::{Checks, DoseKind, Mode, Options, Place, Site, Work, unescaped};

/// What the agent does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// Rewrite classes.
    Count,
    /// Count every bytecode by an event of the JVM, with classes as they are.
    Step,
    /// Put sites into methods and say what is compiled.
    Sites,
}

/// The file's content.
#[derive(Clone, Debug)]
pub(crate) struct Configuration {
    pub(crate) task: Task,
    pub(crate) scope: Scope,
    pub(crate) java_home: PathBuf,
    pub(crate) release: u32,
    /// The runtime's jar, for the boot class path ([`Scope::Application`]).
    pub(crate) runtime: Option<PathBuf>,
    /// Class files of the runtime in the order in which they are defined ([`Scope::Jdk`]).
    pub(crate) define: Vec<PathBuf>,
    /// Where the agent writes what it did.
    pub(crate) directory: PathBuf,
    /// A file that its owner holds a lock of: this JVM does not outlive it.
    pub(crate) owner: Option<PathBuf>,
    /// Prefixes of classes that are left alone.
    pub(crate) excluded: Vec<String>,
    /// Prefixes of classes of the JDK that count as the application's.
    pub(crate) included: Vec<String>,
    pub(crate) options: Options,
    /// What is wanted of which class (internal name).
    pub(crate) sites: Vec<(String, Wanted)>,
    /// Internal name of the class that takes the program's exits.
    pub(crate) exits: Option<String>,
    /// What names of threads begin with that are not the program's.
    pub(crate) not_program: Vec<String>,
}

/// What is wanted of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// The method, by the number of a site.
    pub(crate) site: Site,
    /// The site is put there; else its method is only watched.
    pub(crate) placed: bool,
}

impl Configuration {
    /// Reads the file's text; an error says which line.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut configuration = Self {
            task: Task::Count,
            scope: Scope::Application,
            java_home: PathBuf::new(),
            release: 0,
            runtime: None,
            define: Vec::new(),
            directory: PathBuf::new(),
            owner: None,
            excluded: Vec::new(),
            included: Vec::new(),
            options: Options::default(),
            sites: Vec::new(),
            exits: None,
            not_program: Vec::new(),
        };
        for line in text.lines() {
            let pair = line.split_once('=').ok_or_else(|| line.to_owned());
            let (name, value) = pair?;
            configuration
                .set(name, value)
                .ok_or_else(|| line.to_owned())?;
        }
        Ok(configuration)
    }

    fn set(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "task" => {
                self.task = match value {
                    "count" => Task::Count,
                    "step" => Task::Step,
                    "sites" => Task::Sites,
                    _ => return None,
                }
            }
            "scope" => {
                self.scope = match value {
                    "application" => Scope::Application,
                    "jdk" => Scope::Jdk,
                    _ => return None,
                }
            }
            "java_home" => self.java_home = value.into(),
            "release" => self.release = value.parse().ok()?,
            "runtime" => self.runtime = Some(value.into()),
            "define" => self.define.push(value.into()),
            "directory" => self.directory = value.into(),
            "owner" => self.owner = Some(value.into()),
            "exclude" => self.excluded.push(value.into()),
            "include" => self.included.push(value.into()),
            "prefix" => self.options.runtime = value.into(),
            "mode" => {
                self.options.mode = match value {
                    "sampled" => Mode::Sampling,
                    "exact" => Mode::Exact,
                    _ => return None,
                }
            }
            "checks" => {
                self.options.checks = match value {
                    "calls" => Checks::Calls,
                    "every-block" => Checks::EveryBlock,
                    max_path => Checks::Paths {
                        max_path: max_path.parse().ok()?,
                    },
                }
            }
            "site" => self.sites.push(site(value)?),
            "exits" => self.exits = Some(value.into()),
            "not_program" => self.not_program.push(value.into()),
            "leaf" => self.options.leaf = value.parse().ok()?,
            _ => return None,
        }
        Some(())
    }
}

/// `INDEX<tab>CLASS<tab>METHOD<tab>DESCRIPTOR<tab>PLACE<tab>WORK`; names are [escaped](proofmark_rewrite::escaped), and an empty
/// descriptor stands for all overloads; places are `entry`, the number of a loop, `branch:` and that of a branch, or `watch`, and begin with `gated:` where the site is; work is the number of steps in a turn of arithmetic, `copy:8` and the like
/// for [others](DoseKind::name), or `count`.
fn site(value: &str) -> Option<(String, Wanted)> {
    let words: Vec<&str> = value.split('\t').collect();
    let [index, class, method, descriptor, place, work] = words.as_slice() else {
        return None;
    };
    let (place, gated) = match place.strip_prefix("gated:") {
        Some(place) => (place, true),
        None => (*place, false),
    };
    let site = Site {
        index: index.parse().ok()?,
        method: unescaped(method),
        descriptor: (!descriptor.is_empty()).then(|| unescaped(descriptor)),
        gated,
        place: match place {
            "entry" | "watch" => Place::Entry,
            number => match number.strip_prefix("branch:") {
                Some(number) => Place::Branch(number.parse().ok()?),
                None => Place::Loop(number.parse().ok()?),
            },
        },
        work: match *work {
            "count" => Work::Count,
            work => {
                let (turn, steps) = match work.split_once(':') {
                    Some((name, steps)) => (DoseKind::named(name)?, steps),
                    None => (DoseKind::Arithmetic, work),
                };
                let steps = steps.parse().ok()?;
                Work::Turns { turn, steps }
            }
        },
    };
    let placed = place != "watch";
    Some((unescaped(class), Wanted { site, placed }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(words: &str) -> Option<(Place, bool)> {
        let text = format!("7\tjson/Reader\tread\t(I)V\t{words}");
        let (class, wanted) = site(&text)?;
        assert_eq!((class.as_str(), wanted.site.index), ("json/Reader", 7));
        Some((wanted.site.place, wanted.placed))
    }

    #[test]
    fn a_site_says_where_it_is() {
        assert_eq!(placed("entry\t16"), Some((Place::Entry, true)));
        assert_eq!(placed("2\t16"), Some((Place::Loop(2), true)));
        assert_eq!(placed("branch:3\t16"), Some((Place::Branch(3), true)));
        assert_eq!(placed("gated:2\t16"), Some((Place::Loop(2), true)));
        assert_eq!(placed("watch\t16"), Some((Place::Entry, false)));
        for unknown in [
            "branch:\t16",
            "branch:-1\t16",
            "branch3\t16",
            "\t16",
            "entry",
        ] {
            assert_eq!(placed(unknown), None, "{unknown:?}");
        }
    }

    /// As tools that write class files may name what nobody can name in Java.
    #[test]
    fn names_may_have_tabs_and_ends_of_lines() {
        let text = "task=sites\nsite=0\ta\\tB\trun\\n\\\\1\t(La\\rC;)V\tentry\t8\nexits=E\n";
        let read = Configuration::parse(text).unwrap();
        let (class, wanted) = &read.sites[0];
        assert_eq!(
            (class.as_str(), wanted.site.method.as_str()),
            ("a\tB", "run\n\\1")
        );
        assert_eq!(wanted.site.descriptor.as_deref(), Some("(La\rC;)V"));
        assert_eq!(read.exits.as_deref(), Some("E"));
    }

    #[test]
    fn a_site_says_what_its_turns_do() {
        let gated = |place| {
            let text = format!("0\tA\tf\t\t{place}\t16");
            site(&text).is_some_and(|(_, wanted)| wanted.site.gated)
        };
        assert!(gated("gated:entry") && !gated("entry"));
        let work = |words: &str| {
            let text = format!("0\tA\tf\t\tentry\t{words}");
            site(&text).map(|(_, wanted)| (wanted.site.work, wanted.site.descriptor))
        };
        let turns = |turn, steps| Some((Work::Turns { turn, steps }, None));
        assert_eq!(work("count"), Some((Work::Count, None)));
        assert_eq!(work("64"), turns(DoseKind::Arithmetic, 64));
        assert_eq!(work("copy:8"), turns(DoseKind::Copy, 8));
        assert_eq!(work("nothing:8"), None);
        assert_eq!(work("copy:"), None);
    }

    #[test]
    fn a_line_that_is_not_understood_is_named() {
        let text = "task=sites\nsite=0\tA\tf\t\tbranch:x\t8\n";
        let problem = Configuration::parse(text).err();
        assert_eq!(problem.as_deref(), Some("site=0\tA\tf\t\tbranch:x\t8"));
    }
}
