use super::*;
use crate::mean_t;

fn exponential(rng: &mut ChaCha8Rng) -> f64 {
    -(1.0 - rng.random::<f64>()).ln()
}

#[test]
fn same_seed_same_interval_other_seed_nearly() {
    let v: Vec<f64> = (0..30).map(f64::from).collect();
    let a = bootstrap_percentile(&v, mean, Resampling::seeded(5)).unwrap();
    assert_eq!(
        a,
        bootstrap_percentile(&v, mean, Resampling::seeded(5)).unwrap()
    );
    let b = bootstrap_percentile(&v, mean, Resampling::seeded(6)).unwrap();
    assert!(a != b && (a.low - b.low).abs() < 0.5);
    let t = mean_t(&v).unwrap();
    assert!((a.half_width() / t.half_width() - 0.96).abs() < 0.06);
}

/// For a right-skewed sample BCa shifts both ends up against the percentile interval.
#[test]
fn bca_shifts_towards_the_skewed_side() {
    let v: Vec<f64> = (0..25).map(|i| (f64::from(i) / 5.0).exp()).collect();
    let how = Resampling::seeded(3);
    let (p, b) = (
        bootstrap_percentile(&v, mean, how).unwrap(),
        bootstrap_bca(&v, mean, how).unwrap(),
    );
    assert!(b.low > p.low && b.high > p.high, "{p:?} {b:?}");
}

#[test]
fn bca_covers_skewed_means() {
    let mut rng = ChaCha8Rng::seed_from_u64(17);
    let tries = 400;
    let covered = (0..tries).filter(|i| {
        let v: Vec<f64> = (0..40).map(|_| exponential(&mut rng)).collect();
        bootstrap_bca(
            &v,
            mean,
            Resampling {
                times: 400,
                seed: *i,
            },
        )
        .unwrap()
        .covers(1.0)
    });
    let share = covered.count() as f64 / tries as f64;
    assert!((0.89..=0.98).contains(&share), "{share}");
}

/// Values of one window move together: the flat bootstrap would be far too narrow.
#[test]
fn hierarchical_sees_what_windows_have_in_common() {
    let windows: Vec<Vec<f64>> = (0..12)
        .map(|w| (0..50).map(|i| f64::from(w) + f64::from(i % 3)).collect())
        .collect();
    let flat: Vec<f64> = windows.concat();
    let all = |ws: &[Vec<f64>]| mean(&ws.concat());
    let h = bootstrap_hierarchical(
        &windows,
        all,
        Resampling {
            times: 500,
            seed: 1,
        },
    )
    .unwrap();
    let f = bootstrap_percentile(
        &flat,
        mean,
        Resampling {
            times: 500,
            seed: 1,
        },
    )
    .unwrap();
    assert!(h.half_width() > 4.0 * f.half_width(), "{h:?} {f:?}");
    assert_eq!(h.n, 12);
}
