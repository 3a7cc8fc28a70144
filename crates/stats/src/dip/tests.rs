use super::*;

/// Ages of R's `statfaculty`: `dip` of package diptest gives 0.05952381, p = 0.087.
const AGES: [f64; 63] = [
    30., 33., 35., 36., 37., 37., 39., 39., 39., 39., 39., 40., 40., 40., 40., 41., 42., 43., 43.,
    43., 44., 44., 45., 45., 46., 46., 47., 47., 48., 48., 48., 49., 50., 50., 51., 52., 52., 53.,
    53., 53., 53., 53., 54., 54., 57., 57., 59., 60., 60., 60., 61., 61., 61., 61., 62., 62., 62.,
    62., 63., 66., 70., 72., 72.,
];

/// Whether a unimodal function with its mode at point `k` stays within `d` of the distribution function: the
/// largest convex function below the upper limits must reach the lower ones, and mirrored on the right.
fn fits(x: &[f64], k: usize, d: f64) -> bool {
    let n = x.len() as f64;
    let left: Vec<(f64, f64, f64)> = (0..=k)
        .map(|i| {
            (
                x[i],
                i as f64 / n + d,
                if i < k { (i + 1) as f64 / n - d } else { -1.0 },
            )
        })
        .collect();
    let right: Vec<(f64, f64, f64)> = (k..x.len())
        .rev()
        .map(|i| {
            let low = (i + 1) as f64 / n - d;
            (
                -x[i],
                1.0 - low,
                if i > k {
                    1.0 - (i as f64 / n + d)
                } else {
                    -1.0
                },
            )
        })
        .collect();
    // Where both sides meet, the left one must not be above the right one.
    convex_fits(&left) && convex_fits(&right) && least_end(&left) + least_end(&right) <= 1.0 + 1e-12
}

/// Smallest value that a convex function between the limits can have at its last point.
fn least_end(points: &[(f64, f64, f64)]) -> f64 {
    let end = points[points.len() - 1].0;
    let mut least = 0.0f64;
    for (at, b) in points.iter().enumerate().filter(|(_, b)| b.2 >= 0.0) {
        least = least.max(b.2);
        for a in points[..at].iter().filter(|a| a.0 < b.0) {
            least = least.max(b.2 + (b.2 - a.1) / (b.0 - a.0) * (end - b.0));
        }
    }
    least
}

/// `(x, upper, lower)` in ascending x.
fn convex_fits(points: &[(f64, f64, f64)]) -> bool {
    let under = |at: f64| {
        let mut least = f64::INFINITY;
        for a in points.iter().filter(|p| p.0 <= at) {
            for b in points.iter().filter(|p| p.0 >= at) {
                let part = if b.0 > a.0 {
                    (at - a.0) / (b.0 - a.0)
                } else {
                    0.0
                };
                let value = if b.0 > a.0 {
                    a.1 + part * (b.1 - a.1)
                } else {
                    a.1.min(b.1)
                };
                least = least.min(value);
            }
        }
        least
    };
    points.iter().all(|p| under(p.0) >= p.2 - 1e-12)
}

fn slow_dip(values: &[f64]) -> f64 {
    let mut x = values.to_vec();
    x.sort_by(f64::total_cmp);
    let best = |k: usize| {
        let (mut low, mut high) = (0.5 / x.len() as f64, 0.5);
        for _ in 0..40 {
            let middle = (low + high) / 2.0;
            if fits(&x, k, middle) {
                high = middle
            } else {
                low = middle
            }
        }
        high
    };
    (0..x.len()).map(best).fold(f64::INFINITY, f64::min)
}

#[test]
fn as_the_slow_search_over_all_modes() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for round in 0..60 {
        let n = 4 + round % 12;
        let gap = f64::from(u32::try_from(round % 4).unwrap());
        let values: Vec<f64> = (0..n)
            .map(|_| rng.random::<f64>() + if rng.random_bool(0.4) { gap } else { 0.0 })
            .collect();
        let (fast, slow) = (dip(&values).unwrap(), slow_dip(&values));
        assert!((fast - slow).abs() < 1e-8, "{values:?}: {fast} {slow}");
    }
}

#[test]
fn known_dips() {
    assert!((dip(&AGES).unwrap() - 0.059_523_81).abs() < 1e-7);
    let p = DipTable::new(63, 2000, 1).p_value(0.059_523_81);
    assert!((p - 0.087).abs() < 0.02, "{p}");
    let level: Vec<f64> = (0..20).map(f64::from).collect();
    assert!((dip(&level).unwrap() - 0.025).abs() < 1e-12, "1/(2n)");
    let two = [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0];
    assert!((dip(&two).unwrap() - 0.25).abs() < 1e-12);
    assert_eq!(dip(&[1.0, 2.0, 3.0]), None);
    assert_eq!(dip(&[1.0, 2.0, 3.0, f64::NAN]), None);
}

#[test]
fn order_scale_and_shift_do_not_matter() {
    let turned: Vec<f64> = AGES.iter().rev().map(|v| 100.0 - 3.0 * v).collect();
    assert!((dip(&turned).unwrap() - dip(&AGES).unwrap()).abs() < 1e-12);
}

/// 30 values: uniform ones alarm at the nominal rate, normal ones hardly ever, two modes eight standard deviations
/// apart nearly always if they are equal, in about 60 % if one has 30 %.
#[test]
fn rates_of_alarms() {
    let table = DipTable::new(30, 2000, 7);
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut rate = |draw: &dyn Fn(&mut ChaCha8Rng) -> f64| {
        let alarms = (0..1000).filter(|_| {
            let values: Vec<f64> = (0..30).map(|_| draw(&mut rng)).collect();
            table.p_value(dip(&values).unwrap()) <= 0.05
        });
        alarms.count() as f64 / 1000.0
    };
    let bell = |r: &mut ChaCha8Rng| (0..12).map(|_| r.random::<f64>()).sum::<f64>();
    let uniform = rate(&|r| r.random());
    assert!((0.03..=0.07).contains(&uniform), "{uniform}");
    assert!(rate(&bell) < 0.02);
    let two = rate(&|r| bell(r) + if r.random_bool(0.5) { 8.0 } else { 0.0 });
    assert!(two > 0.95, "{two}");
    let uneven = rate(&|r| bell(r) + if r.random_bool(0.3) { 8.0 } else { 0.0 });
    assert!((0.45..0.75).contains(&uneven), "{uneven}");
}
