//! One identity per method, however a profiler spells it.

mod class_name;
mod decoration;
mod descriptor;
mod parse;

use std::fmt;

use serde::{Deserialize, Serialize};

pub(crate) use decoration::{Decoration, strip_annotation};

/// A method: class with dots, name, and the descriptor where the source tells it.
///
/// Two spellings of one method are equal after parsing:
///
/// ```
/// use proofmark_profile::MethodId;
///
/// let a = MethodId::parse("json/JsonParser.read(ILjava/lang/String;)V").unwrap();
/// let b = MethodId::parse("void json.JsonParser.read(int, java.lang.String)").unwrap();
/// assert_eq!(a, b);
/// assert_eq!(a.short(), "JsonParser.read");
/// ```
///
/// A native or kernel symbol is a method with an empty class.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MethodId {
    /// Class with packages, dotted: `java.util.Map$Entry`. The class of a lambda ends in `$$Lambda`, without the
    /// number or address that changes from run to run.
    pub class: String,
    /// Name as in the class file: `getRowColumn`, `<init>`, `lambda$run$0`.
    pub name: String,
    /// JVM descriptor, `(ILjava/lang/String;)V`. A source that gives Java types without the return type yields
    /// `(ILjava/lang/String;)`, one that gives types without packages `(ILString;)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub descriptor: Option<String>,
}

impl MethodId {
    /// A method from the parts that most sources have; class in any spelling, descriptor only in the JVM's (anything
    /// else is dropped).
    #[must_use]
    pub fn new(class: &str, name: &str, descriptor: Option<&str>) -> Self {
        Self {
            class: class_name::normalise(class),
            name: name.to_owned(),
            descriptor: descriptor.and_then(descriptor::from_jvm),
        }
    }

    /// A symbol that belongs to no class: native, kernel or VM code.
    #[must_use]
    pub fn symbol(name: &str) -> Self {
        Self {
            class: String::new(),
            name: decoration::clean_symbol(name),
            descriptor: None,
        }
    }

    /// Reads any spelling of a Java method; `None` if the text cannot be one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        parse::java(text)
    }

    /// Simple class name and method, for people: `Queens.getRowColumn`.
    #[must_use]
    pub fn short(&self) -> String {
        if self.class.is_empty() {
            return self.name.clone();
        }
        let simple = self.class.rsplit('.').next().unwrap_or(&self.class);
        format!("{simple}.{}", self.name)
    }

    /// The same without the descriptor, so that overloads become one.
    #[must_use]
    pub fn without_descriptor(&self) -> Self {
        Self {
            descriptor: None,
            ..self.clone()
        }
    }
}

impl fmt::Display for MethodId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.class.is_empty() {
            write!(f, "{}.", self.class)?;
        }
        write!(
            f,
            "{}{}",
            self.name,
            self.descriptor.as_deref().unwrap_or("")
        )
    }
}
