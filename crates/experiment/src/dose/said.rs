//! What is said of a test, as one text and in parts.

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
}

impl Told {
    /// That of these sentences.
    pub(super) fn of(all: impl Iterator<Item = Said>) -> Self {
        let all = all.map(|one| (one.text, one.part));
        let (texts, parts): (Vec<String>, Vec<String>) = all.unzip();
        Self {
            advice: texts.join(" "),
            parts,
        }
    }
}
