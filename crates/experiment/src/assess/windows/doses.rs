//! Windows as the matrix of doses wants them.

use proofmark_assess::{Condition, Role};

use super::{JvmWindows, Seen, SeenStream, identity};
use crate::dose::Window;

impl JvmWindows {
    /// What the profiler reported in each of its windows; for the oracle control what our own streams saw. Methods are
    /// named without descriptors: overloads are one.
    #[must_use]
    pub fn dose_windows(&self) -> Vec<(Condition, Window)> {
        let windows = self.windows.iter();
        let seen = windows.filter_map(|seen| {
            let window = match self.role {
                Role::OracleControl => Some(seen.by_our_streams()),
                Role::Subject | Role::SafepointControl => seen.by_the_profiler(),
            };
            Some((seen.at.condition, window?))
        });
        seen.collect()
    }

    /// Owner (without descriptor) and label of everything that was dosed here, in the order of the conditions.
    #[must_use]
    pub fn dosed(&self) -> Vec<(String, &str)> {
        let targets = self.targets.iter();
        targets
            .map(|(owner, label)| (in_windows(owner), label.as_str()))
            .collect()
    }

    /// Samples that the profiler says it lost.
    #[must_use]
    pub fn lost(&self) -> f64 {
        let profiles = self.windows.iter().filter_map(|seen| seen.profile.as_ref());
        profiles.map(|profile| profile.lost).sum()
    }
}

impl Seen {
    fn window(&self, methods: impl IntoIterator<Item = (String, f64)>, other: f64) -> Window {
        let times = &self.iteration_ms;
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        let mut window = Window {
            iteration_ns: 1e6 * self.winsorized_ms.unwrap_or(mean),
            other,
            ..Window::default()
        };
        for (name, samples) in methods {
            *window.methods.entry(without_descriptor(&name)).or_default() += samples;
        }
        window
    }

    fn by_the_profiler(&self) -> Option<Window> {
        let profile = self.profile.as_ref()?;
        let methods = profile.methods.clone();
        Some(self.window(methods, profile.native + profile.unattributed))
    }

    fn by_our_streams(&self) -> Window {
        let all = |stream: &SeenStream| stream.methods.clone().into_iter();
        let outside = self.streams.iter().map(|stream| stream.outside).sum();
        self.window(self.streams.iter().flat_map(all), outside)
    }
}

/// A method as windows under doses name it: in the spelling of profiles, which give the class of a lambda no number, and
/// without parameters.
#[must_use]
pub fn in_windows(name: &str) -> String {
    without_descriptor(&identity(name))
}

/// `a.B.run(int)` without its parameters.
fn without_descriptor(name: &str) -> String {
    name.split_once('(')
        .map_or(name, |(name, _)| name)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is dosed is looked for under the name that windows have: the laboratory's own one has a number behind a lambda.
    #[test]
    fn a_lambda_has_the_name_of_profiles() {
        let owner = "a.B$$Lambda.0x1b7e044ff85b179bd5086ed57b217608.accept(Ljava/lang/Object;)V";
        assert_eq!(in_windows(owner), "a.B$$Lambda.accept");
        assert_eq!(in_windows("mix.loop0()V"), "mix.loop0");
    }
}
