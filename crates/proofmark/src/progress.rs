//! What is going on, on standard error.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Progress of a run: a line on a terminal, lines in a log, nothing if asked to be quiet. It is only
/// redrawn when something happens, because a redraw thread would disturb the measurement.
#[derive(Clone)]
pub struct Progress {
    state: Arc<Mutex<State>>,
}

struct State {
    begin: Instant,
    expected: Option<Duration>,
    bar: Option<ProgressBar>,
    quiet: bool,
    stage: String,
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
            expected: None,
            bar,
            quiet,
            stage: String::new(),
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
        state.expected = Some(state.begin.elapsed() + Duration::from_secs_f64(seconds.max(0.0)));
    }

    /// Names the part of the run that following steps belong to.
    pub fn stage(&self, name: &str) {
        self.lock().stage = name.to_owned();
    }

    /// Says what is being done now.
    pub fn step(&self, text: &str) {
        let state = self.lock();
        if state.quiet {
            return;
        }
        let line = state.line(text);
        match &state.bar {
            Some(bar) => {
                bar.set_message(line);
                bar.tick();
            }
            None => eprintln!("{line}"),
        }
    }

    /// A line that stays.
    pub fn note(&self, text: &str) {
        let state = self.lock();
        match &state.bar {
            Some(bar) => bar.println(text),
            None => eprintln!("{text}"),
        }
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
    fn line(&self, text: &str) -> String {
        let elapsed = self.begin.elapsed();
        let left = self.expected.and_then(|all| all.checked_sub(elapsed));
        let left = left.map_or(String::new(), |left| {
            format!(", about {} left", minutes(left))
        });
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
