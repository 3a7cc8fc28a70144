//! The pass on what GCC 12, Clang 14 and rustc 1.95 write.

use crate::{LEFT_SECTION, LeftAlone, Why, key_of, with_rust_sites, with_sites};

/// GCC 12, -O2 -g: an alignment, debug labels, `endbr64`, a jump table, a cold part.
const GCC: &str = "\
\t.file\t\"l.c\"
\t.text
\t.file 0 \"/tmp\" \"l.c\"
\t.p2align 4
\t.globl\tg
\t.type\tg, @function
g:
.LVL6:
.LFB13:
\t.file 1 \"l.c\"
\t.loc 1 5 13 is_stmt 1 view -0
\t.cfi_startproc
\t.cfi_personality 0x3,__gxx_personality_v0
\t.loc 1 6 15 view .LVU25
\tendbr64
\tcmpl\t$5, %edi
\tja\t.L9
\tleaq\t.L11(%rip), %rdx
\tjmp\t*%rax
\t.section\t.rodata
\t.align 4
.L11:
\t.long\t.L16-.L11
\t.text
.L16:
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
";

#[test]
fn a_site_stands_in_front_of_the_first_instruction_of_its_line() {
    let sited = with_sites(GCC);
    let at = |part: &str| {
        sited
            .text
            .find(part)
            .unwrap_or_else(|| panic!("{part} in {}", sited.text))
    };
    assert!(at("endbr64") < at(".Lproofmark_code0:") && at(".Lproofmark_end0:") < at("cmpl\t$5"));
    assert!(at("view .LVU25") < at(".Lproofmark_code0:"));
    assert_eq!(sited.sites.len(), 1);
    let site = &sited.sites[0];
    assert_eq!(
        (site.function.as_str(), site.file.as_str(), site.line),
        ("g", "l.c", 6)
    );
    let cold = LeftAlone {
        function: "g.cold".into(),
        why: Why::ColdPart,
    };
    assert_eq!(sited.left_alone, [cold]);
}

#[test]
fn what_is_inserted_is_all_that_changes() {
    let sited = with_sites(GCC);
    let mut rest = sited.text.as_str();
    for line in GCC.lines() {
        let at = rest.find(line).unwrap_or_else(|| panic!("{line} is gone"));
        rest = &rest[at + line.len()..];
    }
    assert!(rest.contains("proofmark_sites"));
    assert_eq!(with_sites("").text, "");
    let data = "\t.data\nx:\n\t.long\t5\n";
    assert_eq!(with_sites(data).text, data);
}

/// A function that begins with a loop: what jumps to its label must not come to the site.
#[test]
fn a_loop_that_begins_a_function_does_not_hold_the_site() {
    let text = "\t.type\tf, @function\nf:\n.LFB0:\n\t.cfi_startproc\n.L2:\n\tsubl\t$1, %edi\n\tjne\t.L2\n\tret\n";
    let sited = with_sites(text).text;
    assert!(
        sited.find(".Lproofmark_end0:") < sited.find(".L2:"),
        "{sited}"
    );
    let clang = text.replace(".L2", ".LBB0_1");
    let sited = with_sites(&clang).text;
    assert!(
        sited.find(".Lproofmark_end0:") < sited.find(".LBB0_1:"),
        "{sited}"
    );
}

/// Clang writes a remark behind the last directive in front of a function, which is `.type` where it is not global.
#[test]
fn a_function_of_one_file_has_a_site_with_clang_too() {
    let text = "\t.type\tf,@function                  # -- Begin function f\nf:                                      # @f\n\tretq\n";
    assert!(with_sites(text).text.contains("proofmark_sites"));
    assert_eq!(crate::Listing::of(text).functions().len(), 0, "no size");
    let whole = format!("{text}\t.size\tf, .Lfunc_end0-f\n");
    assert_eq!(crate::Listing::of(&whole).functions().len(), 1);
}

#[test]
fn a_copy_that_the_linker_drops_takes_its_table_along() {
    let text = "\t.section\t.text._Zf,\"axG\",@progbits,_Zf,comdat\n\t.type\t_Zf, @function\n_Zf:\n\tret\n\t.text\n\t.type\th, @function\nh:\n\tret\n";
    let sited = with_sites(text);
    let groups: Vec<_> = sited
        .sites
        .iter()
        .map(|site| site.group.as_deref())
        .collect();
    assert_eq!(groups, [Some("_Zf"), None]);
    for section in [
        ".bss.proofmark_doses,\"awG\",@nobits",
        "proofmark_names,\"aG\",@progbits",
        "proofmark_sites,\"aG\",@progbits",
    ] {
        let whole = format!("{section},\"_Zf\",comdat\n");
        assert!(sited.text.contains(&whole), "{whole} in {}", sited.text);
    }
}

#[test]
fn own_assembly_and_interrupts_are_left_alone() {
    let naked = "\t.type\tf, @function\nf:\n#APP\n\tmovl $1, %eax\n\tret\ng:\n#NO_APP\n\tud2\n";
    let sited = with_sites(naked);
    let behind = sited.text.strip_prefix(naked).unwrap();
    assert!(
        sited.sites.is_empty() && behind.contains(LEFT_SECTION),
        "{behind}"
    );
    assert_eq!(sited.left_alone[0].why, Why::OwnAssembly);
    let inside = "\t.type\tf, @function\nf:\n\tpushq\t%rbx\n#APP\nf:\n\t.section x,\"axG\",@progbits,y,comdat\n#NO_APP\n\tret\n";
    let sited = with_sites(inside);
    assert_eq!((sited.sites.len(), sited.left_alone.len()), (1, 0));
    let handler = "\t.type\tf, @function\nf:\n\tpushq\t%rax\n\tpopq\t%rax\n\tiretq\n";
    assert_eq!(with_sites(handler).left_alone[0].why, Why::Interrupt);
}

/// rustc 1.95, -O -C debuginfo=2: assembly of the programmer in front, an unwinder's tables, a jump table, an alias, and
/// what is said to LLVM's assembler only.
const RUSTC: &str = "\
\t.file\t\"a.4c1e-cgu.0\"

\t.section\t.text._RNvCs1_1a4bare,\"ax\",@progbits
\t.globl\t_RNvCs1_1a4bare
\t.type\t_RNvCs1_1a4bare,@function
_RNvCs1_1a4bare:
\tmovl\t$42, %eax
\tretq
.Lfunc_end__RNvCs1_1a4bare:
.Ltmp0:
\t.size\t_RNvCs1_1a4bare, .Ltmp0-_RNvCs1_1a4bare
\t.text

\t.section\t\".text._ZN26_$LT$a..S$u20$as$u20$T$GT$1f17h89864fd8102bca3cE\",\"ax\",@progbits
\t.p2align\t4
\t.type\t_ZN26_$LT$a..S$u20$as$u20$T$GT$1f17h89864fd8102bca3cE,@function
_ZN26_$LT$a..S$u20$as$u20$T$GT$1f17h89864fd8102bca3cE:
.Lfunc_begin0:
\t.file\t1 \"/p\" \"a.rs\"
\t.loc\t1 7 0
\t.cfi_startproc
\t.cfi_personality 155, DW.ref.rust_eh_personality
\t.cfi_lsda 27, .Lexception0
\tpushq\t%rbx
\t.cfi_def_cfa_offset 16
.Ltmp1:
\t.loc\t1 8 9 prologue_end
\tleaq\t.LJTI0_0(%rip), %rcx
\tjmpq\t*%rax
.LBB0_1:
\tpopq\t%rbx
\tretq
.Lfunc_end0:
\t.size\t_ZN26_$LT$a..S$u20$as$u20$T$GT$1f17h89864fd8102bca3cE, .Lfunc_end0-_ZN26_$LT$a..S$u20$as$u20$T$GT$1f17h89864fd8102bca3cE
\t.cfi_endproc
\t.section\t.rodata._ZN1a1fE,\"a\",@progbits
\t.p2align\t2, 0x0
.LJTI0_0:
\t.long\t.LBB0_1-.LJTI0_0
\t.section\t\".gcc_except_table._ZN1a1fE\",\"a\",@progbits
GCC_except_table0:
.Lexception0:
\t.byte\t255
\t.uleb128 .Ltmp1-.Lfunc_begin0

\t.type\t.Lanon.1,@object
.Lanon.1:
\t.ascii\t\"text: # no comment\"
\t.type\t_ZN1a1g17h89864fd8102bca3dE,@function
.set _ZN1a1g17h89864fd8102bca3dE, _ZN26_$LT$a..S$u20$as$u20$T$GT$1f17h89864fd8102bca3cE
\t.ident\t\"rustc version 1.95.0\"
\t.section\t\".note.GNU-stack\",\"\",@progbits
\t.addrsig
";

#[test]
fn functions_of_rust_go_by_the_names_that_people_know() {
    let sited = with_rust_sites(RUSTC);
    assert_eq!(sited.sites.len(), 1);
    let site = &sited.sites[0];
    let of_site = (site.function.as_str(), site.file.as_str(), site.line);
    assert_eq!(of_site, ("<a::S as T>::f", "/p/a.rs", 7));
    let key = format!("\t.quad\t{:#x}\n", key_of("<a::S as T>::f"));
    assert!(sited.text.contains(&key), "{}", sited.text);
    let bare = LeftAlone {
        function: "a::bare".into(),
        why: Why::OwnAssembly,
    };
    assert_eq!(sited.left_alone, [bare]);
}

#[test]
fn entries_of_rust_follow_their_functions() {
    let sited = with_rust_sites(RUSTC).text;
    let entry = "\t.section\tproofmark_sites,\"ao\",@progbits,.Lproofmark_code0\n";
    assert!(sited.contains(entry), "{sited}");
    let at = |part: &str| sited.find(part).unwrap_or_else(|| panic!("{part}"));
    assert!(at(".cfi_lsda 27") < at(".Lproofmark_code0:"));
    assert!(at(".Lproofmark_end0:") < at("pushq\t%rbx"));
    // All but what GNU's assembler does not know is as it was.
    let mut rest = sited.as_str();
    for line in RUSTC.lines() {
        let line = match line {
            "\t.file\t1 \"/p\" \"a.rs\"" => "\t.file\t1 \"/p/a.rs\"",
            "\t.addrsig" => continue,
            _ => line,
        };
        let at = rest.find(line).unwrap_or_else(|| panic!("{line} is gone"));
        rest = &rest[at + line.len()..];
    }
    assert!(!sited.contains("addrsig"), "{sited}");
}
