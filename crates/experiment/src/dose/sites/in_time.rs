//! Fewer methods where the iterations of a program are so long that a test of all would take too long.

use super::choose::Chosen;
use super::{DoseOrder, Test};
use crate::dose::{Size, Times};

/// So many methods are tested, however long that takes.
const LEAST: usize = 3;
/// Shorter iterations, s, are not what makes a test long: all methods are tested.
const LONG_S: f64 = 0.02;

/// How long the test takes with so many of the methods that were chosen. This is what the note below says and what the time that is left
/// is told by.
pub(super) fn times(order: &DoseOrder, chosen: &Chosen, methods: usize) -> Times {
    let works = |name: &&String| !chosen.failed.contains_key(*name);
    let profilers = order.size.profilers.iter().filter(works);
    let size = Size {
        profilers: profilers.cloned().collect(),
        at_once: chosen.at_once,
        ..order.size.clone()
    };
    Times::of(&size, methods, chosen.iteration_s)
}

/// The order with as many methods as there is time for, hottest first, where there is none for all that were chosen; the others are
/// then beyond the number that is tested. `began_s`: when the test began.
pub(super) fn fewer<L>(test: &Test<'_, L>, chosen: &mut Chosen, began_s: f64) -> Option<DoseOrder> {
    let order = test.order;
    let most_s = order.most_s.filter(|_| chosen.iteration_s >= LONG_S)?;
    let spent_s = test.progress.elapsed_s() - began_s;
    let all = chosen.candidates.len();
    let takes_s = |methods: usize| times(order, chosen, methods).chosen_s();
    let least = LEAST.max(order.named.len()).min(all);
    let fits = |methods: &usize| spent_s + takes_s(*methods) <= most_s;
    let methods = (least..=all).rev().find(fits).unwrap_or(least);
    if methods == all {
        return None;
    }
    let said = format!(
        "an iteration takes about {} s, so {methods} of {all} methods are tested, the hottest: that takes about {:.0} min, all of them about {:.0} \
         ({}); a program that does less in an iteration takes less time",
        in_seconds(chosen.iteration_s),
        minutes(spent_s + takes_s(methods)),
        minutes(spent_s + takes_s(all)),
        order.again.with(&format!("--methods {all}")),
    );
    test.progress.note(&said);
    let beyond = chosen.candidates.split_off(methods);
    chosen.beyond.splice(..0, beyond);
    let mut again = order.again.clone();
    again
        .options
        .push(("--methods".to_owned(), methods.to_string()));
    Some(DoseOrder {
        size: Size {
            methods,
            ..order.size.clone()
        },
        again,
        remarks: order.remarks.iter().cloned().chain([said]).collect(),
        ..order.clone()
    })
}

/// Whole ones, one at least.
fn minutes(seconds: f64) -> f64 {
    (seconds / 60.0).round().max(1.0)
}

/// With two digits.
fn in_seconds(seconds: f64) -> String {
    match seconds {
        long if long >= 1.0 => format!("{long:.1}"),
        short if short >= 0.1 => format!("{short:.2}"),
        short => format!("{short:.3}"),
    }
}
