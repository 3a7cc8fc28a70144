//! What counting says of sites over several JVMs: one without a profiler, and those of profilers.
//!
//! Nothing that a profiler reports is in it, only what clocks say. But a profiler that takes time where time is added would shift what
//! it is judged by. So its JVMs have no part in what is right for itself (`Counted::without`). For others they count where they do not
//! contradict the one without a profiler.

use proofmark_rules::{
    DOSE_COUNTED_BESIDE, DOSE_COUNTED_DIFFER, DOSE_COUNTED_JVMS, DOSE_TRUTHS_APART,
};
use proofmark_stats::{Confidence, Estimate, Spread, mean, mean_t, sample_variance, t_quantile};

use super::truth::is_known;

/// JVMs of a profiler.
#[derive(Debug, Clone)]
pub(super) struct CountedUnder {
    pub(super) profiler: String,
    /// Of each JVM what counting says of each site there ([`by_count`](super::by_count)); n counts pairs of windows.
    pub(super) jvms: Vec<Vec<Option<Estimate>>>,
}

/// What counting says over JVMs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Counted {
    /// Of each site, and in how many JVMs; n counts pairs of windows.
    pub(super) sites: Vec<Option<(Estimate, usize)>>,
    /// Profilers of which JVMs do not count.
    pub(super) apart: Vec<Apart>,
}

/// Counting says something else in a profiler's JVMs than without a profiler.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Apart {
    profiler: String,
    /// Sites at which its JVMs do not count, of those that were compared.
    sites: [usize; 2],
    /// By how much counting says more, part of the added time: over sites, or at the one where it is most.
    more: Estimate,
}

impl Counted {
    /// Over the JVM without a profiler, which says this of each site, and those of profilers.
    ///
    /// *Contradicted.* Where a profiler's JVMs say for certain something else than the one without, by more than 3 points, they do not
    /// count at that site. Where that is so of the mean over sites, they count nowhere.
    ///
    /// *Few.* With fewer than four JVMs that know a site, the one without a profiler counts alone. A JVM that knows it less well than to
    /// 10 points says nothing of it. Where that is the one without a profiler, no other one counts: nobody could contradict them.
    pub(super) fn over(plain: &[Option<Estimate>], under: &[CountedUnder]) -> Self {
        let all: Vec<Compared<'_>> = (under.iter())
            .map(|one| Compared::with(plain, one))
            .collect();
        let of_site = |(site, plain): (usize, &Option<Estimate>)| {
            let own = (*plain)?;
            let others = all.iter().filter(|one| !one.left_out[site]);
            let others = others.flat_map(|one| told(one.under, site));
            let parts: Vec<Estimate> = std::iter::once(own).chain(others).collect();
            let over = over_jvms(&parts).filter(|_| is_told(&own));
            Some(over.map_or((own, 1), |part| (part, parts.len())))
        };
        Self {
            sites: plain.iter().enumerate().map(of_site).collect(),
            apart: all.iter().filter_map(Compared::apart).collect(),
        }
    }

    /// What is right for a profiler, at each site: over the JVM without a profiler and those of the others. Its own JVMs would have a part in
    /// what it is judged by, as far as it takes time itself where time is added and contradicts nobody by it. Where all together know a
    /// site too little to say what is right, the one without a profiler says it alone: others never take away what it knows.
    pub(super) fn without(
        profiler: &str,
        plain: &[Option<Estimate>],
        under: &[CountedUnder],
    ) -> Vec<Option<Estimate>> {
        let others = under.iter().filter(|one| one.profiler != profiler);
        let others: Vec<CountedUnder> = others.cloned().collect();
        let over = Self::over(plain, &others).sites.into_iter();
        let known = |(site, own): (Option<(Estimate, usize)>, &Option<Estimate>)| {
            site.map(|(part, _)| part).filter(is_known).or(*own)
        };
        over.zip(plain).map(known).collect()
    }

    /// What is to be said of profilers whose JVMs do not count; none where all do.
    pub(super) fn remark(&self) -> Option<String> {
        let each: Vec<String> = self.apart.iter().map(Apart::says).collect();
        (!each.is_empty()).then(|| {
            format!(
                "counting makes another part of the added time {} than without a profiler, probably because the profiler takes time \
                 itself where time is added; there its JVMs do not say what is right",
                each.join(", and ")
            )
        })
    }
}

impl Apart {
    /// `under async (7.4 points less, 6.1 to 8.7; at 4 of 4 sites)`
    fn says(&self) -> String {
        let [at, of] = self.sites;
        let (more, low, high) = (self.more.value, self.more.low, self.more.high);
        let (word, from, to) = match more > 0.0 {
            true => ("more", low, high),
            false => ("less", -high, -low),
        };
        format!(
            "under {} ({:.1} points {word}, {:.1} to {:.1}; at {at} of {of} sites)",
            self.profiler,
            100.0 * more.abs(),
            100.0 * from,
            100.0 * to
        )
    }
}

/// A profiler's JVMs beside the one without.
struct Compared<'u> {
    under: &'u CountedUnder,
    /// Of each site by how much counting says more in the profiler's JVMs, where both know it.
    more: Vec<Option<Estimate>>,
    /// The mean over sites, where they contradict by it.
    everywhere: Option<Estimate>,
    left_out: Vec<bool>,
}

impl<'u> Compared<'u> {
    fn with(plain: &[Option<Estimate>], under: &'u CountedUnder) -> Self {
        let more = plain.iter().enumerate().map(|(site, plain)| {
            let own = (*plain).filter(is_told)?;
            difference(&own, &told(under, site))
        });
        let more: Vec<Option<Estimate>> = more.collect();
        let values: Vec<f64> = more.iter().flatten().map(|one| one.value).collect();
        let everywhere = mean_t(&values).filter(contradicts);
        let left_out = more
            .iter()
            .map(|one| everywhere.is_some() || one.is_some_and(|one| contradicts(&one)));
        Self {
            under,
            left_out: left_out.collect(),
            everywhere,
            more,
        }
    }

    /// What is to be said of it, if its JVMs do not count somewhere.
    fn apart(&self) -> Option<Apart> {
        let compared = self.more.iter().zip(&self.left_out);
        let compared = compared.filter_map(|(more, left_out)| Some(((*more)?, *left_out)));
        let compared: Vec<(Estimate, bool)> = compared.collect();
        let left_out = compared.iter().filter(|(_, left_out)| *left_out);
        let left_out: Vec<Estimate> = left_out.map(|(more, _)| *more).collect();
        let most = left_out
            .iter()
            .max_by(|a, b| a.value.abs().total_cmp(&b.value.abs()));
        Some(Apart {
            profiler: self.under.profiler.clone(),
            sites: [left_out.len(), compared.len()],
            more: self.everywhere.or(most.copied())?,
        })
    }
}

/// What a profiler's JVMs say of a site that know it.
fn told(under: &CountedUnder, site: usize) -> Vec<Estimate> {
    let all = under.jvms.iter();
    let all = all.filter_map(|jvm| jvm.get(site).copied().flatten());
    all.filter(is_told).collect()
}

/// Whether a JVM knows a site at all: further off than that, counting is no truth anyway.
fn is_told(part: &Estimate) -> bool {
    part.half_width() <= DOSE_TRUTHS_APART
}

/// Whether JVMs say for certain something else than the one without a profiler.
fn contradicts(more: &Estimate) -> bool {
    more.low > DOSE_COUNTED_BESIDE || more.high < -DOSE_COUNTED_BESIDE
}

/// By how much these JVMs say more than the one without a profiler; none of none. n counts JVMs.
///
/// # Accuracy
/// The one without a profiler may differ from the mean of these as they differ from each other: that is in the interval. How far JVMs
/// differ one alone does not say: its interval has no ends.
fn difference(own: &Estimate, parts: &[Estimate]) -> Option<Estimate> {
    if parts.is_empty() {
        return None;
    }
    let values: Vec<f64> = parts.iter().map(|part| part.value).collect();
    let jvms = values.len() as f64;
    let half = sample_variance(&values).map_or(f64::INFINITY, |between| {
        let within = within(parts);
        let differ = (between - within).max(0.0);
        let spread = Spread::from_variance(between.max(within) / jvms + differ, jvms - 1.0);
        spread.plus(&windows(own)).half_width(Confidence::P95)
    });
    Some(Estimate::around(
        mean(&values) - own.value,
        half,
        parts.len() as u64,
    ))
}

/// How well a JVM's windows know a site.
fn windows(part: &Estimate) -> Spread {
    let df = part.n as f64 - 1.0;
    let standard_error = part.half_width() / t_quantile(df, Confidence::P95);
    Spread::from_variance(standard_error * standard_error, df)
}

/// Variance that the windows of a JVM leave, in the mean over these.
fn within(parts: &[Estimate]) -> f64 {
    let all: Vec<f64> = parts.iter().map(|part| windows(part).between).collect();
    mean(&all)
}

/// The mean over JVMs, each of which counts the same; none of fewer than four. n counts pairs of windows.
///
/// # Accuracy
/// Student's interval over JVMs, never less than their windows leave. Where JVMs differ by more than that, counting in one of them may be
/// further off than the mean: what the variance between them has beyond twice that of their windows is in the interval as for one JVM
/// more. So it holds what is right in a single JVM where JVMs differ much, and the mean where they differ little. Twice, because the
/// variances of a few values are not known well: of JVMs that do not differ, one more would have to be allowed for all the same.
fn over_jvms(parts: &[Estimate]) -> Option<Estimate> {
    if parts.len() < DOSE_COUNTED_JVMS {
        return None;
    }
    let values: Vec<f64> = parts.iter().map(|part| part.value).collect();
    let (between, within) = (sample_variance(&values)?, within(parts));
    let jvms = values.len() as f64;
    let differ = (between - DOSE_COUNTED_DIFFER * within).max(0.0);
    let squared = between.max(within) / jvms + differ;
    let half = t_quantile(jvms - 1.0, Confidence::P95) * squared.sqrt();
    let pairs = parts.iter().map(|part| part.n).sum();
    Some(Estimate::around(mean(&values), half, pairs))
}

#[cfg(test)]
mod tests;
