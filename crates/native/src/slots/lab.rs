//! A native program as a laboratory of experiments: variants are programs, and an iteration is a process.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use proofmark_blocks::{
    BlockKey, BlockTimes, CodeMap, EdgeCounts, Install, Resolution, Sample, attribute,
    method_passages,
};
use proofmark_experiment::lab::{
    Failure, Filler, GroupData, Insertion, Lab, LabError, Labs, Loss, Measured, Preparation,
    ProfiledWindow, UnitTable, Variant, WarmState, WindowSpec, alignments,
};
use proofmark_sampler::{Probe, Settings};

use super::build::Build;
use super::control::{Control, Slowed, counts_by_unit};
use super::filler::instructions;
use super::image::Image;
use super::kept::Slotted;
use super::process::{Ran, Runs};
use super::second::{Filled, Second};

/// How a native program is measured.
#[derive(Clone)]
pub struct SlotSettings {
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Directory for variants and output.
    pub directory: PathBuf,
    /// Longest that a process may take, s.
    pub most_s: f64,
    /// What the processor can sample.
    pub probe: Probe,
    /// What a sampled address means on this machine, and how well block times are known.
    pub resolution: Resolution,
    /// The slowdown instruction.
    pub filler: Filler,
    /// Told what is going on.
    pub progress: Arc<dyn Fn(&str) + Send + Sync>,
    /// Set when the user wants to stop.
    pub interrupted: Arc<AtomicBool>,
}

/// Prepares laboratories of a native program.
pub struct SlotLabs {
    /// The program.
    pub program: Slotted,
    /// Settings of each.
    pub settings: SlotSettings,
}

/// Whether a slowdown instruction can be put into native code: it must not write below the stack pointer.
#[must_use]
pub fn filler_fits(filler: Filler) -> bool {
    instructions(filler).is_some()
}

impl Labs for SlotLabs {
    fn prepare(&self, wish: &Preparation) -> Result<Box<dyn Lab>, LabError> {
        Ok(Box::new(SlotLab::prepare(self, wish)?))
    }

    /// There are no profiles that others could have collected.
    fn prepare_alone(&self, wish: &Preparation) -> Result<Box<dyn Lab>, LabError> {
        self.prepare(wish)
    }
}

/// A program with its hot functions under control.
pub(super) struct SlotLab {
    pub(super) build: Build,
    pub(super) control: Control,
    /// The program without slots, against which every variant is checked.
    pub(super) second: Second,
    pub(super) runs: Runs,
    pub(super) settings: SlotSettings,
    pub(super) map: CodeMap,
    pub(super) edges: HashMap<u32, EdgeCounts>,
    pub(super) executions: HashMap<BlockKey, f64>,
    pub(super) warm: WarmState,
    /// The unslowed program under every alignment.
    pub(super) baseline: Vec<u32>,
    /// Programs by number; the codes of variants are these numbers.
    pub(super) binaries: Vec<Binary>,
    /// Number of the next piece of code in the map.
    pub(super) next_code: u32,
    /// Windows so far.
    pub(super) windows: usize,
}

/// A program that is run.
#[derive(Debug, Clone)]
pub(super) struct Binary {
    pub(super) path: PathBuf,
    /// Address of its program headers in the file.
    pub(super) headers: u64,
}

/// Distance of two programs in the map, whose own addresses are smaller.
const APART: u64 = 1 << 40;

/// Where a program's addresses begin in the map.
fn base(binary: usize) -> u64 {
    (binary as u64 + 1) * APART
}

/// The address in the program's file; none outside of it.
pub(super) fn in_file(ip: u64, ran: &Ran, headers: u64) -> Option<u64> {
    let moved = ran.headers.wrapping_sub(headers);
    Some(ip.wrapping_sub(moved)).filter(|address| *address < APART)
}

impl SlotLab {
    /// Links a program with these texts and adds its code to the map. It is run once, for its output and so that it is in memory.
    pub(super) fn add(&mut self, name: &str, slowed: &Slowed) -> Result<u32, LabError> {
        let path = self.build.variant(name, &slowed.texts)?;
        let image = Image::read(&path)?;
        let number = self.binaries.len();
        let codes = self.control.codes(slowed, &image, self.next_code)?;
        let filled = Filled {
            path: &path,
            image: &image,
            slowed,
            codes: &codes,
        };
        self.second.insist(&self.control, &filled)?;
        for (code, start) in codes {
            let install = Install {
                code: code.id,
                start: base(number) + start,
                time_ns: 0,
            };
            let added = self.map.add_code(&code);
            let added = added.and_then(|()| self.map.add_install(&install));
            added.map_err(|error| LabError::new(Failure::Instrument, error))?;
            self.next_code += 1;
        }
        self.binaries.push(Binary {
            path,
            headers: image.headers,
        });
        self.run(number, None)?;
        Ok(number as u32)
    }

    pub(super) fn run(&mut self, binary: usize, rate: Option<&Settings>) -> Result<Ran, LabError> {
        let path = self.binaries[binary].path.clone();
        self.runs.run(&path, rate, None, &self.settings.interrupted)
    }

    /// Processes of one program until they fill a placement.
    fn placement(
        &mut self,
        spec: &WindowSpec<'_>,
        binary: usize,
        rate: Option<&Settings>,
    ) -> Result<(GroupData, Loss), LabError> {
        let headers = self.binaries[binary].headers;
        let mut iterations = Vec::new();
        let mut loss = Loss::default();
        let mut streams: [Vec<Sample>; 2] = Default::default();
        let mut cpu_s = 0.0;
        while cpu_s < spec.seconds || iterations.len() < spec.iterations.max(1) as usize {
            let ran = self.run(binary, rate)?;
            cpu_s += ran.iteration.2 as f64 / 1e9;
            iterations.push(ran.iteration);
            loss += Loss {
                lost: ran.loss.lost,
                throttled: ran.loss.throttled,
            };
            for sample in &ran.samples {
                let address = in_file(sample.ip, &ran, headers);
                streams[usize::from(sample.stream & 1)].push(Sample {
                    ip: address.map_or(0, |address| base(binary) + address),
                    time_ns: 0,
                    weight: 1.0,
                });
            }
        }
        let skid = self.settings.resolution.skid;
        let streams = streams.map(|samples| attribute(&self.map, skid, &self.edges, samples));
        let mut times: BlockTimes = streams[0].clone();
        times.merge(&streams[1]);
        let group = GroupData {
            variant: 0,
            alignment: 0,
            iterations,
            times,
            streams,
        };
        Ok((group, loss))
    }

    /// The program under an alignment with so many instructions per block of its functions.
    pub(super) fn slowed(
        &mut self,
        counts: &BTreeMap<u32, Vec<u32>>,
        insertion: Insertion,
        alignment: usize,
    ) -> Result<u32, LabError> {
        let slowed = self.control.slowed(counts, insertion, alignment)?;
        let name = format!("variant-{}", self.binaries.len());
        self.add(&name, &slowed)
    }
}

impl Lab for SlotLab {
    fn map(&self) -> &CodeMap {
        &self.map
    }

    fn warm(&self) -> &WarmState {
        &self.warm
    }

    fn executions(&self) -> &HashMap<BlockKey, f64> {
        &self.executions
    }

    fn units(&self) -> Vec<u32> {
        (0..self.control.len()).collect()
    }

    fn alignments(&self) -> usize {
        self.baseline.len()
    }

    fn resolution(&self) -> Resolution {
        self.settings.resolution
    }

    fn filler(&self) -> Filler {
        self.settings.filler
    }

    fn outside(&self) -> &'static str {
        "libraries, the kernel, and functions that take less than 0.2 % or are left alone"
    }

    fn method_passages(&self) -> BTreeMap<String, Vec<f64>> {
        method_passages(&self.map, &self.edges, &self.executions)
    }

    fn baseline(&self) -> Variant {
        Variant {
            aligned: self.baseline.iter().map(|binary| vec![*binary]).collect(),
        }
    }

    fn variant(&mut self, tables: &[UnitTable]) -> Result<Variant, LabError> {
        let Some(first) = tables.first() else {
            return Ok(self.baseline());
        };
        (self.settings.progress)("assembling and linking a plan");
        let counts = counts_by_unit(tables, &self.map);
        let mut aligned = Vec::new();
        for alignment in 0..self.baseline.len() {
            aligned.push(vec![self.slowed(&counts, first.insertion, alignment)?]);
        }
        Ok(Variant { aligned })
    }

    fn forget(&mut self, variant: &Variant) -> Result<(), LabError> {
        for binary in variant.aligned.concat() {
            if !self.baseline.contains(&binary) {
                let path = &self.binaries[binary as usize].path;
                std::fs::remove_file(path).map_err(super::at(path))?;
            }
        }
        Ok(())
    }

    fn window(
        &mut self,
        spec: &WindowSpec<'_>,
        variants: &[Variant],
        order: &[usize],
    ) -> Result<Measured, LabError> {
        let at = alignments(variants, order, self.windows);
        self.windows += 1;
        let rate = spec
            .rate_hz
            .map(|rate| Settings::at_rate(&self.settings.probe, rate));
        let rate = rate.transpose();
        let rate = rate.map_err(|error| LabError::new(Failure::Instrument, error))?;
        let mut groups = Vec::new();
        let mut loss = Loss::default();
        for (variant, alignment) in order.iter().copied().zip(at) {
            let binary = variants[variant].aligned[alignment][0] as usize;
            let (group, lost) = self.placement(spec, binary, rate.as_ref())?;
            loss += lost;
            groups.push(GroupData {
                variant,
                alignment,
                ..group
            });
        }
        let of_first = |group: &GroupData| *group.span().start();
        let of_last = |group: &GroupData| *group.span().end();
        Ok(Measured {
            begin_ns: groups.first().map_or(0, of_first),
            end_ns: groups.last().map_or(0, of_last),
            groups,
            loss,
            repeats: 0,
        })
    }

    fn start_profiler(&mut self, name: &str, _files: &str) -> Result<(), LabError> {
        let text = format!("{name} cannot watch the blocks of a native program; dose judges it");
        Err(LabError::new(Failure::Profiler, text))
    }

    fn stop_profiler(&mut self) -> Result<Vec<ProfiledWindow>, LabError> {
        Err(LabError::new(Failure::Profiler, "no profiler runs"))
    }

    /// Nothing runs between windows; variants are not needed any more.
    fn stop(self: Box<Self>) {
        let _ = std::fs::remove_dir_all(self.build.place());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_libraries_are_in_no_program() {
        let ran = Ran {
            headers: 0x5555_0000_0040,
            iteration: (0, 0, 0),
            own_ns: None,
            samples: Vec::new(),
            loss: proofmark_sampler::Loss::default(),
        };
        assert_eq!(in_file(0x5555_0000_1234, &ran, 0x40), Some(0x1234));
        assert_eq!(in_file(0x7f12_3456_0000, &ran, 0x40), None);
        assert_eq!(in_file(0x400, &ran, 0x40), None);
        let fixed = Ran {
            headers: 0x40_0040,
            ..ran
        };
        assert_eq!(in_file(0x40_1000, &fixed, 0x40_0040), Some(0x40_1000));
        assert!(base(0) > 0x40_1000 && base(1) - base(0) == APART);
    }

    #[test]
    fn what_writes_below_the_stack_pointer_does_not_fit() {
        assert!(filler_fits(Filler::Mov) && filler_fits(Filler::Nop) && filler_fits(Filler::Pause));
        assert!(!filler_fits(Filler::PushPop) && !filler_fits(Filler::Long));
    }
}
