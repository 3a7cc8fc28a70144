//! Blocks of what GCC 12 and Clang 14 write, and what goes into them.

use std::collections::BTreeMap;

use super::{Content, Listing, Slots, Where, counts_of, mark_of};

/// GCC 12, -O2 -g: a loop, a jump table, a cold part, prefixes, thread-local storage, two jumps on one comparison.
const GCC: &str = "\
\t.file\t\"l.c\"
\t.text
\t.p2align 4
\t.globl\tg
\t.type\tg, @function
g:
.LFB13:
\t.file 1 \"l.c\"
\t.loc 1 5 13 view -0
\t.cfi_startproc
\tendbr64
\t.loc 1 6 15 view .LVU25
\tcmpl\t$5, %edi
\tja\t.L9
\tje\t.L17
\tleaq\t.L11(%rip), %rdx
\tmovslq\t(%rdx,%rdi,4), %rax
\taddq\t%rdx, %rax
\tnotrack jmp\t*%rax
\t.section\t.rodata
\t.align 4
.L11:
\t.long\t.L16-.L11
\t.long\t.L17-.L11
\t.text
\t.p2align 4,,10
\t.p2align 3
.L16:
.LVL3:
\t.loc 1 8 3 view .LVU30
\taddl\t$1, %eax
\tcall\trand@PLT
\ttestl\t%eax, %eax
\tjne\t.L16
.L17:
\tlock addl\t$1, total(%rip)
\trep stosq
\tdata16\tleaq\tx@tlsgd(%rip), %rdi
\t.value\t0x6666
\trex64
\tcall\t__tls_get_addr@PLT
\tret
\t.cfi_endproc
\t.section\t.text.unlikely
\t.cfi_startproc
\t.type\tg.cold, @function
g.cold:
.LFSB13:
.L9:
\tcall\tabort
\t.cfi_endproc
\t.text
\t.size\tg, .-g
\t.section\t.text.unlikely
\t.size\tg.cold, .-g.cold
\t.section\t.debug_info,\"\",@progbits
\t.quad\t.LVL3
";

/// Clang 14, -O2: remarks behind instructions, a call in a region with a landing pad that no jump names, a prefix in a line of its own.
const CLANG: &str = "\
\t.text
\t.file\t\"m.cpp\"
\t.globl\tm                               # -- Begin function m
\t.p2align\t4, 0x90
\t.type\tm,@function
m:                                      # @m
.Lfunc_begin0:
\t.cfi_startproc
\t.cfi_lsda 27, .Lexception0
# %bb.0:
\tpushq\t%rax
\t.cfi_def_cfa_offset 16
.Ltmp0:
\tcallq\tf@PLT
.Ltmp1:
# %bb.1:                                # no jump .L_nowhere
\tlock
\tcmpxchgl\t%ecx, (%rdx)                # 4-byte Folded Reload
\tpopq\t%rcx
\tretq
.LBB0_2:                                # %lpad
.Ltmp2:
\tmovq\t%rax, %rdi
\tcallq\t_Unwind_Resume@PLT
.Lfunc_end0:
\t.size\tm, .Lfunc_end0-m
\t.cfi_endproc
\t.section\t.gcc_except_table,\"a\",@progbits
\t.uleb128 .Ltmp0-.Lfunc_begin0
\t.uleb128 .Ltmp1-.Ltmp0
\t.uleb128 .Ltmp2-.Lfunc_begin0
";

/// Mnemonics of the blocks, and their successors.
fn shape(listing: &Listing, function: usize) -> Vec<(String, Vec<usize>)> {
    let blocks = listing.functions()[function].blocks.iter();
    let shown = |block: &super::BasicBlock| {
        let words = block.operations.iter().map(|one| one.mnemonic.as_str());
        (
            words.collect::<Vec<_>>().join(" "),
            block.successors.clone(),
        )
    };
    blocks.map(shown).collect()
}

fn slowed<'s>(unit: u32, counts: &'s [u32], instructions: &'s [&'s str], at: Where) -> Slots<'s> {
    Slots {
        unit,
        padding: 0,
        content: Content::Slowed {
            counts,
            instructions,
            at,
        },
    }
}

/// The text with what was inserted into the first function.
fn written(text: &str, slots: Slots<'_>) -> super::Written {
    Listing::of(text).written(&BTreeMap::from([(0, slots)]), None)
}

#[test]
fn blocks_of_gcc_are_found_with_their_flow() {
    let listing = Listing::of(GCC);
    let expected: [(&str, Vec<usize>); 5] = [
        ("endbr64 cmpl ja", vec![1]),
        ("je", vec![2, 4]),
        ("leaq movslq addq jmp", vec![3, 4]),
        ("addl call testl jne", vec![3, 4]),
        ("addl stosq leaq ret", vec![]),
    ];
    let expected = expected.map(|(words, to)| (words.to_owned(), to));
    assert_eq!(shape(&listing, 0), expected);
    let blocks = &listing.functions()[0].blocks;
    assert_eq!((blocks[3].loop_header, blocks[3].loop_depth), (Some(3), 1));
    assert_eq!((blocks[2].loop_header, blocks[2].loop_depth), (None, 0));
    assert_eq!(blocks[0].operations[1].line, 6);
    assert_eq!(blocks[3].operations[0].line, 8);
    assert_eq!(listing.functions()[1].name, "g.cold");
    assert_eq!(shape(&listing, 1), [("call".to_owned(), Vec::new())]);
    assert!(listing.left().is_empty());
}

#[test]
fn landing_pads_of_clang_begin_blocks() {
    let listing = Listing::of(CLANG);
    let expected: [(&str, Vec<usize>); 4] = [
        ("pushq", vec![1]),
        ("callq", vec![2]),
        ("lock popq retq", vec![]),
        ("movq callq", vec![]),
    ];
    let expected = expected.map(|(words, to)| (words.to_owned(), to));
    assert_eq!(shape(&listing, 0), expected);
}

#[test]
fn nothing_goes_between_what_belongs_together() {
    let slots = slowed(0, &[40, 40, 40, 40, 40], &["nop"], Where::Spread);
    for (text, together) in [
        (GCC, "\tcmpl\t$5, %edi\n\tja\t.L9\n"),
        (GCC, "\ttestl\t%eax, %eax\n\tjne\t.L16\n"),
        (
            GCC,
            "\tdata16\tleaq\tx@tlsgd(%rip), %rdi\n\t.value\t0x6666\n\trex64\n\tcall\t__tls_get_addr@PLT\n",
        ),
        (CLANG, "\tlock\n\tcmpxchgl"),
        (
            CLANG,
            "m:                                      # @m\n.Lfunc_begin0:\n",
        ),
    ] {
        let out = written(text, slots).text;
        let marks = |line: &&str| !line.starts_with("proofmark.mark.");
        let out: String = out.split_inclusive('\n').filter(marks).collect();
        assert!(out.contains(together), "{together} in {out}");
    }
    // The landing place of indirect branches stays the first instruction; the second jump of a comparison is not fused.
    let out = written(GCC, slots).text;
    assert!(out.contains(".0.0:\n\tendbr64\n"), "{out}");
    assert!(
        out.contains("\tnop\nproofmark.mark.0.5:\n\tje\t.L17\n"),
        "{out}"
    );
}

#[test]
fn what_is_inserted_is_all_that_changes() {
    for text in [GCC, CLANG] {
        let out = written(
            text,
            slowed(7, &[3, 0, 5], &["nop", "pause"], Where::Spread),
        );
        let (mut own, mut added) = (String::new(), [0; 2]);
        let mut lines = text.split_inclusive('\n').peekable();
        for line in out.text.split_inclusive('\n') {
            if lines.peek() == Some(&line) {
                own.push_str(line);
                lines.next();
            } else if line == "\tnop\n" || line == "\tpause\n" {
                added[usize::from(line == "\tpause\n")] += 1;
            } else {
                let mark = line.trim_end().strip_suffix(':').and_then(mark_of);
                assert_eq!(mark.map(|(unit, _)| unit), Some(7), "{line}");
            }
        }
        assert_eq!((own.as_str(), added), (text, [4, 4]));
    }
    // No slot is filled: marks alone.
    let at_rest = written(GCC, slowed(0, &[], &["nop"], Where::Spread));
    assert!(!at_rest.text.contains("nop") && at_rest.pieces[&0].len() == 16);
}

#[test]
fn marks_tell_the_pieces_of_a_function() {
    let out = written(GCC, slowed(2, &[0, 0, 0, 2], &["nop"], Where::Start));
    let pieces = &out.pieces[&0];
    let of_loop: Vec<(u32, bool)> = (pieces.iter())
        .filter(|piece| piece.block == 3)
        .map(|piece| (piece.line, piece.inserted))
        .collect();
    assert_eq!(
        of_loop,
        [(8, true), (8, false), (8, false), (8, false), (8, false)]
    );
    let end = format!("proofmark.mark.2.{}:\n\t.size\tg, .-g\n", pieces.len());
    assert!(out.text.contains(&end), "{}", out.text);
    let first = pieces.iter().position(|piece| piece.block == 3).unwrap();
    let inserted = format!(
        "proofmark.mark.2.{first}:\n\tnop\n\tnop\nproofmark.mark.2.{}:\n",
        first + 1
    );
    assert!(out.text.contains(&inserted), "{}", out.text);
    assert_eq!(mark_of("proofmark.mark.2.31"), Some((2, 31)));
    assert_eq!(
        (mark_of("main"), counts_of("proofmark.counts.4")),
        (None, Some(4))
    );
}

#[test]
fn every_block_gets_a_counter_that_keeps_flags_and_red_zone() {
    let slots = Slots {
        unit: 0,
        padding: 32,
        content: Content::Counted(10),
    };
    let listing = Listing::of(GCC);
    let out = listing
        .written(&BTreeMap::from([(0, slots)]), Some((3, 15)))
        .text;
    for place in [80, 88, 96, 104, 112] {
        let counter = format!("\tpushfq\n\tincq\t.Lproofmark_counter+{place}(%rip)\n\tpopfq\n");
        assert!(out.contains(&counter), "{out}");
    }
    assert!(out.contains("\t.skip\t32, 0x90\ng:\n"), "{out}");
    assert!(out.contains("endbr64\n\t.loc 1 6 15 view .LVU25\n\tleaq\t-128(%rsp), %rsp\n"));
    assert!(out.contains("proofmark.counts.3:\n.Lproofmark_counter:\n\t.zero\t120\n"));
    assert_eq!(out.matches("popfq").count(), 5);
}

#[test]
fn functions_that_cannot_be_followed_are_left_alone() {
    let with = |inside: &str| {
        format!(
            "\t.text\n\t.type\tf, @function\nf:\n\tmovl\t$1, %eax\n{inside}\tret\n\t.size\tf, .-f\n"
        )
    };
    for inside in [
        "\tloop\t.L2\n",
        "\tjrcxz\t.L2\n",
        "#APP\n# 3 \"a.c\" 1\n\tjmp 1f; 1:\n# 0 \"\" 2\n#NO_APP\n",
        "#APP\n\tmovl $42, %eax; ret\n#NO_APP\n",
        "\tincl %eax; jne .L2\n",
    ] {
        let text = with(inside);
        let listing = Listing::of(&text);
        assert!(listing.functions().is_empty(), "{inside}");
        assert_eq!(listing.left(), ["f"], "{inside}");
    }
    let text = with("#APP\n# 3 \"a.c\" 1\n\tcpuid\n# 0 \"\" 2\n#NO_APP\n\trep; ret\n");
    let shape = shape(&Listing::of(&text), 0);
    assert_eq!(shape[0].0, "movl asm ret");
    // What is no function, or has no end, has no blocks.
    assert!(Listing::of("\t.text\nx:\n\tnop\n").functions().is_empty());
    assert!(Listing::of("").functions().is_empty());
}

#[test]
fn assembly_of_a_programmer_in_rust_is_left_alone() {
    let function = |name: &str, size: &str| {
        format!(
            "\t.section\t.text.{name},\"ax\",@progbits\n\t.type\t{name},@function\n{name}:\n\tmovl\t$1, %eax\n\tretq\n.Lfunc_end7:\n\t.size\t{name}, {size}\n"
        )
    };
    let compiled = function(
        "_ZN1a1b17h3cacaabc498a2939E",
        ".Lfunc_end7-_ZN1a1b17h3cacaabc498a2939E",
    );
    let text = compiled + &function("bare", ".-bare");
    let listing = Listing::of_rust(&text);
    let names: Vec<&str> = listing
        .functions()
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names, ["_ZN1a1b17h3cacaabc498a2939E"]);
    assert_eq!(listing.left(), ["bare"]);
    assert_eq!(Listing::of(&text).functions().len(), 2);
}
