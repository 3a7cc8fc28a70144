//! What a jar's manifest says of how its program is started.

use std::io::Read;
use std::path::Path;

use crate::workload::WorkloadError;

/// How `java -jar` starts a jar's program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JarManifest {
    /// The class to run.
    pub main_class: String,
    /// Options of `java` that do what its attributes do under `-jar` alone.
    pub options: Vec<String>,
}

impl JarManifest {
    /// Reads a jar's manifest.
    ///
    /// # Errors
    /// [`WorkloadError::NoJar`] when the file cannot be opened, [`WorkloadError::Jar`] when it is no jar, names no class or
    /// wants an agent.
    pub fn read(jar: &Path) -> Result<Self, WorkloadError> {
        let fault = |reason: String| WorkloadError::Jar {
            jar: jar.display().to_string(),
            reason,
        };
        let file = std::fs::File::open(jar).map_err(|e| WorkloadError::NoJar {
            jar: jar.display().to_string(),
            reason: e.to_string(),
        })?;
        let mut archive = zip::ZipArchive::new(file).map_err(|e| fault(e.to_string()))?;
        let entry = archive
            .by_name("META-INF/MANIFEST.MF")
            .map_err(|_| fault("it has no manifest".into()))?;
        let mut bytes = Vec::new();
        // A manifest is small; a hostile one is cut off.
        entry
            .take(1 << 20)
            .read_to_end(&mut bytes)
            .map_err(|e| fault(e.to_string()))?;
        Self::parse(&bytes).map_err(|reason| fault(reason.into()))
    }

    /// Understands a manifest; an error says what is wrong with it.
    fn parse(bytes: &[u8]) -> Result<Self, &'static str> {
        let lines = lines(bytes);
        let value = |name: &str| attribute(&lines, name);
        if value("Launcher-Agent-Class").is_some() {
            return Err("its manifest names a Launcher-Agent-Class, and agents are not supported");
        }
        let main_class = value("Main-Class").ok_or("its manifest names no Main-Class")?;
        let mut options = Vec::new();
        for (name, option) in [("Add-Exports", "exports"), ("Add-Opens", "opens")] {
            let packages = value(name).unwrap_or_default();
            // What is not of this form the JDK's launcher passes over.
            for package in packages.split(' ').filter(|word| is_package(word)) {
                options.push(format!("--add-{option}={package}=ALL-UNNAMED"));
            }
        }
        // Java takes the attribute from 22 on, the option from 17 on; no other value is known.
        if value("Enable-Native-Access").as_deref() == Some("ALL-UNNAMED") {
            options.push("--enable-native-access=ALL-UNNAMED".into());
        }
        Ok(Self {
            main_class,
            options,
        })
    }
}

/// Whether this is `MODULE/PACKAGE`.
fn is_package(word: &str) -> bool {
    word.split_once('/').is_some_and(|(module, package)| {
        !module.is_empty() && !package.is_empty() && !package.contains('/')
    })
}

/// The lines of the main section. A line has 72 bytes at most, and what is longer goes on in the next one, after a space; it may be
/// cut inside of a letter.
fn lines(manifest: &[u8]) -> Vec<String> {
    let mut lines: Vec<Vec<u8>> = Vec::new();
    for line in manifest.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            break;
        }
        if let Some(more) = line.strip_prefix(b" ")
            && let Some(last) = lines.last_mut()
        {
            last.extend_from_slice(more);
        } else {
            lines.push(line.to_vec());
        }
    }
    let text = |line: &Vec<u8>| String::from_utf8_lossy(line).into_owned();
    lines.iter().map(text).collect()
}

/// The value of an attribute, if it has one. Names are the same in capitals and small letters.
fn attribute(lines: &[String], name: &str) -> Option<String> {
    let value = lines.iter().find_map(|line| {
        let (found, value) = line.split_once(':')?;
        found.eq_ignore_ascii_case(name).then(|| value.trim())
    });
    value.filter(|value| !value.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_may_be_folded() {
        let manifest =
            b"Manifest-Version: 1.0\r\nMain-Class: com.acme.very.long.pack\r\n age.Main\r\nX: y\r\n";
        let lines = lines(manifest);
        assert_eq!(
            attribute(&lines, "Main-Class").as_deref(),
            Some("com.acme.very.long.package.Main")
        );
        assert_eq!(attribute(&lines, "Class-Path"), None);
        // A letter of two bytes, cut in the middle.
        let cut = JarManifest::parse(b"Main-Class: Stra\xc3\n \x9fe\n").unwrap();
        assert_eq!(cut.main_class, "Stra\u{df}e");
    }

    #[test]
    fn what_a_jar_opens_is_opened_without_it() {
        let manifest =
            b"Manifest-Version: 1.0\nmain-class: Main\nAdd-Exports: java.base/sun.nio.ch\n\
            Add-Opens: java.base/java.lang java.base/java.ut\n il nonsense /x java.base/\n\
            Enable-Native-Access: ALL-UNNAMED\n\nName: x\nLauncher-Agent-Class: Agent\n";
        let read = JarManifest::parse(manifest).unwrap();
        assert_eq!(read.main_class, "Main");
        assert_eq!(
            read.options,
            [
                "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
            ]
        );
        let plain = JarManifest::parse(b"Main-Class: Main\nEnable-Native-Access: some.module\n");
        assert_eq!(plain.unwrap().options, [""; 0]);
    }

    #[test]
    fn agents_and_jars_without_a_class_are_refused() {
        let agent = JarManifest::parse(b"Main-Class: Main\nLauncher-Agent-Class: Agent\n");
        assert!(agent.unwrap_err().contains("agents are not supported"));
        let none = JarManifest::parse(b"Main-Class:\nClass-Path: a.jar\n");
        assert_eq!(none.unwrap_err(), "its manifest names no Main-Class");
    }
}
