//! Spellings of real tools become one identity.

use proofmark_profile::MethodId;

fn id(text: &str) -> MethodId {
    MethodId::parse(text).unwrap_or_else(|| panic!("{text} is a Java method"))
}

#[test]
fn spellings_of_one_method() {
    let expected = "json.JsonParser.read(I[Ljava/lang/String;)V";
    for spelling in [
        "json/JsonParser.read(I[Ljava/lang/String;)V",
        "json.JsonParser.read(I[Ljava/lang/String|)V_[j]",
        "void json.JsonParser.read(int, java.lang.String[])",
        "[.] void json.JsonParser.read(int, java.lang.String[])",
        "Ljson/JsonParser;::read(I[Ljava/lang/String;)V",
        "json.JsonParser::read(int, java.lang.String...): void",
        "json.JsonParser.read(I[Ljava/lang/String;)V_[0]",
    ] {
        assert_eq!(id(spelling).to_string(), expected, "{spelling}");
    }
}

#[test]
fn constructors_lambdas_and_inner_classes() {
    assert_eq!(
        id("List$Element::<init>").to_string(),
        "List$Element.<init>"
    );
    assert_eq!(
        id("Bounce.lambda$benchmark$0").short(),
        "Bounce.lambda$benchmark$0"
    );
    let lambda = "deltablue.Plan$$Lambda.apply(Ljava/lang/Object;)V";
    assert_eq!(
        id("void deltablue.Plan$$Lambda$12/0x0000000801009f90.apply(java.lang.Object)").to_string(),
        lambda
    );
    assert_eq!(
        id("deltablue.Plan$$Lambda$8.0x000000080100d938.apply").to_string(),
        "deltablue.Plan$$Lambda.apply"
    );
}

#[test]
fn overloads_stay_apart() {
    assert_ne!(id("Work.sum([I)J"), id("Work.sum(Ljava/util/List;)J"));
    assert_eq!(id("Work.sum([I)J").without_descriptor(), id("Work.sum"));
}

#[test]
fn what_is_not_a_java_method() {
    for text in [
        "vtable",
        "[unknown_Java]",
        "AGCT::Unknown Java[ERR=-5]",
        "G1ParScanThreadState::trim_queue_to_threshold(unsigned int)",
        "__memset_avx2_unaligned_erms",
        "std::vector<int>::push_back",
        "MethodLiveness::BasicBlock::compute_gen_kill_range(ciBytecodeStream*)",
        "foo.12",
        "operator new(unsigned long)",
        "",
    ] {
        assert_eq!(MethodId::parse(text), None, "{text}");
    }
}

#[test]
fn display_and_parse_are_inverse() {
    for text in [
        "a.B.c",
        "A.b(I)V",
        "a.B$C.<init>(LString;)",
        "a.B.lambda$x$1([[J)[La/B;",
    ] {
        assert_eq!(id(text).to_string(), text);
        assert_eq!(id(&id(text).to_string()), id(text));
    }
}

#[test]
fn symbols() {
    assert_eq!(
        MethodId::symbol("do_fault+0x2ec_[k]").to_string(),
        "do_fault"
    );
    assert_eq!(MethodId::symbol("[.] Interpreter").short(), "Interpreter");
}
