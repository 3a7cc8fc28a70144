//! Reads the file.

use std::collections::HashMap;

use proofmark_rewrite::unescaped;

use super::{
    Context, CountFile, CountMode, CountScope, CountSettings, CountThread, MAX_DEPTH, ThreadKind,
};
use crate::error::ImportError;
use crate::identity::MethodId;
use crate::import::{Format, Line, lines};

/// First line of a file that ends in `end`.
const HEAD: &str = "proofmark-count\t2";
/// First line of a file that does not.
const HEAD_1: &str = "proofmark-count\t1";

/// True for the first line of such a file.
pub(crate) fn is_head(line: &str) -> bool {
    line == HEAD || line == HEAD_1
}

impl CountFile {
    /// Reads a file as the runtime or [`CountFile::to_text`] wrote it. Methods may stand behind the contexts that name
    /// them.
    ///
    /// # Errors
    /// The first line that cannot be understood; a file that lacks its settings.
    pub fn parse(bytes: &[u8]) -> Result<Self, ImportError> {
        let mut reader = Reader::default();
        for line in lines(bytes).filter(|line| !line.text.is_empty()) {
            reader
                .line(&line)
                .map_err(|what| ImportError::line(Format::Count, &line, what))?;
        }
        reader
            .finish()
            .map_err(|what| ImportError::damaged(Format::Count, bytes.len() as u64, what))
    }
}

#[derive(Default)]
struct Reader {
    mode: Option<CountMode>,
    scope: Option<CountScope>,
    granularity: Option<u64>,
    random: Option<u64>,
    seed: Option<u64>,
    methods: Vec<MethodId>,
    /// Index of a method by its number in the file.
    numbered: HashMap<u32, u32>,
    threads: Vec<CountThread>,
    /// The contexts above the next one.
    path: Vec<u32>,
    /// Whether the line `end` must come; it has come.
    has_end: bool,
    ended: bool,
}

impl Reader {
    fn line(&mut self, line: &Line<'_>) -> Result<(), String> {
        let text: &str = &line.text;
        if line.number == 1 {
            self.has_end = text == HEAD;
            return is_head(text)
                .then_some(())
                .ok_or_else(|| format!("{HEAD:?} was expected"));
        }
        if self.ended {
            return Err("nothing was expected behind the line `end`".to_owned());
        }
        let (word, rest) = text
            .split_once('\t')
            .ok_or("fields with tabs between them were expected")?;
        match word {
            "mode" => self.mode = Some(mode(rest)?),
            "scope" => self.scope = Some(scope(rest)?),
            "granularity" => self.granularity = Some(number(rest)?),
            "random" => self.random = Some(number(rest)?),
            "seed" => self.seed = Some(number(rest)?),
            "method" => self.method(rest)?,
            "thread" => self.thread(rest)?,
            "end" => self.end(number(rest)?, line.offset)?,
            depth => self.context(number(depth)?, rest)?,
        }
        Ok(())
    }

    fn end(&mut self, told: u64, offset: u64) -> Result<(), String> {
        if told != offset {
            return Err(format!(
                "{told} bytes were expected in front of the line `end`, not {offset}: the file was changed"
            ));
        }
        self.ended = true;
        Ok(())
    }

    fn method(&mut self, text: &str) -> Result<(), String> {
        let [id, class, name, descriptor] = fields(text)?;
        let id = small(id)?;
        let index = small_len(self.methods.len())?;
        if self.numbered.insert(id, index).is_some() {
            return Err(format!(
                "one line for method {id} was expected, this is the second"
            ));
        }
        let (class, name) = (unescaped(class), unescaped(name));
        self.methods.push(if class.is_empty() {
            MethodId::symbol(&name)
        } else {
            MethodId::new(&class, &name, Some(&unescaped(descriptor)))
        });
        Ok(())
    }

    fn thread(&mut self, text: &str) -> Result<(), String> {
        let [kind, state, bytecodes, samples, rest, lost, name] = fields(text)?;
        self.path.clear();
        self.threads.push(CountThread {
            kind: match kind {
                "platform" => ThreadKind::Platform,
                "virtual" => ThreadKind::Virtual,
                "initialisers" => ThreadKind::Initialisers,
                other => {
                    return Err(format!(
                        "platform, virtual or initialisers was expected, not {other:?}"
                    ));
                }
            },
            ended: match state {
                "ended" => true,
                "running" => false,
                other => return Err(format!("ended or running was expected, not {other:?}")),
            },
            bytecodes: number(bytecodes)?,
            samples: number(samples)?,
            rest: number(rest)?,
            lost: number(lost)?,
            name: unescaped(name),
            contexts: Vec::new(),
        });
        Ok(())
    }

    /// Methods are the file's numbers until [`Reader::finish`].
    fn context(&mut self, depth: u64, text: &str) -> Result<(), String> {
        let [method, bytecodes, samples] = fields(text)?;
        let thread = self
            .threads
            .last_mut()
            .ok_or("a thread was expected in front of its contexts")?;
        let depth = usize::try_from(depth).map_err(|error| error.to_string())?;
        if depth > self.path.len() || depth > MAX_DEPTH {
            return Err(format!(
                "a depth of at most {} was expected, not {depth}",
                self.path.len().min(MAX_DEPTH)
            ));
        }
        self.path.truncate(depth);
        let index = small_len(thread.contexts.len())?;
        thread.contexts.push(Context {
            parent: self.path.last().copied(),
            depth: small_len(depth)?,
            method: small(method)?,
            bytecodes: number(bytecodes)?,
            samples: number(samples)?,
        });
        self.path.push(index);
        Ok(())
    }

    /// All figures added up, so that no sum of some of them overflows.
    fn total(&self) -> u128 {
        let wide = |figures: &[u64]| figures.iter().map(|&f| u128::from(f)).sum::<u128>();
        let threads = self.threads.iter().map(|thread| {
            let contexts = thread.contexts.iter();
            let own: u128 = contexts.map(|c| wide(&[c.bytecodes, c.samples])).sum();
            own + wide(&[thread.bytecodes, thread.samples, thread.rest, thread.lost])
        });
        threads.sum()
    }

    fn finish(mut self) -> Result<CountFile, String> {
        if self.has_end && !self.ended {
            return Err("the line `end` was expected: the file was cut".to_owned());
        }
        let missing = |what: &str| format!("the line `{what}` was expected before the end");
        let settings = CountSettings {
            mode: self.mode.ok_or_else(|| missing("mode"))?,
            granularity: self.granularity.ok_or_else(|| missing("granularity"))?,
            random: self.random.ok_or_else(|| missing("random"))?,
            seed: self.seed.ok_or_else(|| missing("seed"))?,
            scope: self.scope.ok_or_else(|| missing("scope"))?,
        };
        if self.total() > u128::from(u64::MAX) {
            return Err("bytecodes and samples below 2^64 in all were expected".to_owned());
        }
        let mut remarks = Vec::new();
        for thread in &mut self.threads {
            for context in &mut thread.contexts {
                let method = self.numbered.get(&context.method);
                context.method = *method
                    .ok_or_else(|| format!("a line for method {} was expected", context.method))?;
            }
            remarks.extend(sum_differs(thread));
        }
        Ok(CountFile {
            settings,
            methods: self.methods,
            threads: self.threads,
            remarks,
        })
    }
}

/// Only a file written while the thread ran can be inconsistent in itself.
fn sum_differs(thread: &CountThread) -> Option<String> {
    let own = thread.contexts.iter().map(|c| u128::from(c.bytecodes));
    let sum = own.sum::<u128>() + u128::from(thread.rest);
    (sum != u128::from(thread.bytecodes)).then(|| {
        format!(
            "thread {:?}: contexts and rest have {sum} bytecodes, the thread {}; it ran while the file was written",
            thread.name, thread.bytecodes
        )
    })
}

fn mode(word: &str) -> Result<CountMode, String> {
    match word {
        "sampled" => Ok(CountMode::Sampled),
        "exact" => Ok(CountMode::Exact),
        other => Err(format!("sampled or exact was expected, not {other:?}")),
    }
}

fn scope(word: &str) -> Result<CountScope, String> {
    match word {
        "application" => Ok(CountScope::Application),
        "jdk" => Ok(CountScope::Jdk),
        other => Err(format!("application or jdk was expected, not {other:?}")),
    }
}

fn fields<const N: usize>(text: &str) -> Result<[&str; N], String> {
    let fields: Vec<&str> = text.split('\t').collect();
    let found = fields.len();
    fields
        .try_into()
        .map_err(|_| format!("{N} further fields were expected, not {found}"))
}

fn number(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("a whole number was expected, not {text:?}"))
}

fn small(text: &str) -> Result<u32, String> {
    text.parse()
        .map_err(|_| format!("a number below 2^32 was expected, not {text:?}"))
}

fn small_len(len: usize) -> Result<u32, String> {
    u32::try_from(len).map_err(|_| "fewer than 2^32 entries were expected".to_owned())
}
