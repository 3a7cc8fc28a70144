//! The sampler on the workload's thread.

use proofmark_sampler::{Loss, Probe, Sample, Settings, ThreadSampler};

use crate::error::LabError;

/// Samples the workload's thread while windows run, and keeps what it saw.
pub(super) struct Watch {
    tid: u32,
    probe: Option<Probe>,
    sampler: Option<(f64, ThreadSampler)>,
    samples: Vec<Sample>,
    loss: Loss,
}

impl Watch {
    pub(super) fn new(tid: u32, probe: Option<Probe>) -> Self {
        Watch {
            tid,
            probe,
            sampler: None,
            samples: Vec::new(),
            loss: Loss::default(),
        }
    }

    /// Starts sampling at a rate in samples per second of CPU time, where it can be done at all.
    pub(super) fn start(&mut self, rate_hz: f64) -> Result<(), LabError> {
        let Some(probe) = &self.probe else {
            return Ok(());
        };
        if self
            .sampler
            .as_ref()
            .is_none_or(|(rate, _)| *rate != rate_hz)
        {
            let settings = Settings::at_rate(probe, rate_hz)?;
            self.sampler = Some((rate_hz, ThreadSampler::open(self.tid, &settings)?));
        }
        self.samples.clear();
        self.loss = Loss::default();
        if let Some((_, sampler)) = &mut self.sampler {
            sampler.enable()?;
        }
        Ok(())
    }

    /// Empties the rings; to be called about ten times a second.
    pub(super) fn drain(&mut self) -> Result<(), LabError> {
        if let Some((_, sampler)) = &mut self.sampler {
            self.loss += sampler.drain(&mut self.samples)?;
        }
        Ok(())
    }

    /// Stops, and hands over what was sampled since the start.
    pub(super) fn stop(&mut self) -> Result<(Vec<Sample>, Loss), LabError> {
        if let Some((_, sampler)) = &mut self.sampler {
            sampler.disable()?;
        }
        self.drain()?;
        Ok((std::mem::take(&mut self.samples), self.loss))
    }
}
