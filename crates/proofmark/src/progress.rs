//! What is going on, on standard error.

pub(crate) mod forecast;

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use proofmark_report::{clean, readable};

use crate::console;
use forecast::Forecast;
pub use forecast::News;

/// A log is read later: it need not say every step.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// Progress of a run: a line on a terminal, a line every ten seconds at most in a log, nothing if asked to be quiet.
/// It is only redrawn when something happens, because a redraw thread would disturb the measurement.
#[derive(Clone)]
pub struct Progress {
    state: Arc<Mutex<State>>,
}

struct State {
    begin: Instant,
    forecast: Forecast,
    bar: Option<ProgressBar>,
    quiet: bool,
    stage: String,
    /// When the last line went into the log, from the start.
    logged: Option<Duration>,
}

impl Progress {
    /// Starts the clock.
    pub fn new(quiet: bool) -> Self {
        let on_terminal = std::io::stderr().is_terminal() && !quiet;
        let bar = on_terminal.then(|| {
            let style = ProgressStyle::with_template("{wide_msg}")
                .unwrap_or_else(|_| ProgressStyle::default_spinner());
            ProgressBar::new_spinner().with_style(style)
        });
        let state = State {
            begin: Instant::now(),
            forecast: Forecast::default(),
            bar,
            quiet,
            stage: String::new(),
            logged: None,
        };
        Progress {
            state: Arc::new(Mutex::new(state)),
        }
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.lock().begin.elapsed()
    }

    /// Says how long everything from now on will take.
    pub fn expect(&self, seconds: f64) {
        let mut state = self.lock();
        let now = state.begin.elapsed();
        state.forecast.expect(now, seconds);
    }

    /// The same by an assumption: the time that is left is not said before [`News`] that more is known.
    pub fn assume(&self, seconds: f64) {
        let mut state = self.lock();
        let now = state.begin.elapsed();
        state.forecast.assume(now, seconds);
    }

    /// What is known of the estimate now, from who follows the work.
    pub fn hear(&self, news: &News) {
        let mut state = self.lock();
        let now = state.begin.elapsed();
        state.forecast.hear(now, news);
    }

    /// Real seconds per estimated one, by what was done so far.
    #[must_use]
    pub fn factor(&self) -> f64 {
        self.lock().forecast.factor()
    }

    /// From now on so many seconds are added to what is expected: what comes behind the part of the run that says how long it
    /// will take itself.
    pub fn behind(&self, seconds: f64) {
        self.lock().forecast.behind(seconds);
    }

    /// How long everything will still take, s; none before anything was estimated, and as long as that was only assumed.
    #[must_use]
    pub fn left_s(&self) -> Option<f64> {
        let state = self.lock();
        let left = state.forecast.left(state.begin.elapsed());
        left.map(|left| left.as_secs_f64())
    }

    /// Names the part of the run that following steps belong to.
    pub fn stage(&self, name: &str) {
        self.lock().stage = name.to_owned();
    }

    /// Says what is being done now.
    pub fn step(&self, text: &str) {
        let mut state = self.lock();
        if state.quiet {
            return;
        }
        let (line, now) = (state.line(&readable(text)), state.begin.elapsed());
        if let Some(bar) = &state.bar {
            bar.set_message(clean(&line));
            bar.tick();
        } else if state.is_due(now) {
            console::say(&line);
        }
    }

    /// A line that stays.
    pub fn note(&self, text: &str) {
        let state = self.lock();
        if !state.quiet {
            state.say(text);
        }
    }

    /// The same of something that is wrong, which is also said if asked to be quiet.
    pub fn error(&self, text: &str) {
        self.lock().say(text);
    }

    /// Removes the line.
    pub fn finish(&self) {
        if let Some(bar) = &self.lock().bar {
            bar.finish_and_clear();
        }
    }

    /// For the laboratory.
    pub fn callback(&self) -> Arc<dyn Fn(&str) + Send + Sync> {
        let own = self.clone();
        Arc::new(move |text| own.step(text))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl proofmark_experiment::Progress for Progress {
    fn stage(&self, name: &str) {
        self.stage(name);
    }

    fn step(&self, text: &str) {
        self.step(text);
    }

    fn note(&self, text: &str) {
        self.note(text);
    }

    fn expect(&self, seconds: f64) {
        self.expect(seconds);
    }

    fn elapsed_s(&self) -> f64 {
        self.elapsed().as_secs_f64()
    }
}

impl State {
    /// Says a line that stays.
    fn say(&self, text: &str) {
        let text = readable(text);
        match &self.bar {
            Some(bar) => bar.suspend(|| console::say(&text)),
            None => console::say(&text),
        }
    }

    /// Whether a line may go into the log so long after the start; if so, it counts as written.
    fn is_due(&mut self, now: Duration) -> bool {
        let due = self.logged.is_none_or(|last| now >= last + BETWEEN_LINES);
        if due {
            self.logged = Some(now);
        }
        due
    }

    fn line(&self, text: &str) -> String {
        let elapsed = self.begin.elapsed();
        let left = self.forecast.words(elapsed);
        let stage = if self.stage.is_empty() {
            String::new()
        } else {
            format!("{}: ", self.stage)
        };
        format!("[{}{left}] {stage}{text}", minutes(elapsed))
    }
}

fn minutes(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_gets_a_line_every_ten_seconds_at_most() {
        let progress = Progress::new(false);
        let mut state = progress.lock();
        let at = [0.0, 0.1, 9.9, 10.0, 10.1, 35.0, 44.0, 45.0];
        let written: Vec<f64> = at
            .into_iter()
            .filter(|at| state.is_due(Duration::from_secs_f64(*at)))
            .collect();
        assert_eq!(written, [0.0, 10.0, 35.0, 45.0]);
    }
}
