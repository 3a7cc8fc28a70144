//! From windows by name to evidence by number.

use proofmark_assess::{
    ProfilerEvidence, ProfilerWindow, Replay, SingleTarget, TotalWindow, TruthStream, TruthWindow,
    WindowAt,
};

use super::{JvmWindows, Methods, SeenProfile, SeenReplay, SeenStream, identity};

impl JvmWindows {
    /// As the judge wants it; `methods` numbers the names.
    pub fn evidence(&self, methods: &mut Methods) -> ProfilerEvidence {
        let index = |name: &str, methods: &mut Methods| methods.index(name, self.overloads_merged);
        // All names first, so that every list has its full length.
        for seen in &self.windows {
            let profiled = seen
                .profile
                .iter()
                .flat_map(|profile| profile.methods.keys());
            seen.streams
                .iter()
                .flat_map(SeenStream::names)
                .chain(profiled)
                .for_each(|name| {
                    index(name, methods);
                });
        }
        let targets = self.targets.iter().map(|(owner, label)| SingleTarget {
            owner: index(&identity(owner), methods),
            label: label.clone(),
        });
        let targets = targets.collect();
        let windows = self
            .windows
            .iter()
            .filter_map(|seen| Some((seen, seen.profile.as_ref()?)));
        ProfilerEvidence {
            name: self.name.clone(),
            role: self.role,
            analyses: self.analyses,
            failure: self.failure.clone(),
            windows: windows
                .map(|(seen, profile)| self.profiler_window(seen.at, profile, methods))
                .collect(),
            truth: self.truth(methods),
            totals: self.totals(),
            targets,
            border_doubt: methods.list(&self.border_doubt, self.overloads_merged),
        }
    }

    /// Windows of our own map.
    pub fn truth(&self, methods: &Methods) -> Vec<TruthWindow> {
        let stream = |stream: &SeenStream| TruthStream {
            methods: methods.list(&stream.methods, self.overloads_merged),
            ambiguous: methods.list(&stream.ambiguous, self.overloads_merged),
            claimable: stream.claimable.as_ref().map_or(Vec::new(), |claimable| {
                methods.list(claimable, self.overloads_merged)
            }),
            outside: stream.outside,
            reported: methods.list(&stream.reported, self.overloads_merged),
            replays: self.replays(stream, methods),
            roots: match stream.roots.is_empty() {
                true => Vec::new(),
                false => methods.list(&stream.roots, self.overloads_merged),
            },
        };
        self.windows
            .iter()
            .map(|seen| TruthWindow {
                at: seen.at,
                streams: seen.streams.iter().map(stream).collect(),
            })
            .collect()
    }

    fn replays(&self, stream: &SeenStream, methods: &Methods) -> Vec<Replay> {
        let replay = |seen: &SeenReplay| Replay {
            rule: seen.rule,
            corrected: seen.corrected,
            methods: methods.list(&seen.methods, self.overloads_merged),
        };
        stream.replays.iter().map(replay).collect()
    }

    /// Iteration times.
    pub fn totals(&self) -> Vec<TotalWindow> {
        self.windows
            .iter()
            .map(|seen| TotalWindow {
                at: seen.at,
                iteration_ms: seen.iteration_ms.clone(),
            })
            .collect()
    }

    fn profiler_window(
        &self,
        at: WindowAt,
        profile: &SeenProfile,
        methods: &Methods,
    ) -> ProfilerWindow {
        ProfilerWindow {
            at,
            methods: methods.list(&profile.methods, self.overloads_merged),
            native: profile.native,
            unattributed: profile.unattributed,
            lost: profile.lost,
            other_threads: profile.other_threads,
        }
    }
}

impl SeenStream {
    /// Every method that it names in any way.
    fn names(&self) -> impl Iterator<Item = &String> {
        let replayed = self.replays.iter().flat_map(|replay| replay.methods.keys());
        let named = self.methods.keys().chain(self.reported.keys());
        named.chain(self.roots.keys()).chain(replayed)
    }
}
