//! Simulated scatter of windows, in rows that are alike and that are not.

use proofmark_stats::normal_cdf;

use super::*;
use crate::sim::Random;

/// Degrees of freedom of a row in a JVM: four pairs of windows.
const DF: f64 = 3.0;

/// A row whose windows say that it is known so well.
fn row(standard_error: f64) -> Row {
    let half = standard_error * t_quantile(DF, Confidence::P95);
    crate::dose::tests::row(0.97, half, DF)
}

/// What is known of rows of JVMs with these standard errors.
fn known(jvms: &[&[f64]]) -> Vec<Vec<Known>> {
    let jvm = |errors: &&[f64]| errors.iter().map(|one| Some(row(*one))).collect();
    let jvms: Vec<Vec<Option<Row>>> = jvms.iter().map(jvm).collect();
    let all = alike(&jvms).into_iter();
    all.map(|rows| rows.into_iter().flatten().collect())
        .collect()
}

#[test]
fn few_rows_and_those_of_one_jvm_stand_by_themselves() {
    for all in [known(&[[0.01; 5].as_slice(); 2]), known(&[&[0.01; 20]])] {
        let own = |one: &Known| (one.standard_error - 0.01).abs() < 1e-12 && one.df == DF;
        assert!(all.iter().flatten().all(own), "{all:?}");
    }
}

/// As many rows of two pairs each say nothing of each other.
#[test]
fn rows_of_few_windows_stand_by_themselves() {
    let few = |_| {
        let row = Row {
            df: 1.0,
            ..row(0.01)
        };
        Some(row)
    };
    let jvms: Vec<Vec<Option<Row>>> = (0..4).map(|_| (0..8).map(few).collect()).collect();
    for one in alike(&jvms).iter().flatten().flatten() {
        assert!((one.df - 1.0).abs() < 1e-9, "{one:?}");
    }
}

#[test]
fn rows_that_are_alike_know_each_other_and_none_is_known_better_than_it_says() {
    let all = known(&[[0.01; 4].as_slice(); 4]);
    for one in all.iter().flatten() {
        assert!((one.df - DF - DOSE_ALIKE_DF).abs() < 1e-9, "{one:?}");
        assert!(
            (0.01 - 1e-9..0.012).contains(&one.standard_error),
            "{one:?}"
        );
    }
    // One that scatters a hundred times as much: the others say less of each, and nothing good of it.
    let alike = [0.01; 4];
    let all = known(&[&alike, &alike, &[0.01, 1.0, 0.01, 0.01], &alike]);
    let odd = all[2][1];
    assert!((odd.standard_error - 1.0).abs() < 1e-9, "{odd:?}");
    assert!(odd.df > DF && odd.df < DF + DOSE_ALIKE_DF, "{odd:?}");
}

/// That of one JVM is what it knows.
#[test]
fn what_several_jvms_know_together_is_as_by_welch_and_satterthwaite() {
    let one = Known::of(&row(0.02).in_place, DF);
    assert_eq!(Known::mean(&[one]), Some(one));
    assert_eq!(Known::mean(&[]), None);
    let both = Known::mean(&[one, one]).expect("two");
    assert!((both.standard_error - 0.02 / 2_f64.sqrt()).abs() < 1e-12);
    assert!((both.df - 2.0 * DF).abs() < 1e-9 && both.n == 1800);
    let half = both.at(Confidence::P95).half_width();
    assert!((half - 2.447 * both.standard_error).abs() < 1e-4, "{half}");
    // Ten points are seven of its standard errors.
    let said = both.false_alarm(Confidence::P95, 0.1);
    assert!(said > 0.0 && said < 1e-3, "{said}");
}

/// Intervals that accuse, of tests with eight rows in four JVMs: their confidence, and how often they miss what they should hold.
struct Missed {
    /// Those that leave so much.
    nominal: f64,
    /// Those of all JVMs together.
    together: f64,
    /// Those of one JVM.
    one: f64,
    /// How wide those of all together are, in times of what they are by each row's own windows.
    width: f64,
}

/// Known exactly, from standard errors as windows of such a true scatter say them.
fn missed(tests: usize, variance: impl Fn(&mut Random) -> f64) -> Missed {
    const ROWS: usize = 8;
    const JVMS: usize = 4;
    let confidence = Confidence::leaving(0.05 / 80.0);
    let mut random = Random::new(5);
    let mut all = Missed {
        nominal: confidence.alpha(),
        together: 0.0,
        one: 0.0,
        width: 0.0,
    };
    let outside = |known: &Known, variance: f64| {
        let half = known.at(confidence).half_width();
        2.0 * normal_cdf(-half / variance.sqrt())
    };
    for _ in 0..tests {
        let mut jvms = vec![Vec::new(); JVMS];
        let mut truths = vec![Vec::new(); JVMS];
        for _ in 0..ROWS {
            for (jvm, truths) in jvms.iter_mut().zip(&mut truths) {
                let truth = variance(&mut random);
                let squares = (0..3).map(|_| random.normal().powi(2)).sum::<f64>() / DF;
                jvm.push(Some(row((truth * squares).sqrt())));
                truths.push(truth);
            }
        }
        let known = alike(&jvms);
        for at in 0..ROWS {
            let of_row: Vec<Known> = known.iter().filter_map(|jvm| jvm[at]).collect();
            let own = jvms.iter().filter_map(|jvm| jvm[at].as_ref());
            let own: Vec<Known> = own.map(|row| Known::of(&row.in_place, DF)).collect();
            let truth: Vec<f64> = truths.iter().map(|jvm| jvm[at]).collect();
            let each = of_row.iter().zip(&truth);
            let each = each.map(|(known, truth)| outside(known, *truth));
            let (of_row, own) = (Known::mean(&of_row), Known::mean(&own));
            let (of_row, own) = of_row.zip(own).expect("four JVMs");
            let of_mean = truth.iter().sum::<f64>() / (JVMS * JVMS) as f64;
            let rows = (tests * ROWS) as f64;
            all.one += each.sum::<f64>() / rows / JVMS as f64;
            all.together += outside(&of_row, of_mean) / rows;
            let wide = |known: &Known| known.at(confidence).half_width();
            all.width += wide(&of_row) / wide(&own) / rows;
        }
    }
    all
}

#[test]
fn intervals_of_rows_that_are_alike_hold_what_they_say_and_are_narrower() {
    let same = missed(100, |_| 1e-4);
    assert!(same.together <= same.nominal && same.one <= same.nominal);
    assert!(same.width < 0.9, "{}", same.width);
}

/// A tenth of the JVMs' rows have three times the error of the others: a JVM's own interval misses what it should hold about as seldom as
/// it says, that of all together up to three times as often. Of a row that is off by exactly as much as is allowed one end of each accuses.
#[test]
fn where_some_scatter_more_a_row_is_falsely_accused_in_less_than_six_of_a_thousand_tests() {
    let mixed = missed(100, |random| match random.uniform() < 0.1 {
        true => 9e-4,
        false => 1e-4,
    });
    assert!(mixed.together <= 3.0 * mixed.nominal, "{}", mixed.together);
    assert!(mixed.one <= 1.5 * mixed.nominal, "{}", mixed.one);
    let accused = (mixed.together + 4.0 * mixed.one) / 2.0;
    assert!(accused < 0.006 && accused > 0.0, "{accused}");
    assert!(mixed.width < 0.9, "{}", mixed.width);
}
