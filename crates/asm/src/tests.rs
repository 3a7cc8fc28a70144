//! The pass on what GCC 12 and Clang 14 wrote.

use crate::{LEFT_SECTION, LeftAlone, Why, with_sites};

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
