//! Who is told what is going on.

/// Listens to an experiment, and knows how long it has been running. Parts of it may run side by side.
pub trait Progress: Sync {
    /// The part of the run that following steps belong to.
    fn stage(&self, name: &str);
    /// What is being done now.
    fn step(&self, text: &str);
    /// A line that stays.
    fn note(&self, text: &str);
    /// How long everything from now on will take, s.
    fn expect(&self, seconds: f64);
    /// Wall time since this process began, s.
    fn elapsed_s(&self) -> f64;
}

/// Listens to nothing; its time stands still.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn stage(&self, _name: &str) {}

    fn step(&self, _text: &str) {}

    fn note(&self, _text: &str) {}

    fn expect(&self, _seconds: f64) {}

    fn elapsed_s(&self) -> f64 {
        0.0
    }
}
