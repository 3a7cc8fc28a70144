//! Writes the file.

use std::fmt::Write as _;

use proofmark_rewrite::escaped;

use super::{CountFile, CountMode, CountScope, CountThread, ThreadKind};

impl CountFile {
    /// The file's text; of a canonical profile, the same for the same content.
    #[must_use]
    pub fn to_text(&self) -> String {
        let settings = &self.settings;
        let mode = match settings.mode {
            CountMode::Sampled => "sampled",
            CountMode::Exact => "exact",
        };
        let scope = match settings.scope {
            CountScope::Application => "application",
            CountScope::Jdk => "jdk",
        };
        let mut text = format!(
            "proofmark-count\t2\nmode\t{mode}\ngranularity\t{}\nrandom\t{}\nseed\t{}\nscope\t{scope}\n",
            settings.granularity, settings.random, settings.seed
        );
        for (at, method) in self.methods.iter().enumerate() {
            let descriptor = method.descriptor.as_deref().unwrap_or("");
            let parts: [&str; 3] = [&method.class, &method.name, descriptor];
            let [class, name, descriptor] = parts.map(escaped);
            line(
                &mut text,
                format_args!("method\t{at}\t{class}\t{name}\t{descriptor}"),
            );
        }
        for thread in &self.threads {
            put_thread(&mut text, thread);
        }
        let length = text.len();
        line(&mut text, format_args!("end\t{length}"));
        text
    }
}

fn put_thread(text: &mut String, thread: &CountThread) {
    let kind = match thread.kind {
        ThreadKind::Platform => "platform",
        ThreadKind::Virtual => "virtual",
        ThreadKind::Initialisers => "initialisers",
    };
    let state = if thread.ended { "ended" } else { "running" };
    line(
        text,
        format_args!(
            "thread\t{kind}\t{state}\t{}\t{}\t{}\t{}\t{}",
            thread.bytecodes,
            thread.samples,
            thread.rest,
            thread.lost,
            escaped(&thread.name)
        ),
    );
    for context in &thread.contexts {
        line(
            text,
            format_args!(
                "{}\t{}\t{}\t{}",
                context.depth, context.method, context.bytecodes, context.samples
            ),
        );
    }
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    writeln!(text, "{arguments}").expect("writing to a string");
}
