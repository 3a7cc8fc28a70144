//! What a reader of a result must know of the kind of dose.

use super::DoseKind;

/// What a reader of a result must know of what was added; none for arithmetic, which documents are about.
pub(super) fn remark(kind: DoseKind) -> Option<String> {
    let says = match kind {
        DoseKind::Arithmetic => return None,
        DoseKind::Copy => {
            "copies memory (--dose copy): rows say where a profiler reports the JVM's copy stub that a method calls"
        }
        DoseKind::Fill => {
            "fills memory (--dose fill): rows say where a profiler reports a loop that the JVM may replace by a call of a stub"
        }
        DoseKind::Allocate => {
            "makes arrays (--dose allocate): rows say where a profiler reports new objects and the JVM's own code behind them; what \
             collectors do in other threads is not looked at"
        }
        DoseKind::Load => {
            "loads from beyond the nearest cache (--dose load): the program's own data may lose its place there, and a right profiler \
             then reports that little in other methods"
        }
        DoseKind::Call => {
            let callee = kind.callee().unwrap_or_default();
            return Some(format!(
                "what was added calls {callee} (--dose call), which spends the time: in place means in that method, and \
                 the method with the site only calls it"
            ));
        }
        DoseKind::Vector => {
            "adds vectors (--dose vector): rows say where a profiler reports a loop that the JIT turns into vector code"
        }
        DoseKind::Lock => {
            "takes a lock that nobody else wants (--dose lock): rows say where a profiler reports synchronized; with several \
             threads they want it all"
        }
    };
    Some(format!("what was added {says}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_but_the_usual_is_remarked() {
        for kind in DoseKind::ALL {
            let remark = remark(kind);
            assert_eq!(remark.is_none(), kind == DoseKind::default());
            let option = format!("(--dose {})", kind.name());
            assert!(remark.is_none_or(|said| said.contains(&option)));
        }
    }
}
