//! Why the JVM does not take another file of a class.

use std::ffi::c_int;
use std::fmt;

const INVALID_CLASS_FORMAT: c_int = 60;
const FAILS_VERIFICATION: c_int = 62;

/// The number of an error of JVMTI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refusal(pub(super) c_int);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            INVALID_CLASS_FORMAT | FAILS_VERIFICATION => {
                f.write_str("the JVM's verifier refuses its class with sites in it")?;
            }
            error => write!(
                f,
                "the JVM refuses to change its class (JVMTI error {error})"
            )?,
        }
        f.write_str(", and so the class is left alone")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_of_the_verifier_is_told_from_others() {
        let said = |error| Refusal(error).to_string();
        let verifier =
            "the JVM's verifier refuses its class with sites in it, and so the class is left alone";
        assert_eq!(said(60), verifier);
        assert_eq!(said(62), verifier);
        assert_eq!(
            said(64),
            "the JVM refuses to change its class (JVMTI error 64), and so the class is left alone"
        );
    }
}
