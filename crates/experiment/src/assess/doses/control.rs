//! What is dosed under the eyes of the safepoint control.

use std::collections::BTreeSet;

use proofmark_assess::Role;

use super::DoseTarget;

/// Methods that are dosed under the eyes of the safepoint control, at most: as many as must own enough of the time for it to
/// be found wrong by its shares in unslowed code. That it reports added time elsewhere, two methods show as well as more.
pub const CONTROL_METHODS: usize = 2;

/// What is dosed under the eyes of somebody, in the order of all targets: everything, but for the safepoint control the first
/// target of each of the hottest methods.
#[must_use]
pub fn dosed_under(role: Role, targets: &[DoseTarget]) -> Vec<&DoseTarget> {
    if role != Role::SafepointControl {
        return targets.iter().collect();
    }
    let mut met: BTreeSet<&str> = BTreeSet::new();
    let firsts = targets
        .iter()
        .filter(|target| met.insert(target.owner.as_str()));
    firsts.take(CONTROL_METHODS).collect()
}

#[cfg(test)]
mod tests {
    use proofmark_stats::Estimate;

    use super::*;

    #[test]
    fn the_control_sees_two_methods_and_everybody_else_sees_all() {
        let target = |owner: &str, label: &str| DoseTarget {
            owner: owner.into(),
            label: label.into(),
            blocks: 1,
            share: Estimate::around(0.2, 0.01, 1000),
            low: Vec::new(),
            high: Vec::new(),
        };
        let targets = [
            target("A.a()", "3 blocks of A.a()"),
            target("A.a()", "block 1 of A.a()"),
            target("A.b()", "2 blocks of A.b()"),
            target("A.c()", "block 7 of A.c()"),
        ];
        let labels = |role| -> Vec<&str> {
            let dosed = dosed_under(role, &targets).into_iter();
            dosed.map(|target| target.label.as_str()).collect()
        };
        assert_eq!(
            labels(Role::SafepointControl),
            ["3 blocks of A.a()", "2 blocks of A.b()"]
        );
        for role in [Role::OracleControl, Role::Subject] {
            assert_eq!(labels(role).len(), 4, "{role:?}");
        }
        assert!(dosed_under(Role::SafepointControl, &[]).is_empty());
    }
}
