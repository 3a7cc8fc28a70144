//! A program as the rewriter sees it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use proofmark_rewrite::{Summary, Treatment, World, of_generated_code};

use crate::class_path::ClassPath;
use crate::image::Image;
use crate::policy::{Scope, jdk_treatment, why_excluded};

/// Class path, JDK and policy. What was looked up once is kept.
#[derive(Debug)]
pub struct Program {
    class_path: ClassPath,
    image: Image,
    scope: Scope,
    /// Prefixes of internal names that the user excluded.
    excluded: Vec<String>,
    /// Prefixes of internal names in the JDK that count as the application's.
    included: Vec<String>,
    known: Mutex<HashMap<String, Option<Arc<Summary>>>>,
}

impl Program {
    /// The program with this class path (see [`crate::expand_manifests`]) on this JDK of this release.
    #[must_use]
    pub fn new(class_path: &[PathBuf], image: Image, release: u32, scope: Scope) -> Self {
        Self {
            class_path: ClassPath::open(class_path, release),
            image,
            scope,
            excluded: Vec::new(),
            included: Vec::new(),
            known: Mutex::default(),
        }
    }

    /// Leaves classes alone whose internal name begins so.
    #[must_use]
    pub fn without(mut self, prefixes: &[String]) -> Self {
        self.excluded = internal(prefixes);
        self
    }

    /// Counts classes of the JDK like the application's whose internal name begins so: its tools, such as `javac`.
    #[must_use]
    pub fn with(mut self, prefixes: &[String]) -> Self {
        self.included = internal(prefixes);
        self
    }

    /// Whether a class of that name belongs to the JDK: it is in the image, or in a package where the JDK generates
    /// classes at run time (accessors of reflection, whose loaders see nothing of ours).
    fn is_jdk(&self, class: &str) -> bool {
        of_generated_code(class) || self.image.has(class)
    }

    /// The same program as a class sees it whose loader may have other classes of the same names.
    #[must_use]
    pub fn of_strangers(&self) -> Strangers<'_> {
        Strangers { program: self }
    }

    /// Whether the user excluded a class.
    #[must_use]
    pub fn leaves_out(&self, class: &str) -> bool {
        begins(&self.excluded, class)
    }

    /// Why the policy leaves a class of the JDK alone where the JDK is counted; none if it does not.
    #[must_use]
    pub fn why_excluded(&self, class: &str) -> Option<&'static str> {
        let of_jdk = self.scope == Scope::Jdk && self.image.has(class);
        let asked_for = begins(&self.included, class);
        (of_jdk && !asked_for).then(|| why_excluded(class))?
    }

    /// How such a class is treated: what it overrides of a counted class must still be called.
    fn left_out(&self, class: &str) -> Treatment {
        match (self.is_jdk(class), self.scope) {
            (false, _) => Treatment::Bridges,
            (true, Scope::Application) => Treatment::Not,
            (true, Scope::Jdk) => match jdk_treatment(class) {
                Treatment::Not => Treatment::Not,
                _ => Treatment::Bridges,
            },
        }
    }

    fn looked_up(&self, class: &str) -> Option<Arc<Summary>> {
        let bytes = if self.is_jdk(class) {
            self.image.read(class)
        } else {
            self.class_path.read(class)
        };
        Some(Arc::new(Summary::read(&bytes?).ok()?))
    }
}

impl World for Program {
    fn treatment(&self, class: &str) -> Treatment {
        let included = || begins(&self.included, class) && self.image.has(class);
        if class.starts_with("proofmark/count/") {
            Treatment::Not
        } else if self.leaves_out(class) {
            self.left_out(class)
        } else if !self.is_jdk(class) || included() {
            Treatment::Whole
        } else if self.scope == Scope::Jdk && self.image.has(class) {
            jdk_treatment(class)
        } else {
            Treatment::Not
        }
    }

    fn summary(&self, class: &str) -> Option<Arc<Summary>> {
        let mut known = self
            .known
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(summary) = known.get(class) {
            return summary.clone();
        }
        let summary = self.looked_up(class);
        known.insert(class.to_owned(), summary.clone());
        summary
    }
}

fn begins(prefixes: &[String], class: &str) -> bool {
    prefixes.iter().any(|one| class.starts_with(one))
}

fn internal(prefixes: &[String]) -> Vec<String> {
    prefixes
        .iter()
        .map(|prefix| prefix.replace('.', "/"))
        .collect()
}

/// See [`Program::of_strangers`].
#[derive(Debug)]
pub struct Strangers<'p> {
    program: &'p Program,
}

impl World for Strangers<'_> {
    fn treatment(&self, class: &str) -> Treatment {
        self.program.treatment(class)
    }

    fn summary(&self, class: &str) -> Option<Arc<Summary>> {
        let jdk = self.program.is_jdk(class);
        jdk.then(|| self.program.summary(class)).flatten()
    }
}
