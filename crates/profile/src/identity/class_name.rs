//! Class names: dots, and nothing in them that changes from run to run.

/// `a/b/C`, `La/b/C;` and `a.b.C` become `a.b.C`; numbers and addresses of lambda and hidden classes go.
pub(super) fn normalise(class: &str) -> String {
    let class = strip_type_marks(class);
    let class = match class.find("$$Lambda") {
        Some(at) => &class[..at + "$$Lambda".len()],
        None => class,
    };
    let class = strip_hidden(class);
    strip_number(class).unwrap_or(class).replace('/', ".")
}

/// Cuts the number of a class that the JDK or a framework generates in the order of need: accessors of reflection,
/// proxies (whose package is numbered too and stays), and what `$$` marks with a hash behind it.
fn strip_number(class: &str) -> Option<&str> {
    let name = class.trim_end_matches(|c: char| c.is_ascii_digit());
    let simple = name.rsplit(['/', '.']).next()?;
    if name.len() < class.len() && GENERATED.contains(&simple) {
        return Some(name);
    }
    let (head, hash) = class.rsplit_once("$$")?;
    let is_hash = (4..=8).contains(&hash.len()) && hash.bytes().all(|b| b.is_ascii_hexdigit());
    (is_hash && head.contains("$$")).then_some(head)
}

/// Simple names, without the number that follows.
const GENERATED: [&str; 4] = [
    "$Proxy",
    "GeneratedMethodAccessor",
    "GeneratedConstructorAccessor",
    "GeneratedSerializationConstructorAccessor",
];

/// `Lcom/foo/Bar;` -> `com/foo/Bar`.
fn strip_type_marks(class: &str) -> &str {
    match class.strip_suffix(';') {
        Some(inner) => inner.strip_prefix('L').unwrap_or(inner),
        None => class,
    }
}

/// Cuts the suffix of a hidden class: `/0x0000a1`, `.0x0000a1`, `+0x0000a1`, `/1234567`, and what follows it.
fn strip_hidden(class: &str) -> &str {
    let mut from = 0;
    while let Some(found) = class[from..].find(['/', '.', '+']) {
        let at = from + found;
        if is_hidden_suffix(&class[at + 1..]) {
            return &class[..at];
        }
        from = at + 1;
    }
    class
}

/// No package or class can start with a digit, so whatever does is an address or a number.
fn is_hidden_suffix(rest: &str) -> bool {
    rest.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::normalise;

    #[test]
    fn spellings_of_one_class_become_one() {
        for spelling in [
            "java/util/Map$Entry",
            "java.util.Map$Entry",
            "Ljava/util/Map$Entry;",
        ] {
            assert_eq!(normalise(spelling), "java.util.Map$Entry");
        }
    }

    #[test]
    fn lambda_classes_lose_number_and_address() {
        for spelling in [
            "havlak/Finder$$Lambda$14+0x0000000800c03000",
            "havlak.Finder$$Lambda$12/0x0000000801009f90",
            "havlak.Finder$$Lambda$5.0x000000080100cbb0",
            "havlak/Finder$$Lambda.0x000000004d0087d8",
            "havlak.Finder$$Lambda/0x00007f06b9001000",
            "havlak.Finder$$Lambda$3/1456208737",
            "havlak.Finder$$Lambda",
        ] {
            assert_eq!(normalise(spelling), "havlak.Finder$$Lambda");
        }
    }

    #[test]
    fn generated_classes_lose_the_number_of_their_turn() {
        for (spelling, class) in [
            (
                "jdk/internal/reflect/GeneratedMethodAccessor12",
                "jdk.internal.reflect.GeneratedMethodAccessor",
            ),
            ("com.sun.proxy.$Proxy7", "com.sun.proxy.$Proxy"),
            (
                "a/Service$$EnhancerBySpringCGLIB$$1a2b3c4d",
                "a.Service$$EnhancerBySpringCGLIB",
            ),
            ("a.Service$$SpringCGLIB$$0", "a.Service$$SpringCGLIB$$0"),
            ("a.Proxy7", "a.Proxy7"),
            (
                "a.MyGeneratedMethodAccessor1",
                "a.MyGeneratedMethodAccessor1",
            ),
        ] {
            assert_eq!(normalise(spelling), class);
        }
    }

    #[test]
    fn hidden_classes_lose_their_address() {
        for spelling in [
            "LambdaForm$MH/0x0a.12",
            "LambdaForm$MH.0x0a",
            "LambdaForm$MH+0x0a",
            "LambdaForm$MH/123",
        ] {
            assert_eq!(normalise(spelling), "LambdaForm$MH");
        }
        assert_eq!(
            normalise("a/b/C$1"),
            "a.b.C$1",
            "an anonymous class keeps its number"
        );
    }
}
