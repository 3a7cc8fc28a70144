//! Which installation did an address belong to at a given time?

use std::collections::BTreeMap;

/// An installed address range, valid from `time_ns` until another one overlaps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Version {
    /// First address.
    pub start: u64,
    /// Address after the last one.
    pub end: u64,
    /// CLOCK_MONOTONIC, ns.
    pub time_ns: u64,
    /// Time at which an overlapping range took the memory; `u64::MAX` if none did so far.
    pub ended_ns: u64,
    /// What is installed there (index of the caller).
    pub payload: u32,
}

/// Address ranges over time. Every key begins a stretch of addresses, up to the next key, over
/// which the history of installations is the same: (time, index of the version), ascending in time.
#[derive(Debug, Clone, Default)]
pub(crate) struct Versions {
    all: Vec<Version>,
    stretches: BTreeMap<u64, Vec<(u64, u32)>>,
}

impl Versions {
    /// Adds `size` bytes at `start`, in any order of time. Of equal times the last one added wins.
    /// An empty range is ignored.
    pub fn add(&mut self, start: u64, size: u32, time_ns: u64, payload: u32) {
        let end = start.saturating_add(u64::from(size));
        if end == start {
            return;
        }
        let own = u32::try_from(self.all.len()).expect("fewer than 2^32 installations");
        self.all.push(Version {
            start,
            end,
            time_ns,
            ended_ns: u64::MAX,
            payload,
        });
        self.split_at(start);
        self.split_at(end);
        for history in self
            .stretches
            .range_mut(start..end)
            .map(|(_, history)| history)
        {
            let at = history.partition_point(|(time, _)| *time <= time_ns);
            if let Some((_, before)) = at.checked_sub(1).map(|last| history[last]) {
                let before = &mut self.all[before as usize];
                before.ended_ns = before.ended_ns.min(time_ns);
            }
            if let Some((after_ns, _)) = history.get(at) {
                let own = &mut self.all[own as usize];
                own.ended_ns = own.ended_ns.min(*after_ns);
            }
            history.insert(at, (time_ns, own));
        }
    }

    /// Makes `address` the start of a stretch of its own.
    fn split_at(&mut self, address: u64) {
        let history = self.stretches.range(..=address).next_back();
        match history {
            Some((key, _)) if *key == address => {}
            Some((_, history)) => {
                let history = history.clone();
                self.stretches.insert(address, history);
            }
            None => {
                self.stretches.insert(address, Vec::new());
            }
        }
    }

    /// The version that was valid at `address` and time `time_ns`.
    pub fn find(&self, address: u64, time_ns: u64) -> Option<&Version> {
        let (_, history) = self.stretches.range(..=address).next_back()?;
        let after = history.partition_point(|(time, _)| *time <= time_ns);
        let (_, latest) = history[..after].last()?;
        let version = &self.all[*latest as usize];
        (time_ns < version.ended_ns).then_some(version)
    }

    /// Lets go of what only times before `time_ns` need. Memory is used again and again, so that
    /// histories would grow with the square of the number of installations.
    pub fn forget_before(&mut self, time_ns: u64) {
        let all = &self.all;
        let mut previous: Vec<(u64, u32)> = Vec::new();
        self.stretches.retain(|_, history| {
            let later = history.partition_point(|(time, _)| *time <= time_ns);
            history.drain(..later.saturating_sub(1));
            if later > 0 && all[history[0].1 as usize].ended_ns <= time_ns {
                history.remove(0);
            }
            // The stretch before it goes on where nothing differs any more.
            let differs = *history != previous;
            if differs {
                previous.clone_from(history);
            }
            differs
        });
    }

    /// Number of installations so far.
    pub fn len(&self) -> usize {
        self.all.len()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Added = (u64, u32, u64);

    /// The definition, without any index: the latest covering range, unless a later one overlaps it.
    fn slow_find(added: &[Added], address: u64, time_ns: u64) -> Option<u32> {
        let known = || {
            added
                .iter()
                .enumerate()
                .filter(|(_, (_, _, time))| *time <= time_ns)
        };
        let (latest, &(start, size, time)) = known()
            .filter(|(_, (start, size, _))| (*start..*start + u64::from(*size)).contains(&address))
            .max_by_key(|(at, (_, _, time))| (*time, *at))?;
        let taken = known().any(|(at, &(other, other_size, other_time))| {
            (other_time, at) > (time, latest)
                && other < start + u64::from(size)
                && start < other + u64::from(other_size)
        });
        (!taken).then_some(u32::try_from(latest).unwrap())
    }

    proptest! {
        #[test]
        fn finds_what_a_linear_scan_finds(
            added in prop::collection::vec((0u64..60, 1u32..12, 0u64..20), 0..40),
            probes in prop::collection::vec((0u64..75, 0u64..22), 60),
        ) {
            let mut versions = Versions::default();
            for (payload, (start, size, time)) in added.iter().enumerate() {
                versions.add(*start, *size, *time, u32::try_from(payload).unwrap());
            }
            for (address, time) in probes {
                let found = versions.find(address, time).map(|version| version.payload);
                prop_assert_eq!(found, slow_find(&added, address, time), "{} at {}", address, time);
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_forgotten_is_not_missed_later(
            added in prop::collection::vec((0u64..60, 1u32..12, 0u64..20), 0..40),
            now in 0u64..20,
            more in prop::collection::vec((0u64..60, 1u32..12), 0..10),
            probes in prop::collection::vec(0u64..75, 60),
        ) {
            let mut all = Versions::default();
            let mut forgetful = Versions::default();
            for (payload, (start, size, time)) in added.iter().enumerate() {
                all.add(*start, *size, *time, u32::try_from(payload).unwrap());
                forgetful.add(*start, *size, *time, u32::try_from(payload).unwrap());
            }
            forgetful.forget_before(now);
            for (payload, (start, size)) in more.iter().enumerate() {
                let time = 20 + payload as u64;
                all.add(*start, *size, time, 1000);
                forgetful.add(*start, *size, time, 1000);
            }
            for address in probes {
                for time in now..32 {
                    prop_assert_eq!(forgetful.find(address, time), all.find(address, time), "{} at {}", address, time);
                }
            }
        }
    }

    #[test]
    fn memory_that_is_used_again_and_again_takes_no_more_room() {
        let mut versions = Versions::default();
        let mut most = 0;
        for round in 0..200u64 {
            for piece in 0..50u64 {
                versions.add(piece * 100 + round % 37, 90, round * 100 + piece, 0);
            }
            versions.forget_before(round * 100 + 99);
            most = most.max(versions.stretches.values().map(Vec::len).sum::<usize>());
        }
        assert!(most <= 100, "{most}");
    }

    #[test]
    fn an_old_version_stays_until_its_memory_is_reused() {
        let mut versions = Versions::default();
        versions.add(100, 10, 1, 0);
        versions.add(200, 10, 5, 1);
        assert_eq!(
            versions.find(105, 9).unwrap().payload,
            0,
            "an activation may still run there"
        );
        versions.add(108, 10, 7, 2);
        assert_eq!(versions.find(105, 6).unwrap().payload, 0);
        assert_eq!(
            versions.find(105, 7),
            None,
            "half of it was taken, so all of it was freed"
        );
        assert_eq!(versions.find(117, 7).unwrap().payload, 2);
        assert_eq!(versions.find(118, 7), None);
        assert_eq!(versions.find(105, 0), None);
    }
}
