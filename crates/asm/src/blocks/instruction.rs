//! What an instruction does with control.

use crate::line::without_comment;

/// Words in front of an instruction that belong to it.
const PREFIXES: [&str; 18] = [
    "lock", "rep", "repe", "repz", "repne", "repnz", "notrack", "bnd", "data16", "rex64", "rex",
    "rex.W", "addr32", "cs", "ds", "ss", "xacquire", "xrelease",
];

/// What becomes of control behind an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Control<'t> {
    /// It goes on.
    Next,
    /// It comes back, if it does.
    Call,
    /// It goes there.
    Jump(&'t str),
    /// It goes there or on.
    Branch(&'t str),
    /// It goes somewhere else.
    Indirect,
    /// It leaves the function.
    Leaves,
    /// Such a function is left alone.
    Unfit,
}

/// An instruction, or the prefix of the one to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Instruction<'t> {
    /// Its first word behind all prefixes; of a lone prefix that.
    pub(super) mnemonic: &'t str,
    /// What becomes of control.
    pub(super) control: Control<'t>,
    /// The instruction itself stands in the next line.
    pub(super) prefix_only: bool,
    /// It begins an access to thread-local storage, which ends with a call and is rewritten as a whole by the linker.
    pub(super) begins_access: bool,
}

impl<'t> Instruction<'t> {
    /// Understands the text of a line.
    pub(super) fn of(text: &'t str) -> Self {
        let text = without_comment(text);
        // `rep; ret`
        let mut parts = text.split(';').map(str::trim).filter(|one| !one.is_empty());
        let last = parts.next_back().unwrap_or_default();
        let (mnemonic, operands, prefix_only) = words(last);
        let several = parts.any(|one| !words(one).2);
        let control = match several {
            true => Control::Unfit,
            false if prefix_only => Control::Next,
            false => control(mnemonic, operands),
        };
        let access = ["@tlsgd", "@tlsld", "@tlsdesc"];
        let text = text.to_ascii_lowercase();
        Instruction {
            mnemonic,
            control,
            prefix_only,
            begins_access: access.iter().any(|one| text.contains(one)),
        }
    }
}

/// First word behind all prefixes, what stands behind it, and whether there are only prefixes.
fn words(text: &str) -> (&str, &str, bool) {
    let mut rest = text;
    loop {
        let (word, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let behind = behind.trim();
        if !PREFIXES.contains(&word) {
            return (word, behind, false);
        }
        if behind.is_empty() {
            return (word, "", true);
        }
        rest = behind;
    }
}

fn control<'t>(mnemonic: &'t str, operands: &'t str) -> Control<'t> {
    let target = operands.trim_matches('"');
    match mnemonic {
        "ud2" | "hlt" => Control::Leaves,
        "jrcxz" | "jecxz" | "jcxz" | "xbegin" => Control::Unfit,
        "jmp" | "jmpq" if operands.starts_with('*') => Control::Indirect,
        "jmp" | "jmpq" => Control::Jump(target),
        _ if mnemonic.starts_with("ret") || mnemonic.starts_with("iret") => Control::Leaves,
        _ if mnemonic.starts_with("loop") => Control::Unfit,
        _ if mnemonic.starts_with('j') => Control::Branch(target),
        _ if mnemonic.starts_with("call") => Control::Call,
        _ => Control::Next,
    }
}

/// The names in operands: not those of registers.
pub(super) fn names(operands: &str) -> impl Iterator<Item = &str> {
    let of_name = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == '.';
    let starts = operands
        .match_indices(of_name)
        .map(|(at, _)| at)
        .filter(move |at| !operands[..*at].ends_with(of_name));
    starts.filter_map(move |at| {
        let name = operands[at..].split(|sign: char| !of_name(sign)).next()?;
        let number = name.starts_with(|sign: char| sign.is_ascii_digit());
        (!number && !operands[..at].ends_with('%')).then_some(name)
    })
}

/// Whether the programmer's own assembly does with control what cannot be followed.
pub(super) fn takes_control(text: &str) -> bool {
    let word = |word: &str| {
        let word = word.trim_start_matches(|sign: char| sign.is_ascii_digit() || sign == ':');
        let other = !matches!(control(word, ""), Control::Next);
        other && word.chars().all(|sign| sign.is_ascii_lowercase())
    };
    let mut words = without_comment(text).split(|sign: char| sign.is_whitespace() || sign == ';');
    words.any(word)
}
