//! What is blamed wrongly: methods with too little time matched with methods with too much.

use crate::deviation::{Deviation, View};
use crate::judge::method_name;
use crate::{Blame, Evidence, SEVERAL, Settings};
use proofmark_rules::BLAMED_LEVEL;
use proofmark_stats::{Confidence, Estimate, holm};

/// Deviations of every method that can be blamed.
pub(crate) fn candidates(view: &View, settings: &Settings) -> Vec<Deviation> {
    view.methods_from(settings.blame_share_pct)
        .iter()
        .map(|m| view.deviation(*m))
        .collect()
}

/// Greedy matching of significantly under- with over-attributed methods (Holm, family-wise 5 %), largest first; what is
/// left of a significant method goes to [`SEVERAL`]. Ambiguous weight excuses.
///
/// # Accuracy
/// Which of several under-attributed methods lost time to which over-attributed one cannot be seen in shares; the
/// largest are matched first. The interval of a pair is that of the method that limits it; its `n` are the profiler's
/// samples in unslowed windows.
pub(crate) fn blames(
    e: &Evidence,
    deviations: &[Deviation],
    samples: f64,
    settings: &Settings,
) -> Vec<Blame> {
    let n = samples.round() as u64;
    let interval = |points: f64, limiting: &Deviation, together: usize| Estimate {
        n,
        ..interval(points, limiting, together)
    };
    let adjusted = holm(
        &deviations
            .iter()
            .map(Deviation::p_value)
            .collect::<Vec<_>>(),
    );
    let significant: Vec<&Deviation> = deviations
        .iter()
        .zip(adjusted)
        .filter(|(_, p)| *p < BLAMED_LEVEL)
        .map(|(d, _)| d)
        .collect();
    let side = |sign: f64| {
        let mut open: Vec<(f64, &Deviation)> = significant
            .iter()
            .filter(|d| d.points * sign > 0.0)
            .map(|d| (d.points.abs(), *d))
            .collect();
        open.sort_by(|a, b| b.0.total_cmp(&a.0));
        open
    };
    let (mut under, mut over) = (side(-1.0), side(1.0));
    let mut found = Vec::new();
    while let (Some(less), Some(more)) = (largest(&mut under), largest(&mut over)) {
        let points = less.0.min(more.0);
        let limiting = if less.0 <= more.0 { less.1 } else { more.1 };
        let (from, to) = (method_name(e, less.1.method), method_name(e, more.1.method));
        less.0 -= points;
        more.0 -= points;
        found.push(Blame {
            from,
            to,
            points: interval(points, limiting, deviations.len()),
        });
    }
    for (points, d) in under {
        found.push(Blame {
            from: method_name(e, d.method),
            to: SEVERAL.into(),
            points: interval(points, d, deviations.len()),
        });
    }
    for (points, d) in over {
        found.push(Blame {
            from: SEVERAL.into(),
            to: method_name(e, d.method),
            points: interval(points, d, deviations.len()),
        });
    }
    found.retain(|b| b.points.value >= settings.blame_min_pt);
    found.sort_by(|a, b| b.points.value.total_cmp(&a.points.value));
    found
}

fn largest<'a, 'b>(open: &'a mut [(f64, &'b Deviation)]) -> Option<&'a mut (f64, &'b Deviation)> {
    open.iter_mut()
        .filter(|(points, _)| *points > 1e-9)
        .max_by(|a, b| a.0.total_cmp(&b.0))
}

fn interval(points: f64, limiting: &Deviation, together: usize) -> Estimate {
    let half = limiting
        .spread
        .half_width(Confidence::P95.simultaneous(together));
    let ambiguous = if limiting.points > 0.0 {
        limiting.down
    } else {
        limiting.up
    };
    Estimate {
        value: points,
        low: (points - half - ambiguous).max(0.0),
        high: points + half,
        n: 0,
    }
}
