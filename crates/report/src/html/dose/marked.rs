//! Sentences with commands and options in them.

use super::super::escape::{name, text};
use crate::together::together;

/// Commands that are not longer stay on one line, signs.
const SHORT: usize = 24;

/// The sentence with commands, which stand between backticks, and options of the JVM as code. Numbers keep their units, options
/// their values.
pub(super) fn marked(sentence: &str) -> String {
    let parts = sentence.split('`').enumerate();
    let parts = parts.map(|(at, part)| match at % 2 {
        1 => command(part),
        _ => prose(part),
    });
    parts.collect()
}

/// The same with every command in a block of its own, which scrolls by itself, and without the full stop behind it.
pub(super) fn in_blocks(sentences: &str) -> String {
    let parts = sentences.split('`').enumerate();
    let parts = parts.map(|(at, part)| match (at % 2, part.trim()) {
        (1, command) => format!(
            "<pre class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"command\"><code>{}</code></pre>",
            text(command)
        ),
        (_, "" | ".") => String::new(),
        (_, words) => format!("<p>{}</p>", prose(words)),
    });
    parts.collect()
}

/// Words that belong together with a space at which no line is broken. An option is whole, with its value and the sign behind it,
/// as long as it fits into a line: its hyphens are no places for a line to end.
fn prose(part: &str) -> String {
    let groups = together(part).into_iter().map(|words| {
        let whole = words.iter().any(|word| option(word).is_some());
        let words: Vec<String> = words.into_iter().map(word).collect();
        let words = words.join("&nbsp;");
        match whole {
            true => format!("<span class=\"keep\">{words}</span>"),
            false => words,
        }
    });
    groups.collect::<Vec<_>>().join(" ")
}

/// A command, to be copied: its spaces are spaces. What is kept together is so by the style sheet, as long as it fits into a line.
fn command(command: &str) -> String {
    let groups = together(command).into_iter().map(|words| match words[..] {
        [one] => text(one),
        _ => format!("<span class=\"keep\">{}</span>", text(&words.join(" "))),
    });
    let groups: Vec<String> = groups.collect();
    let class = match command.chars().count() <= SHORT {
        true => " class=\"keep\"",
        false => "",
    };
    format!("<code{class}>{}</code>", groups.join(" "))
}

fn word(word: &str) -> String {
    match option(word) {
        Some((option, end)) => format!("<code>{}</code>{}", text(option), text(end)),
        None => name(word),
    }
}

/// An option and the sign behind it, which may be none; nothing of another word.
fn option(word: &str) -> Option<(&str, &str)> {
    let option = word.strip_suffix([':', ',', ';', '.']).unwrap_or(word);
    let is_one = option.starts_with('-') && option.len() > 1;
    is_one.then(|| word.split_at(option.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_together_stays_on_a_line() {
        assert_eq!(
            marked("it shows 7.5 % of a.B.get, with --methods 4; more"),
            "it shows 7.5&nbsp;% of a<wbr>.B<wbr>.get, with <span class=\"keep\"><code>--methods</code>&nbsp;4;</span> more"
        );
    }

    /// A line would else end behind the first hyphen.
    #[test]
    fn options_are_whole() {
        assert_eq!(
            marked("start with -XX:+A -XX:+B: it is - right"),
            "start with <span class=\"keep\"><code>-XX:+A</code></span> \
             <span class=\"keep\"><code>-XX:+B</code>:</span> it is - right"
        );
    }

    #[test]
    fn every_command_has_a_block_of_its_own() {
        let block =
            "<pre class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"command\"><code>";
        assert_eq!(
            in_blocks(
                "It is open. This tells more, in about 4 min: `proofmark dose --runs 5 -- java 'A<B'`."
            ),
            format!(
                "<p>It is open. This tells more, in about 4&nbsp;min:</p>\
                 {block}proofmark dose --runs 5 -- java &#39;A&lt;B&#39;</code></pre>"
            )
        );
        assert_eq!(in_blocks("It is open."), "<p>It is open.</p>");
    }

    #[test]
    fn commands_are_copied_as_they_are() {
        assert_eq!(
            marked("try `proofmark dose --methods 4 -- java -jar app.jar`."),
            "try <code>proofmark dose <span class=\"keep\">--methods 4</span> -- java -jar app.jar</code>."
        );
        assert_eq!(
            marked("`java -cp . B`"),
            "<code class=\"keep\">java -cp . B</code>"
        );
    }
}
