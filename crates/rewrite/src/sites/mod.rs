//! Sites: short loops in chosen methods, whose number of turns is read from a field.
//!
//! Both a low and a high number of turns run the same machine code: only the field's value differs, so that what the
//! program's time grows by was spent in that method, at that line. A field's lower six bits are the turns; above them is
//! an odd number that the loop squares, if its turns are arithmetic; 0 is a site at rest. Other sites only count in that
//! field how often they are reached.
//!
//! | module | what |
//! | --- | --- |
//! | `body` | the loop as bytecode |
//! | `kind`, `turn` | what it does in a turn |
//! | `place` | where it goes: the entry, behind `super(...)`, loop heads |
//! | `branches` | parts of a method that are not always run |
//! | `insert` | classes with sites |
//! | `edit` | the code of a method with sites |
//! | `exits`, `lines` | calls that would end the JVM; lines of a method |
//! | `gate` | whether a site's code is there at all |
//! | `fields` | the class that holds the fields, and what turns work on |

mod body;
mod branches;
mod edit;
mod exits;
mod fields;
mod gate;
mod insert;
mod kind;
mod lines;
mod place;
mod turn;

pub use fields::{FIELDS_CLASS, fields_class};
pub use gate::{gate_class, gate_name, gate_of};
pub use insert::insert_sites;
pub use kind::DoseKind;
pub use turn::{ADDED, COPIED, MOST_STEPS};

/// Most turns that a site makes. C2 puts no safepoint poll into a loop that it knows to be so short.
pub const MOST_TURNS: u16 = 63;

/// A wanted site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Its number: which field of [`FIELDS_CLASS`] says how many turns it makes.
    pub index: u16,
    /// Name of the method.
    pub method: String,
    /// Its descriptor; none: all methods of that name.
    pub descriptor: Option<String>,
    /// Where in the method.
    pub place: Place,
    /// What it does.
    pub work: Work,
    /// Its code is there only while its [gate](gate_class) is open.
    pub gated: bool,
}

/// What a site does when the program comes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Work {
    /// As many turns as its field says.
    Turns {
        /// What each of them does.
        turn: DoseKind,
        /// How much of it, in steps: at most [`MOST_STEPS`].
        steps: u16,
    },
    /// Adds 1 to its field, which so says how often the program came by, modulo 2^32.
    Count,
}

/// Where in a method a site stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Where the method is entered, in constructors behind the call of the other constructor.
    Entry,
    /// In front of the loop body with this number, from 0 in the order of the code.
    Loop(u16),
    /// Where a part of the method begins that is not always run, with this number, from 0 in the order of the code: behind a
    /// conditional branch, or where a branch from further up goes. It is no loop's head, and nothing is on the operand stack.
    Branch(u16),
}

/// A site that is in the class now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The site's number.
    pub index: u16,
    /// Descriptor of the method.
    pub descriptor: String,
    /// The line that stands there, if the class says lines.
    pub line: Option<u16>,
    /// Bytecode index where the loop begins.
    pub begin: u16,
    /// Bytecode index behind the loop.
    pub end: u16,
}

/// A site that could not be put into a method, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The site's number.
    pub index: u16,
    /// Descriptor of the method; empty where there is no such method.
    pub descriptor: String,
    /// Why not.
    pub reason: crate::Reason,
}

/// A class with sites.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sited {
    /// The new class file; none if nothing was changed.
    pub bytes: Option<Vec<u8>>,
    /// What is in it.
    pub placed: Vec<Placed>,
    /// What is not.
    pub refused: Vec<Refused>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_turn_works_on_is_as_long_as_its_instructions_can_say() {
        let most = [COPIED, ADDED].map(|one| u32::from(one) * u32::from(MOST_STEPS));
        // The harness makes arrays of so many bytes and numbers.
        assert_eq!(most, [1 << 14, 1 << 13]);
    }
}
