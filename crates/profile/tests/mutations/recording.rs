//! A small recording in JFR's format, written by hand: real ones are large for what they say.

mod types;

use types::TYPES;

/// Writes big-endian values and variable-length numbers.
#[derive(Default)]
struct Out(Vec<u8>);

impl Out {
    fn number(&mut self, mut value: u64) -> &mut Self {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
        self
    }

    fn numbers(&mut self, values: &[u64]) -> &mut Self {
        values.iter().for_each(|&value| _ = self.number(value));
        self
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.0.push(3);
        self.number(text.len() as u64);
        self.0.extend(text.as_bytes());
        self
    }

    /// An event with its length in front, always in four bytes as the JDK does.
    fn event(&mut self, body: &[u8]) -> usize {
        let at = self.0.len();
        let len = body.len() as u64 + 4;
        let bytes = (0..4).map(|i| (len >> (7 * i)) as u8 & 0x7f | if i < 3 { 0x80 } else { 0 });
        self.0.extend(bytes);
        self.0.extend(body);
        at
    }
}

const INT: u64 = 10;
const LONG: u64 = 11;
const STRING: u64 = 12;
const THREAD: u64 = 20;
const STACK: u64 = 21;
const FRAME: u64 = 22;
const METHOD: u64 = 23;
const CLASS: u64 = 24;
const SYMBOL: u64 = 25;
const FRAME_TYPE: u64 = 26;

/// What a hostile recording has more than a sound one.
#[derive(Default)]
pub struct Extra {
    /// Length of the class's name, in more bytes.
    pub class_len: usize,
    /// More methods of the class, all on one stack.
    pub methods: u64,
    /// Fields of a type that share one name as long as the class's.
    pub fields: u64,
}

/// One chunk, and the offsets of its events.
pub fn chunk(extra: &Extra) -> (Vec<u8>, Vec<usize>) {
    let mut out = Out(vec![0; 68]);
    let mut parts = Vec::new();
    let event = |class: u64, write: &dyn Fn(&mut Out)| {
        let mut body = Out::default();
        body.number(class);
        write(&mut body);
        body.0
    };
    parts.push(out.event(&event(35, &|b| {
        _ = b.number(30).text("period").text("10 ms")
    })));
    for at in 0..12 {
        let fields = [1000 + at, 1, 1 + at % 3];
        parts.push(out.event(&event(30 + at % 3, &|b| _ = b.numbers(&fields))));
    }
    parts.push(out.event(&event(33, &|b| _ = b.numbers(&[1010, 7, 1]))));
    parts.push(out.event(&event(34, &|b| {
        _ = b.numbers(&[1000, 9]).text("A").number(3)
    })));
    let metadata_at = out.event(&event(0, &|b| metadata(b, extra)));
    let pools_at = out.event(&event(1, &|b| pools(b, extra)));
    parts.extend([metadata_at, pools_at]);
    let mut bytes = out.0;
    let len = bytes.len() as u64;
    bytes[..8].copy_from_slice(b"FLR\0\0\x02\0\0");
    let fields = [
        len,
        pools_at as u64,
        metadata_at as u64,
        1_700_000_000_000_000_000,
        0,
        1000,
        1_000_000_000,
    ];
    for (at, value) in fields.iter().enumerate() {
        bytes[8 + 8 * at..16 + 8 * at].copy_from_slice(&value.to_be_bytes());
    }
    bytes[67] = 1;
    (bytes, parts)
}

fn metadata(out: &mut Out, extra: &Extra) {
    let mut strings = vec![
        "root",
        "metadata",
        "class",
        "field",
        "name",
        "id",
        "constantPool",
        "true",
        "dimension",
        "1",
    ];
    let ids: Vec<String> = TYPES.iter().map(|t| t.1.to_string()).collect();
    let long = "f".repeat(extra.class_len + 1);
    strings.extend(TYPES.iter().map(|t| t.0));
    strings.extend(ids.iter().map(String::as_str));
    strings.extend(TYPES.iter().flat_map(|t| t.2).map(|f| f.0));
    strings.push(&long);
    let index = |text: &str| strings.iter().position(|s| *s == text).expect("a string") as u64;
    out.numbers(&[0, 0, 0]).number(strings.len() as u64);
    strings.iter().for_each(|text| _ = out.text(text));
    out.numbers(&[
        index("root"),
        0,
        1,
        index("metadata"),
        0,
        TYPES.len() as u64 + 1,
    ]);
    let known = [index("class"), index("name"), index("id"), index("field")];
    let [class, name_key, id_key, field] = known;
    out.numbers(&[
        class,
        2,
        name_key,
        index(&long),
        id_key,
        index("1"),
        extra.fields,
    ]);
    for _ in 0..extra.fields {
        out.numbers(&[field, 2, name_key, index(&long), class, index("10"), 0]);
    }
    for (name, id, fields) in TYPES {
        out.numbers(&[
            index("class"),
            2,
            index("name"),
            index(name),
            index("id"),
            index(&id.to_string()),
        ]);
        out.number(fields.len() as u64);
        for (name, class, pooled, array) in fields {
            let count = 2 + u64::from(*pooled) + u64::from(*array);
            out.numbers(&[index("field"), count, index("name"), index(name)]);
            out.numbers(&[index("class"), index(&class.to_string())]);
            if *pooled {
                out.numbers(&[index("constantPool"), index("true")]);
            }
            if *array {
                out.numbers(&[index("dimension"), index("1")]);
            }
            out.number(0);
        }
    }
}

fn pools(out: &mut Out, extra: &Extra) {
    out.numbers(&[0, 0, 0]).0.push(1);
    out.number(7);
    out.numbers(&[THREAD, 1, 1]).text("main").number(17);
    out.numbers(&[FRAME_TYPE, 2, 1])
        .text("JIT compiled")
        .number(2)
        .text("Inlined");
    let class = format!("Queens{}", "s".repeat(extra.class_len));
    out.numbers(&[SYMBOL, 5 + extra.methods]);
    for (at, text) in (1..).zip([&class, "placeQueen", "(I)Z", "queens", "()Z"]) {
        out.number(at).text(text);
    }
    let more = 6..6 + extra.methods;
    more.clone()
        .for_each(|at| _ = out.number(at).text(&format!("m{at}")));
    out.numbers(&[CLASS, 1, 1, 1]);
    out.numbers(&[METHOD, 2 + extra.methods, 1, 1, 2, 3, 2, 1, 4, 5]);
    more.clone().for_each(|at| _ = out.numbers(&[at, 1, at, 3]));
    out.numbers(&[STACK, 2, 1, 2 + extra.methods, 1, 12, 4, 2, 2, 30, 9, 1]);
    more.for_each(|at| _ = out.numbers(&[at, 1, 1, 1]));
    out.numbers(&[2, 1, 2, 30, 9, 1]);
    out.numbers(&[THREAD + 100, 0]);
}
