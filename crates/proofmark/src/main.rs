//! The `proofmark` command: how wrong is a profiler on your own program?
//!
//! Arguments -> [`Request`](proofmark::request::Request) -> checks that need no JVM -> [`commands`] -> exit code.

use std::process::ExitCode;

use clap::Parser;
use proofmark::cli::Arguments;
use proofmark::surroundings::Surroundings;
use proofmark::{check, commands, exit};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let around = Surroundings::new(arguments.format, arguments.jdk.as_deref(), arguments.quiet);
    let result = arguments.command.request().and_then(|request| {
        check::check(&request, &around)?;
        if request.has_processes() {
            around.answer_interrupts();
        }
        commands::run(&request, &around)
    });
    around.progress.finish();
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            anstream::eprintln!("proofmark: {}", exit::chain(&error));
            ExitCode::from(exit::code_of(&error))
        }
    }
}
