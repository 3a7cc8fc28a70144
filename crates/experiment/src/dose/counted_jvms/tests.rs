use super::*;
use crate::sim::Random;

/// What five pairs of windows of a JVM say where counting makes this part and a pair is off by that much.
fn jvm(part: f64, error: f64, random: &mut Random) -> Estimate {
    let pairs: Vec<f64> = (0..5).map(|_| part + error * random.normal()).collect();
    mean_t(&pairs).expect("five")
}

/// JVMs of a profiler with one site each, whose parts differ by so much.
fn under(name: &str, jvms: usize, (part, differ): (f64, f64), random: &mut Random) -> CountedUnder {
    let mut one = || {
        let own = part + differ * random.normal();
        vec![Some(jvm(own, 0.02, random))]
    };
    CountedUnder {
        profiler: name.to_owned(),
        jvms: (0..jvms).map(|_| one()).collect(),
    }
}

fn exactly(value: f64) -> Estimate {
    Estimate::around(value, 0.004, 5)
}

/// Over so many JVMs and one without a profiler: how often the interval holds the mean, how often what is so in one more JVM, and how
/// wide it is beside that of the one without a profiler.
fn held(jvms: usize, differ: f64) -> [f64; 3] {
    let mut random = Random::new(17);
    let mut held = [0.0; 3];
    let tests = 1000;
    for _ in 0..tests {
        let single = |random: &mut Random| 0.96 + differ * random.normal();
        let (own, another) = (single(&mut random), single(&mut random));
        let plain = jvm(own, 0.02, &mut random);
        let all = under("a", jvms, (0.96, differ), &mut random);
        let over = Counted::over(&[Some(plain)], &[all]);
        let (part, of) = over.sites[0].expect("it is known");
        // In some tests the JVMs contradict the one without a profiler.
        assert!(of <= jvms + 1 && part.n == 5 * of as u64);
        held[0] += f64::from(u8::from(part.covers(0.96)));
        held[1] += f64::from(u8::from(part.covers(another)));
        held[2] += part.half_width() / plain.half_width();
    }
    held.map(|one| one / f64::from(tests))
}

#[test]
fn intervals_over_jvms_hold_the_mean_and_a_single_one_where_they_differ() {
    for jvms in [4, 12] {
        for differ in [0.0, 0.005, 0.01, 0.04] {
            let [mean, ..] = held(jvms, differ);
            assert!(mean > 0.93, "{jvms} JVMs that differ by {differ}: {mean}");
        }
        let [_, single, _] = held(jvms, 0.04);
        assert!(single > 0.87, "{jvms} JVMs: {single}");
    }
    let [.., width] = held(12, 0.0);
    assert!(width < 0.5, "{width}");
    let [.., width] = held(12, 0.04);
    assert!(
        width > 1.0,
        "more than JVMs agree on is not claimed: {width}"
    );
}

#[test]
fn few_jvms_say_no_more_than_the_one_without_a_profiler() {
    let of = |jvms: usize| {
        let one = CountedUnder {
            profiler: "a".into(),
            jvms: vec![vec![Some(exactly(0.97))]; jvms],
        };
        Counted::over(&[Some(exactly(0.96))], &[one]).sites[0]
    };
    assert_eq!(of(0), Some((exactly(0.96), 1)));
    assert_eq!(of(2), Some((exactly(0.96), 1)));
    let (part, jvms) = of(3).expect("four");
    assert_eq!((jvms, part.n), (4, 20));
    assert!((part.value - 0.9675).abs() < 1e-9, "{part:?}");
    // Who is not known without a profiler is not known; who hardly knows anything says nothing.
    let vague = CountedUnder {
        profiler: "a".into(),
        jvms: vec![vec![Some(Estimate::around(0.5, 0.3, 2))]; 9],
    };
    let both = [None, Some(exactly(0.96))];
    let over = Counted::over(&both, std::slice::from_ref(&vague));
    assert_eq!(over.sites, [None, Some((exactly(0.96), 1))]);
    assert_eq!(over.remark(), None);
}

/// Nothing would contradict a profiler that takes time itself where time is added.
#[test]
fn profilers_alone_do_not_say_what_is_right() {
    let vague = Estimate::around(1.0, 0.12, 4);
    let slows = CountedUnder {
        profiler: "a".into(),
        jvms: vec![vec![Some(exactly(0.92))]; 9],
    };
    let over = Counted::over(&[Some(vague)], &[slows]);
    assert_eq!(over.sites, [Some((vague, 1))]);
}

/// A profiler whose four JVMs are off by 3 points, which contradicts nobody: the mean moves, and its interval gets wider.
#[test]
fn a_profiler_that_is_off_by_little_moves_what_is_right_by_little() {
    let mut random = Random::new(19);
    let mut moved = 0.0;
    let tests = 300;
    for _ in 0..tests {
        let plain = jvm(1.0, 0.02, &mut random);
        let all = under("a", 4, (0.97, 0.0), &mut random);
        let over = Counted::over(&[Some(plain)], &[all]);
        let (part, _) = over.sites[0].expect("it is known");
        moved += (plain.low - part.low) / f64::from(tests);
    }
    assert!((0.02..0.045).contains(&moved), "{moved}");
}

/// One of three profilers makes added time 8 % longer in all its JVMs, another one at one site.
#[test]
fn a_profiler_that_takes_time_where_time_is_added_does_not_count_there() {
    let plain = [1.0, 0.99, 0.98, 1.0].map(|part| Some(exactly(part)));
    let off = |name: &str, by: [f64; 4]| {
        let own = plain.iter().flatten().zip(by);
        let own = own.map(|(part, by)| Some(exactly(part.value + by)));
        CountedUnder {
            profiler: name.to_owned(),
            jvms: vec![own.collect(); 4],
        }
    };
    let all = [
        off("right", [0.002, -0.002, 0.0, 0.001]),
        off("slows", [-0.07, -0.08, -0.07, -0.072]),
        off("once", [0.0, 0.002, 0.06, 0.0]),
    ];
    let over = Counted::over(&plain, &all);
    let jvms = over.sites.iter().flatten().map(|(_, jvms)| *jvms);
    assert_eq!(jvms.collect::<Vec<_>>(), [9, 9, 5, 9]);
    for ((part, _), plain) in over.sites.iter().flatten().zip(plain.iter().flatten()) {
        assert!((part.value - plain.value).abs() < 0.003, "{part:?}");
    }
    let remark = over.remark().expect("two are off");
    assert!(
        remark.contains("under slows (7.3 points less, "),
        "{remark}"
    );
    assert!(remark.contains("at 4 of 4 sites"), "{remark}");
    assert!(remark.contains("under once (6.0 points more, "), "{remark}");
    assert!(remark.contains("at 1 of 4 sites"), "{remark}");
    assert!(!remark.contains("right ("), "{remark}");
}

/// What is not certain excludes nobody: without a profiler these are known to 8 points.
#[test]
fn what_may_be_chance_contradicts_nobody() {
    let plain = [Some(Estimate::around(1.0, 0.08, 4))];
    let one = CountedUnder {
        profiler: "a".into(),
        jvms: vec![vec![Some(exactly(0.94))]; 4],
    };
    let over = Counted::over(&plain, &[one]);
    assert!(over.apart.is_empty(), "{over:?}");
    assert_eq!(over.sites[0].map(|(_, jvms)| jvms), Some(5));
}

/// Of two profilers with three JVMs each, the one that is judged has none of its own; with two JVMs each the others are too few.
#[test]
fn what_is_right_for_a_profiler_comes_from_the_others() {
    let plain = [Some(exactly(1.0))];
    let says = |name: &str, part: f64, jvms: usize| CountedUnder {
        profiler: name.to_owned(),
        jvms: vec![vec![Some(exactly(part))]; jvms],
    };
    let of = |jvms: usize| {
        let under = [says("a", 0.98, jvms), says("b", 0.99, jvms)];
        ["a", "b"].map(|name| Counted::without(name, &plain, &under)[0].expect("known"))
    };
    let [a, b] = of(3);
    assert!((a.value - (1.0 + 3.0 * 0.99) / 4.0).abs() < 1e-9, "{a:?}");
    assert!((b.value - (1.0 + 3.0 * 0.98) / 4.0).abs() < 1e-9, "{b:?}");
    assert_eq!(of(2), [exactly(1.0); 2]);
}

/// How far JVMs are from each other is not known from one: four profilers have one each, in which a site is off by 5 points.
#[test]
fn one_jvm_contradicts_nobody_at_a_site_but_may_over_all_of_them() {
    let of = |name: &str, off: [f64; 4]| CountedUnder {
        profiler: name.to_owned(),
        jvms: vec![off.map(|off| Some(exactly(1.0 - off))).to_vec()],
    };
    let plain = [Some(exactly(1.0)); 4];
    let all = [
        of("a", [0.05, 0.0, 0.0, 0.0]),
        of("b", [0.0, 0.05, 0.0, 0.0]),
        of("c", [0.0, 0.0, 0.05, 0.0]),
        of("d", [0.0, 0.0, 0.0, 0.05]),
    ];
    let over = Counted::over(&plain, &all);
    assert_eq!(over.remark(), None);
    for (part, jvms) in over.sites.iter().flatten() {
        // One more JVM may be as far off as that one is.
        assert!(*jvms == 5 && part.low < 0.95, "{part:?}");
    }
    let slows = [of("slows", [0.07, 0.08, 0.07, 0.072])];
    let remark = Counted::over(&plain, &slows).remark().expect("it is off");
    assert!(
        remark.contains("under slows (7.3 points less, "),
        "{remark}"
    );
}

/// Three JVMs know a site to 9 points: with them it is known to 6, and the one without a profiler knows it to 1.
#[test]
fn what_one_jvm_knows_others_that_know_less_do_not_take_away() {
    let own = Estimate::around(0.94, 0.01, 16);
    let vague = CountedUnder {
        profiler: "a".into(),
        jvms: vec![vec![Some(Estimate::around(0.94, 0.09, 16))]; 3],
    };
    let all = [vague];
    let (over, jvms) = Counted::over(&[Some(own)], &all).sites[0].expect("known");
    assert!(jvms == 4 && !is_known(&over), "{over:?}");
    assert_eq!(Counted::without("b", &[Some(own)], &all), [Some(own)]);
}

/// Four JVMs say 10 points less in the mean, and are 3 points from each other: the one without a profiler may be one more of these.
#[test]
fn jvms_that_differ_among_themselves_contradict_less() {
    let under = |parts: [f64; 4]| CountedUnder {
        profiler: "a".into(),
        jvms: parts.map(|part| vec![Some(exactly(part))]).into(),
    };
    let plain = [Some(exactly(1.0))];
    let differ = Counted::over(&plain, &[under([0.86, 0.90, 0.94, 0.90])]);
    assert_eq!(differ.remark(), None, "{differ:?}");
    let agree = Counted::over(&plain, &[under([0.898, 0.90, 0.902, 0.90])]);
    assert!(agree.remark().is_some(), "{agree:?}");
}
