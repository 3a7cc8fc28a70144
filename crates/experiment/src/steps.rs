//! Finished steps of an experiment, so that one that was cut off goes on where it was.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Why a step could not be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] Box<dyn std::error::Error + Send + Sync>),
    /// A step holds something else than it should.
    #[error("step {step}: {source}")]
    Unreadable {
        /// Its name.
        step: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
}

/// Where finished steps are kept, in the order in which they were finished.
pub trait Steps {
    /// Keeps a finished step. Once this returns without an error, the step outlives the process.
    ///
    /// # Errors
    /// When it cannot be stored; the steps before are kept.
    fn finish(&mut self, name: &str, result: Value) -> Result<(), StepError>;

    /// Results of the steps of this name, the oldest first.
    fn results(&self, name: &str) -> Vec<&Value>;

    /// Names of all steps, each once.
    fn names(&self) -> Vec<String>;
}

/// Keeps a finished step.
///
/// # Errors
/// When it cannot be stored or is no JSON.
pub fn finish(steps: &mut dyn Steps, name: &str, result: &impl Serialize) -> Result<(), StepError> {
    let value = serde_json::to_value(result).map_err(unreadable(name))?;
    steps.finish(name, value)
}

/// The last result of this name; none if there is no such step.
///
/// # Errors
/// When it is no `T`.
pub fn result_of<T: DeserializeOwned>(
    steps: &dyn Steps,
    name: &str,
) -> Result<Option<T>, StepError> {
    let last = steps.results(name).pop();
    last.map(T::deserialize)
        .transpose()
        .map_err(unreadable(name))
}

fn unreadable(step: &str) -> impl FnOnce(serde_json::Error) -> StepError {
    let step = step.to_owned();
    move |source| StepError::Unreadable { step, source }
}

/// Steps in memory; a copy of them is what a killed process leaves.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MemorySteps {
    steps: Vec<(String, Value)>,
}

impl MemorySteps {
    /// Number of steps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether nothing was finished.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// What was there after so many steps.
    #[must_use]
    pub fn first(&self, steps: usize) -> Self {
        MemorySteps {
            steps: self.steps.iter().take(steps).cloned().collect(),
        }
    }
}

impl Steps for MemorySteps {
    fn finish(&mut self, name: &str, result: Value) -> Result<(), StepError> {
        self.steps.push((name.to_owned(), result));
        Ok(())
    }

    fn results(&self, name: &str) -> Vec<&Value> {
        let of_name = self.steps.iter().filter(|(of, _)| of == name);
        of_name.map(|(_, result)| result).collect()
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (name, _) in &self.steps {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }
}
