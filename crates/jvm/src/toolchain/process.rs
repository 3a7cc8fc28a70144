//! Running a helper program to its end, with a limit on its time.

use std::io::{self, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// Time after which javac, jar and java are taken to hang.
pub(crate) const JDK_TOOL_LIMIT: Duration = Duration::from_secs(300);

/// Variables by which the environment changes what a JDK tool does; they are taken away from it.
const JDK_VARIABLES: [&str; 5] = [
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "JDK_JAVAC_OPTIONS",
    "CLASSPATH",
];

/// What a program left behind.
pub(crate) struct Finished {
    pub(crate) status: ExitStatus,
    /// Standard output and standard error as they came.
    pub(crate) output: String,
}

/// A command for a tool of the JDK that no environment variable can change.
pub(crate) fn jdk_tool(program: std::path::PathBuf) -> Command {
    let mut command = Command::new(program);
    for variable in JDK_VARIABLES {
        command.env_remove(variable);
    }
    command
}

/// Runs `command` without input until it ends, or kills it after `limit`.
pub(crate) fn run(command: &mut Command, limit: Duration) -> io::Result<Finished> {
    let (mut reader, writer) = io::pipe()?;
    command
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer);
    let mut child = command.spawn()?;
    // The command holds the pipe's write ends; without this the reader would never see the end.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = reader.read_to_end(&mut bytes);
        let _ = send.send(bytes);
    });
    match receive.recv_timeout(limit) {
        Ok(bytes) => Ok(Finished {
            status: child.wait()?,
            output: String::from_utf8_lossy(&bytes).into_owned(),
        }),
        Err(_) => {
            let _ = child.kill();
            let _ = child.wait();
            Err(io::Error::new(
                io::ErrorKind::TimedOut,
                format!("it did not end within {} s", limit.as_secs()),
            ))
        }
    }
}

/// The command as it can be pasted into a shell.
pub(crate) fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    shell_line(words.map(|word| word.to_string_lossy().into_owned()))
}

/// Words as one line for a shell: those that it would change are quoted, `-Dx=y` is not.
pub fn shell_line(words: impl Iterator<Item = String>) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@+%".contains(c);
    let quoted = |word: String| {
        if !word.is_empty() && word.chars().all(plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    };
    words.map(quoted).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_outputs_are_kept() {
        let done = run(
            Command::new("sh").args(["-c", "echo out; echo err >&2; exit 3"]),
            JDK_TOOL_LIMIT,
        )
        .unwrap();
        assert_eq!(
            (done.status.code(), done.output.as_str()),
            (Some(3), "out\nerr\n")
        );
    }

    #[test]
    fn a_hanging_program_is_killed() {
        let late = run(Command::new("sleep").arg("60"), Duration::from_millis(50))
            .err()
            .unwrap();
        assert_eq!(late.kind(), io::ErrorKind::TimedOut);
    }

    #[test]
    fn commands_are_shown_so_that_they_can_be_pasted() {
        let mut command = Command::new("javac");
        command.args(["-d", "a dir", "it's"]);
        assert_eq!(shown(&command), r"javac -d 'a dir' 'it'\''s'");
    }
}
