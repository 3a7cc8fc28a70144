//! JDK methods that never call back into a program: they read and write only their own arguments and memory of the
//! JDK, and call no method that a program could have overridden.

/// Classes all of whose static methods are pure.
const STATIC_ONLY: [&[u8]; 2] = [b"java/lang/Math", b"java/lang/StrictMath"];

/// Final classes with names of pure methods (all overloads).
const METHODS: [(&[u8], &[&[u8]]); 9] = [
    (b"java/lang/Object", &[b"<init>", b"getClass"]),
    (
        b"java/lang/String",
        &[
            b"charAt",
            b"length",
            b"isEmpty",
            b"equals",
            b"hashCode",
            b"indexOf",
            b"lastIndexOf",
            b"startsWith",
            b"endsWith",
            b"substring",
            b"compareTo",
            b"equalsIgnoreCase",
            b"codePointAt",
            b"trim",
            b"toCharArray",
        ],
    ),
    (
        b"java/lang/Integer",
        &[
            b"valueOf",
            b"intValue",
            b"parseInt",
            b"bitCount",
            b"numberOfTrailingZeros",
            b"numberOfLeadingZeros",
            b"compare",
            b"rotateLeft",
            b"rotateRight",
        ],
    ),
    (
        b"java/lang/Long",
        &[
            b"valueOf",
            b"longValue",
            b"bitCount",
            b"numberOfTrailingZeros",
            b"numberOfLeadingZeros",
            b"compare",
            b"rotateLeft",
            b"rotateRight",
        ],
    ),
    (
        b"java/lang/Double",
        &[
            b"valueOf",
            b"doubleValue",
            b"doubleToLongBits",
            b"doubleToRawLongBits",
            b"longBitsToDouble",
            b"isNaN",
            b"compare",
        ],
    ),
    (b"java/lang/Boolean", &[b"valueOf", b"booleanValue"]),
    (
        b"java/lang/Character",
        &[
            b"valueOf",
            b"charValue",
            b"isDigit",
            b"isLetter",
            b"isLetterOrDigit",
            b"isWhitespace",
            b"isSurrogate",
            b"isHighSurrogate",
            b"isLowSurrogate",
            b"toCodePoint",
            b"charCount",
        ],
    ),
    (b"java/lang/Byte", &[b"valueOf", b"byteValue"]),
    (
        b"java/lang/System",
        &[
            b"arraycopy",
            b"nanoTime",
            b"currentTimeMillis",
            b"identityHashCode",
        ],
    ),
];

/// `StringBuilder.append` of what is not an object with a `toString` of its own.
const APPENDED: [&[u8]; 7] = [
    b"(Ljava/lang/String;)",
    b"(C)",
    b"(I)",
    b"(J)",
    b"(Z)",
    b"(D)",
    b"(F)",
];

/// Whether a call of that method never calls back.
pub(crate) fn is_pure(owner: &[u8], name: &[u8], descriptor: &[u8]) -> bool {
    if !owner.starts_with(b"java/lang/") {
        return false;
    }
    if STATIC_ONLY.contains(&owner) {
        return true;
    }
    if owner == b"java/lang/StringBuilder" {
        return match name {
            b"append" => APPENDED.iter().any(|shape| descriptor.starts_with(shape)),
            b"<init>" => matches!(descriptor, b"()V" | b"(I)V" | b"(Ljava/lang/String;)V"),
            b"length" | b"charAt" | b"setLength" | b"toString" | b"setCharAt" => true,
            _ => false,
        };
    }
    let methods = METHODS.iter().find(|(class, _)| *class == owner);
    methods.is_some_and(|(_, names)| names.contains(&name))
}
