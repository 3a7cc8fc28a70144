//! Windows: iterations under alternating codes, watched or not.

use std::collections::BTreeMap;

use proofmark_blocks::{BlockTimes, Sample, attribute};
use proofmark_experiment::lab::{
    GroupData, Iteration, Loss, Measured, UnitTable, Variant, WindowSpec, alignments, placements,
};

use super::WarmJvm;
use super::alignments::padded;
use crate::error::LabError;
use crate::harness::WindowOrder;

/// Times a window is repeated when the VM replaced our code during it.
const TRIES: usize = 8;
/// Part of the time that was under control that must still be: less, and it has moved into other code.
const LEAST_CONTROLLED: f64 = 0.8;
/// Fewer samples do not tell.
const FEW_SAMPLES: f64 = 200.0;
/// Iterations after an installation that are not used.
const DISCARD: u32 = 1;

/// Something that runs beside a window and wants to know when it begins and ends.
pub trait Instruments {
    /// The window is about to begin.
    ///
    /// # Errors
    /// When the instrument cannot start.
    fn begin(&mut self) -> Result<(), LabError> {
        Ok(())
    }

    /// The window has ended.
    ///
    /// # Errors
    /// When the instrument cannot stop.
    fn end(&mut self) -> Result<(), LabError> {
        Ok(())
    }
}

impl Instruments for () {}

impl WarmJvm {
    /// The variant without any insertion.
    pub fn baseline(&self) -> Variant {
        let of = |baseline: &BTreeMap<u32, u32>| self.hot.iter().map(|u| baseline[u]).collect();
        Variant {
            aligned: self.aligned.iter().map(|(_, codes)| of(codes)).collect(),
        }
    }

    /// Compiles the tables, for each alignment; units without a table keep their baseline code.
    ///
    /// # Errors
    /// When a unit's structure changed.
    pub fn variant(&mut self, tables: &[UnitTable]) -> Result<Variant, LabError> {
        let mut aligned = Vec::new();
        for (padding, baseline) in &self.aligned {
            let tables = padded(tables, *padding);
            let codes = self.client.compile(&tables)?;
            let of_unit = |unit: &u32| {
                let at = tables.iter().position(|table| table.unit == *unit);
                at.map_or(baseline[unit], |at| codes[at])
            };
            aligned.push(self.hot.iter().map(of_unit).collect());
        }
        Ok(Variant { aligned })
    }

    /// Lets a variant's own codes go.
    ///
    /// # Errors
    /// When the JVM fails.
    pub fn forget(&mut self, variant: &Variant) -> Result<(), LabError> {
        let baseline = self.baseline();
        let all = |variant: &Variant| variant.aligned.concat();
        let known = all(&baseline);
        let own: Vec<u32> = all(variant)
            .into_iter()
            .filter(|code| !known.contains(code))
            .collect();
        self.client.forget(&own)
    }

    /// Runs the variants in the given order of indices, each time at new addresses.
    ///
    /// # Errors
    /// When the workload or the JVM fails, or the VM keeps replacing our code.
    pub fn window(
        &mut self,
        spec: &WindowSpec<'_>,
        variants: &[Variant],
        order: &[usize],
        instruments: &mut dyn Instruments,
    ) -> Result<Measured, LabError> {
        let mut invalid = Vec::new();
        for repeats in 0..TRIES {
            match self.window_once(spec, variants, order, instruments)? {
                Ok(mut measured) => {
                    measured.repeats = repeats;
                    return Ok(measured);
                }
                Err(replaced) => invalid = replaced,
            }
        }
        Err(LabError::Lost(format!(
            "in {TRIES} windows in a row the JVM replaced our code ({}): the workload's behaviour changes over time",
            invalid.join(", ")
        )))
    }

    fn window_once(
        &mut self,
        spec: &WindowSpec<'_>,
        variants: &[Variant],
        order: &[usize],
        instruments: &mut dyn Instruments,
    ) -> Result<Result<Measured, Vec<String>>, LabError> {
        let first = self.windows;
        let groups = placements(variants, order, first);
        let alignments = alignments(variants, order, first);
        self.windows += 1;
        let request = WindowOrder {
            label: spec.label,
            seconds: spec.seconds,
            iterations: spec.iterations,
            discard: DISCARD,
            groups: &groups,
        };
        instruments.begin()?;
        if let Some(rate) = spec.rate_hz {
            self.watch.start(rate)?;
        }
        let watch = &mut self.watch;
        let watched = spec.rate_hz.is_some();
        let reply = self.client.window(&request, &mut || {
            if watched { watch.drain() } else { Ok(()) }
        })?;
        let (samples, loss) = if watched {
            self.watch.stop()?
        } else {
            Default::default()
        };
        let loss = Loss {
            lost: loss.lost,
            throttled: loss.throttled,
        };
        instruments.end()?;
        let given_up = !reply.failures.is_empty();
        self.warm.refused.extend(reply.failures);
        if given_up && reply.invalid.is_empty() {
            // The first window without a unit is not comparable with itself: part of it still had the unit.
            return Ok(Err(vec!["a unit that was given up".into()]));
        }
        if !reply.invalid.is_empty() {
            return Ok(Err(reply.invalid));
        }
        let groups = reply.groups.into_iter().zip(order.iter().zip(alignments));
        let groups: Vec<GroupData> = groups
            .map(|(group, (variant, alignment))| GroupData {
                alignment,
                ..self.attribute(*variant, group.iterations, &samples)
            })
            .collect();
        if !self.under_control(&groups) {
            return Ok(Err(vec!["callers that run copies of hot units".into()]));
        }
        Ok(Ok(Measured {
            groups,
            loss,
            begin_ns: reply.begin_ns,
            end_ns: reply.end_ns,
            repeats: 0,
        }))
    }

    /// Whether the time still is where the preparation saw it, in units under control.
    fn under_control(&self, groups: &[GroupData]) -> bool {
        let all: f64 = groups.iter().map(|group| group.times.total.sum).sum();
        let of_units = |group: &GroupData| -> f64 {
            let units = group.times.units.iter();
            units
                .filter(|(unit, _)| self.baseline.contains_key(unit))
                .map(|(_, weight)| weight.sum)
                .sum()
        };
        let controlled: f64 = groups.iter().map(of_units).sum();
        all < FEW_SAMPLES || controlled >= all * self.warm.controlled_share * LEAST_CONTROLLED
    }

    fn attribute(
        &self,
        variant: usize,
        iterations: Vec<Iteration>,
        samples: &[proofmark_sampler::Sample],
    ) -> GroupData {
        let mut group = GroupData {
            variant,
            alignment: 0,
            iterations,
            times: BlockTimes::default(),
            streams: Default::default(),
        };
        let span = group.span();
        group.streams = [0, 1].map(|stream| {
            self.block_times(
                samples
                    .iter()
                    .filter(|s| s.stream == stream && span.contains(&s.time_ns)),
            )
        });
        group.times = group.streams[0].clone();
        group.times.merge(&group.streams[1]);
        group
    }

    pub(super) fn block_times<'a>(
        &self,
        samples: impl Iterator<Item = &'a proofmark_sampler::Sample>,
    ) -> BlockTimes {
        let weighted = samples.map(|s| Sample {
            ip: s.ip,
            time_ns: s.time_ns,
            weight: 1.0,
        });
        attribute(
            self.client.map(),
            self.settings.resolution.skid,
            &self.edges,
            weighted,
        )
    }
}
