//! Which methods are of the user's own program.

/// Packages of the JDK.
const OF_THE_JDK: [&str; 5] = ["java.", "javax.", "jdk.", "sun.", "com.sun."];

/// Whether a method belongs to the program or its libraries, which their user can read and change, and not to the JDK.
pub(super) fn is_own(method: &str) -> bool {
    !OF_THE_JDK.iter().any(|begins| method.starts_with(begins))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_the_jdk_are_nobodys_own() {
        for own in [
            "shop.Matcher.cross",
            "javassist.Loader.run",
            "com.sunny.A.get",
        ] {
            assert!(is_own(own), "{own}");
        }
        for helper in [
            "java.util.ArrayDeque.inc",
            "javax.crypto.Cipher.update",
            "jdk.internal.util.ArraysSupport.newLength",
            "sun.nio.cs.UTF_8$Encoder.encode",
            "com.sun.net.httpserver.Headers.get",
        ] {
            assert!(!is_own(helper), "{helper}");
        }
    }
}
