//! Records, texts and links, without a compiler.

use super::*;

fn how(source: &str) -> How {
    How {
        compiler: "cc".into(),
        words: vec!["-m64".into()],
        directory: "/tmp".into(),
        source: source.into(),
        rust: false,
    }
}

#[test]
fn records_that_follow_each_other_are_told_apart() {
    let mut bytes = record(&how("a.c"), b"text \"a\"\n");
    bytes.extend(record(&how("b.c"), b""));
    let all: Vec<(How, &[u8])> = records(&bytes).unwrap();
    assert_eq!(
        all,
        [(how("a.c"), &b"text \"a\"\n"[..]), (how("b.c"), &[][..])]
    );
    for cut in [1, 8, FRAME, bytes.len() - 1] {
        assert_eq!(records::<How>(&bytes[..cut]), None, "{cut}");
    }
    bytes[0] = 0;
    assert_eq!(records::<How>(&bytes), None);
}

#[test]
fn a_text_goes_by_its_contents_and_its_command() {
    let text = |source: &str, text: &str| KeptText {
        how: how(source),
        text: text.into(),
    };
    let name = text("a.c", "x").name();
    assert_eq!(name.len(), 16);
    assert_eq!(name, text("a.c", "x").name());
    assert_ne!(name, text("b.c", "x").name());
    assert_ne!(name, text("a.c", "y").name());
}

fn taken(words: &[String], directory: &Path, keeping: Keeping) -> KeptLink {
    let mut link = KeptLink {
        compiler: "cc".into(),
        directory: directory.to_owned(),
        words: Vec::new(),
        files: Vec::new(),
    };
    link.take(words, keeping);
    link
}

#[test]
fn words_that_are_no_objects_stay() {
    let words = ["-o", "main.o", "none.o", "-lm"].map(str::to_owned);
    let plain = words.clone().map(LinkWord::Plain);
    for keeping in [Keeping::Texts, Keeping::Files] {
        assert_eq!(taken(&words, Path::new("/none"), keeping).words, plain);
    }
}

#[test]
fn files_that_go_are_kept() {
    let place = tempfile::tempdir().unwrap();
    for (name, bytes) in [
        ("symbols.o", "first"),
        ("shim.o", "2"),
        ("liba.rlib", "rlib"),
    ] {
        std::fs::write(place.path().join(name), bytes).unwrap();
    }
    let words = ["symbols.o", "-o", "shim.o", "shim.o", "--x=shim.o"].map(str::to_owned);
    let link = taken(&words, place.path(), Keeping::Files);
    let kept = |name: &str, bytes| LinkWord::Kept {
        name: name.into(),
        bytes,
    };
    let plain = |word: &str| LinkWord::Plain(word.into());
    let expected = [
        kept("symbols.o", [0, 5]),
        plain("-o"),
        plain("shim.o"),
        kept("shim.o", [5, 1]),
        plain("--x=shim.o"),
    ];
    assert_eq!(
        (&link.words[..], &link.files[..]),
        (&expected[..], &b"first2"[..])
    );
    let texts = taken(&words, place.path(), Keeping::Texts);
    assert!(texts.files.is_empty() && texts.words.contains(&plain("symbols.o")));
}
