//! A run as the place where an experiment keeps its finished steps.

use proofmark_experiment::{StepError, Steps};
use serde_json::Value;

use crate::Run;

impl Steps for Run {
    fn finish(&mut self, name: &str, result: Value) -> Result<(), StepError> {
        let stored = self.finish_step(name, &result);
        stored.map_err(|error| StepError::Store(Box::new(error)))
    }

    fn results(&self, name: &str) -> Vec<&Value> {
        let of_name = self.steps().iter().filter(|step| step.name == name);
        of_name.map(|step| &step.result).collect()
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for step in self.steps() {
            if !names.contains(&step.name) {
                names.push(step.name.clone());
            }
        }
        names
    }
}
