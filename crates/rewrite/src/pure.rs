//! JDK methods that never call back into a program: they read and write only their own arguments and memory of the
//! JDK, and call no method that a program could have overridden. So each is static, a constructor, or a method of a
//! final class, and none calls methods of an argument whose class a program may have written.

/// Classes all of whose static methods are pure.
const STATIC_ONLY: [&[u8]; 2] = [b"java/lang/Math", b"java/lang/StrictMath"];

/// The classes of boxed values; all are final.
const BOXES: [&[u8]; 8] = [
    b"java/lang/Integer",
    b"java/lang/Long",
    b"java/lang/Character",
    b"java/lang/Double",
    b"java/lang/Boolean",
    b"java/lang/Byte",
    b"java/lang/Short",
    b"java/lang/Float",
];

/// Pure methods of boxes, of whichever has them. What asks for a system property (`getInteger`) is none: a security
/// manager may be the program's.
const OF_BOXES: &str = "<init> bitCount booleanValue byteValue charCount charValue codePointAt codePointBefore \
    codePointCount compare compareTo compareUnsigned decode digit divideUnsigned doubleToLongBits \
    doubleToRawLongBits doubleValue equals floatToIntBits floatToRawIntBits floatValue forDigit getNumericValue \
    getType hashCode highSurrogate highestOneBit intBitsToFloat intValue isAlphabetic isBmpCodePoint isDefined isDigit \
    isFinite isHighSurrogate isISOControl isIdentifierIgnorable isIdeographic isInfinite isJavaIdentifierPart \
    isJavaIdentifierStart isLetter isLetterOrDigit isLowSurrogate isLowerCase isMirrored isNaN isSpaceChar \
    isSupplementaryCodePoint isSurrogate isSurrogatePair isTitleCase isUnicodeIdentifierPart \
    isUnicodeIdentifierStart isUpperCase isValidCodePoint isWhitespace logicalAnd logicalOr logicalXor \
    longBitsToDouble longValue lowSurrogate lowestOneBit max min numberOfLeadingZeros numberOfTrailingZeros \
    parseBoolean parseByte parseDouble parseFloat parseInt parseLong parseShort parseUnsignedInt parseUnsignedLong \
    remainderUnsigned reverse reverseBytes rotateLeft rotateRight shortValue signum sum toBinaryString toChars \
    toCodePoint toHexString toLowerCase toOctalString toString toTitleCase toUnsignedInt toUnsignedLong \
    toUnsignedString toUpperCase valueOf";

/// Classes with their pure methods (all overloads without a `CharSequence`).
const METHODS: [(&str, &str); 9] = [
    ("java/lang/Object", "<init> getClass"),
    // Of these only the constructors: they cannot be overridden.
    ("java/lang/Record", "<init>"),
    ("java/lang/Enum", "<init>"),
    ("java/lang/Number", "<init>"),
    (
        "java/lang/String",
        "charAt codePointAt codePointBefore codePointCount compareTo compareToIgnoreCase concat endsWith equals \
         equalsIgnoreCase getChars hashCode indexOf isBlank isEmpty lastIndexOf length regionMatches repeat replace \
         startsWith strip stripLeading stripTrailing substring toCharArray toString trim",
    ),
    (
        "java/lang/StringBuilder",
        "appendCodePoint capacity charAt codePointAt delete deleteCharAt ensureCapacity getChars indexOf isEmpty \
         lastIndexOf length reverse setCharAt setLength substring toString trimToSize",
    ),
    (
        "java/lang/System",
        "arraycopy currentTimeMillis identityHashCode nanoTime",
    ),
    ("java/lang/Thread", "currentThread onSpinWait"),
    (
        "java/util/Objects",
        "checkFromIndexSize checkFromToIndex checkIndex isNull nonNull requireNonNullElse",
    ),
];

/// Pure methods of `java.util.Arrays` where they get numbers, characters and arrays of them.
const OF_NUMBERS: &str =
    "binarySearch compare copyOf copyOfRange equals fill hashCode mismatch sort toString";

/// A class that the program may have written, and whose methods the JDK calls.
const CHARACTERS: &[u8] = b"Ljava/lang/CharSequence;";

/// Whether a call of that method never calls back.
pub(crate) fn is_pure(owner: &[u8], name: &[u8], descriptor: &[u8]) -> bool {
    if !owner.starts_with(b"java/") {
        return false;
    }
    if STATIC_ONLY.contains(&owner) {
        return true;
    }
    let end = descriptor.iter().position(|&byte| byte == b')');
    let parameters = &descriptor[..end.unwrap_or(descriptor.len())];
    let mut parts = parameters.windows(CHARACTERS.len());
    if parts.any(|part| part == CHARACTERS) {
        return false;
    }
    let among = |names: &str| names.split(' ').any(|one| one.as_bytes() == name);
    if BOXES.contains(&owner) {
        return among(OF_BOXES);
    }
    let mut methods = METHODS.iter();
    methods.any(|&(class, names)| class.as_bytes() == owner && among(names))
        || by_parameters(owner, name, parameters)
}

/// Methods of which some overloads are pure.
fn by_parameters(owner: &[u8], name: &[u8], parameters: &[u8]) -> bool {
    match (owner, name) {
        // What is given is text or a number, so that no `toString` of the program's is called.
        (b"java/lang/StringBuilder", b"append" | b"insert" | b"replace" | b"<init>") => {
            let text = parameters.strip_suffix(b"Ljava/lang/String;");
            without_objects(text.unwrap_or(parameters))
        }
        // Bytes are turned into text by a charset, which is an object with methods.
        (b"java/lang/String", b"valueOf" | b"copyValueOf" | b"<init>") => {
            without_objects(parameters) && !parameters.contains(&b'B')
        }
        (b"java/util/Objects", b"requireNonNull") => !parameters.ends_with(b"Supplier;"),
        (b"java/util/Arrays", b"copyOf" | b"copyOfRange" | b"fill") => true,
        (b"java/util/Arrays", _) => {
            without_objects(parameters) && OF_NUMBERS.split(' ').any(|one| one.as_bytes() == name)
        }
        _ => false,
    }
}

/// Whether all parameters are numbers, characters, truth values or arrays of them.
fn without_objects(parameters: &[u8]) -> bool {
    !parameters.contains(&b'L')
}

#[cfg(test)]
mod tests {
    use super::is_pure;

    /// Of `CLASS METHOD DESCRIPTOR`.
    fn pure(method: &str) -> bool {
        let words: Vec<&[u8]> = method.split(' ').map(str::as_bytes).collect();
        is_pure(words[0], words[1], words[2])
    }

    #[test]
    fn what_may_call_the_program_back_is_not_pure() {
        for method in [
            "com/acme/Math sqrt (D)D",
            "java/util/Objects equals (Ljava/lang/Object;Ljava/lang/Object;)Z",
            "java/util/Objects requireNonNull (Ljava/lang/Object;Ljava/util/function/Supplier;)Ljava/lang/Object;",
            "java/util/Arrays equals ([Ljava/lang/Object;[Ljava/lang/Object;)Z",
            "java/util/Arrays sort ([Ljava/lang/Object;)V",
            "java/util/Arrays stream ([I)Ljava/util/stream/IntStream;",
            "java/lang/Integer getInteger (Ljava/lang/String;)Ljava/lang/Integer;",
            "java/lang/Integer parseInt (Ljava/lang/CharSequence;III)I",
            "java/lang/String replace (Ljava/lang/CharSequence;Ljava/lang/CharSequence;)Ljava/lang/String;",
            "java/lang/String valueOf (Ljava/lang/Object;)Ljava/lang/String;",
            "java/lang/String <init> ([BLjava/nio/charset/Charset;)V",
            "java/lang/StringBuilder append (Ljava/lang/Object;)Ljava/lang/StringBuilder;",
            "java/lang/StringBuilder insert (ILjava/lang/CharSequence;)Ljava/lang/StringBuilder;",
            "java/lang/Enum toString ()Ljava/lang/String;",
        ] {
            assert!(!pure(method), "{method}");
        }
    }

    #[test]
    fn what_works_on_its_arguments_alone_is_pure() {
        for method in [
            "java/lang/Math sqrt (D)D",
            "java/lang/Object <init> ()V",
            "java/lang/Short toUnsignedInt (S)I",
            "java/lang/Character codePointAt ([CI)I",
            "java/lang/String replace (CC)Ljava/lang/String;",
            "java/lang/String valueOf (I)Ljava/lang/String;",
            "java/lang/StringBuilder append (Ljava/lang/String;)Ljava/lang/StringBuilder;",
            "java/lang/StringBuilder insert (ILjava/lang/String;)Ljava/lang/StringBuilder;",
            "java/lang/StringBuilder <init> (I)V",
            "java/util/Objects requireNonNull (Ljava/lang/Object;)Ljava/lang/Object;",
            "java/util/Arrays fill ([II)V",
            "java/util/Arrays copyOf ([Ljava/lang/Object;I)[Ljava/lang/Object;",
            "java/util/Arrays toString ([I)Ljava/lang/String;",
        ] {
            assert!(pure(method), "{method}");
        }
    }
}
