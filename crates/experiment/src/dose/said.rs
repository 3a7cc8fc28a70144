//! What is said of a test, as one text and in parts, and where its sentences end.

use super::AdviceAbout;

/// Sentences about one thing: among others in a text, and alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// In a text, where a command may stand in brackets.
    pub text: String,
    /// Alone, where a command stands last.
    pub part: String,
}

impl From<String> for Said {
    fn from(said: String) -> Self {
        Self {
            part: said.clone(),
            text: said,
        }
    }
}

/// All that is said of a test.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// As one text.
    pub advice: String,
    /// The same in parts: what is wrong and what to do, then whatever else is known or would tell more, each with its command last.
    pub parts: Vec<String>,
    /// Whom and what the first part is about.
    pub about: AdviceAbout,
}

impl Told {
    /// That of these sentences, the first of which are about this.
    pub(super) fn of(all: impl Iterator<Item = Said>, about: AdviceAbout) -> Self {
        let all = all.map(|one| (one.text, one.part));
        let (texts, parts): (Vec<String>, Vec<String>) = all.unzip();
        Self {
            advice: texts.join(" "),
            parts,
            about,
        }
    }
}

/// The first sentence of a text, which is what a reader must see, and the rest, which may be empty. Commands, between backticks, are
/// not divided.
#[must_use]
pub fn first_sentence(said: &str) -> (&str, &str) {
    let mut inside = false;
    let end = said.char_indices().find_map(|(at, sign)| {
        inside ^= sign == '`';
        (!inside && said[at..].starts_with(". ")).then_some(at + 1)
    });
    let (first, rest) = said.split_at(end.unwrap_or(said.len()));
    (first, rest.trim_start())
}

/// How many sentences a text has, as [`first_sentence`] divides it.
pub(super) fn sentences(said: &str) -> usize {
    let (mut rest, mut number) = (said, 0);
    while !rest.is_empty() {
        (_, rest) = first_sentence(rest);
        number += 1;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::{first_sentence, sentences};

    #[test]
    fn the_first_sentence_stands_alone() {
        let two =
            "jfr is wrong about a.B.get: it shows 7.5 %; `java -cp . B` tells. More is open. Much.";
        let first = "jfr is wrong about a.B.get: it shows 7.5 %; `java -cp . B` tells.";
        assert_eq!(first_sentence(two), (first, "More is open. Much."));
        assert_eq!(first_sentence(first), (first, ""));
        assert_eq!([two, first, ""].map(sentences), [3, 1, 0]);
    }
}
