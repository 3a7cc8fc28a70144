//! The `proofmark` command: how wrong is a profiler on your own program?
//!
//! Arguments -> [`Request`](proofmark::request::Request) -> checks that need no JVM -> [`commands`] -> exit code.

use std::process::ExitCode;

use proofmark::cli::{self, Arguments, Parsed};
use proofmark::request::Format;
use proofmark::surroundings::Surroundings;
use proofmark::{check, commands, console, exit, leftover};

fn main() -> ExitCode {
    let result = cli::parse().and_then(|parsed| match parsed {
        Parsed::Arguments(arguments) => run(*arguments),
        Parsed::Forwarded(request) => {
            commands::run(&request, &Surroundings::new(Format::Text, None, true))
        }
        Parsed::Answered(code) => Ok(code),
    });
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            let text = format!("proofmark: {}", exit::chain(&error));
            console::say(&console::fitting(&text));
            let code = exit::code_of(&error);
            if code != exit::INTERRUPTED {
                leftover::remove(&text);
            }
            ExitCode::from(code)
        }
    }
}

fn run(arguments: Arguments) -> anyhow::Result<u8> {
    let around = Surroundings::new(arguments.format, arguments.jdk.as_deref(), arguments.quiet);
    let around = Surroundings {
        details: arguments.details,
        ..around
    };
    let result = arguments.command.request().and_then(|request| {
        check::check(&request, &around)?;
        if request.has_processes() {
            around.answer_interrupts();
        }
        commands::run(&request, &around)
    });
    around.progress.finish();
    result
}
