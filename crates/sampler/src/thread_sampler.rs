//! Samples one thread with two events.

use crate::counter::Counter;
use crate::error::SamplerError;
use crate::records::{Loss, Sample, parse_records};
use crate::ring::Ring;
use crate::settings::Settings;

/// Samples one thread in user mode with two events of incommensurate periods.
///
/// Made disabled. The owner may be any thread; it drains every 50 to 200 ms, long before the rings (1 s of CPU time) are full. Threads that
/// the sampled thread starts are not sampled.
pub struct ThreadSampler {
    streams: [Stream; 2],
    bytes: Vec<u8>,
}

struct Stream {
    // Before the counter, so that the ring is unmapped before its descriptor is closed.
    ring: Ring,
    counter: Counter,
    lost: u64,
}

impl ThreadSampler {
    /// Opens both events and rings on the thread with this Linux thread id, of this or another process of the same user.
    ///
    /// # Errors
    /// [`SamplerError::Open`] if the thread does not exist or may not be sampled, [`SamplerError::Ring`] if no memory may be locked.
    pub fn open(tid: u32, settings: &Settings) -> Result<ThreadSampler, SamplerError> {
        let open = |stream: usize| {
            let counter = Counter::open(settings.event.attributes(settings.periods[stream]), tid)
                .map_err(|source| SamplerError::Open {
                tid,
                event: settings.event,
                source,
            })?;
            let ring = Ring::map(&counter, settings.ring_bytes[stream])?;
            Ok(Stream {
                ring,
                counter,
                lost: 0,
            })
        };
        Ok(ThreadSampler {
            streams: [open(0)?, open(1)?],
            bytes: Vec::new(),
        })
    }

    /// Starts sampling, or goes on with it.
    ///
    /// # Errors
    /// [`SamplerError::System`] if the kernel refuses.
    pub fn enable(&mut self) -> Result<(), SamplerError> {
        self.streams
            .iter()
            .try_for_each(|stream| stream.counter.enable())
    }

    /// Stops sampling; what was sampled stays to be drained.
    ///
    /// # Errors
    /// [`SamplerError::System`] if the kernel refuses.
    pub fn disable(&mut self) -> Result<(), SamplerError> {
        self.streams
            .iter()
            .try_for_each(|stream| stream.counter.disable())
    }

    /// Appends all samples taken since the last drain and returns what was missed since then.
    ///
    /// Samples of one stream come in the order of time, first those of stream 0, then those of stream 1.
    ///
    /// # Errors
    /// [`SamplerError::CounterTaken`] if another profiler took a hardware counter, [`SamplerError::Corrupt`] if a ring does not hold records;
    /// then the window is worth nothing.
    pub fn drain(&mut self, samples: &mut Vec<Sample>) -> Result<Loss, SamplerError> {
        let mut loss = Loss::default();
        for (number, stream) in (0..).zip(&mut self.streams) {
            self.bytes.clear();
            loss += stream.drain(number, &mut self.bytes, samples)?;
        }
        Ok(loss)
    }

    /// What stream 0 counted since opening, in the event's unit.
    pub(crate) fn counted(&self) -> Result<u64, SamplerError> {
        self.streams[0].counter.read().map(|reading| reading.value)
    }
}

impl Stream {
    fn drain(
        &mut self,
        number: u8,
        bytes: &mut Vec<u8>,
        samples: &mut Vec<Sample>,
    ) -> Result<Loss, SamplerError> {
        let reading = self.counter.read()?;
        self.ring.take(bytes)?;
        let mut loss = parse_records(bytes, number, samples)?;
        if let Some(lost) = reading.lost {
            // Exact at once, whereas the record of a loss waits for the next sample that finds room.
            loss.lost = lost - self.lost;
            self.lost = lost;
        }
        Ok(loss)
    }
}
