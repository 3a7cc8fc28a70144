//! The manual page: every command with its options, on one page.

use std::io::{self, Write};

use clap::Command;
use clap_mangen::Man;

/// The page as roff source, as `man -l` reads it.
///
/// # Errors
/// When it cannot be put together.
pub(super) fn page(command: Command) -> io::Result<String> {
    // The help of help would double every command.
    let mut root = command.disable_help_subcommand(true);
    root.build();
    let man = Man::new(root.clone());
    let mut title = Vec::new();
    man.render_title(&mut title)?;
    let mut page = String::from_utf8_lossy(&title).into_owned();
    page += &section(".SH", |out| man.render_name_section(out))?;
    page += &section(".SH", |out| man.render_synopsis_section(out))?;
    page += &section(".SH", |out| man.render_description_section(out))?;
    page += &section(".SH", |out| man.render_options_section(out))?;
    commands(&root, root.get_name(), &mut page)?;
    page += &section(".SH", |out| man.render_extra_section(out))?;
    page += &section(".SH", |out| man.render_version_section(out))?;
    Ok(page)
}

/// A section for each command below this one, named as it is written: `proofmark study run`.
fn commands(above: &Command, name: &str, page: &mut String) -> io::Result<()> {
    for command in above.get_subcommands().filter(|one| !one.is_hide_set()) {
        let name = format!("{name} {}", command.get_name());
        let man = Man::new(command.clone());
        *page += &format!(".SH \"{name}\"\n");
        *page += &section(".SS", |out| man.render_synopsis_section(out))?;
        *page += &section(".SS", |out| man.render_description_section(out))?;
        *page += &section(".SS", |out| man.render_options_section(out))?;
        commands(command, &name, page)?;
    }
    Ok(())
}

/// Sections under headings of this level, without what stands in front of every document of the library.
fn section(
    level: &str,
    render: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<String> {
    let mut bytes = Vec::new();
    render(&mut bytes)?;
    let mut out = String::new();
    for line in String::from_utf8_lossy(&bytes).lines() {
        match line.strip_prefix(".SH ") {
            Some(title) => out += &format!("{level} {title}\n"),
            None if line.starts_with(".ie ") || line.starts_with(".el ") => {}
            None => out += &format!("{line}\n"),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(above: &Command, name: &str, all: &mut Vec<String>) {
        for command in above.get_subcommands() {
            let name = format!("{name} {}", command.get_name());
            names(command, &name, all);
            all.push(name);
        }
    }

    #[test]
    fn the_page_names_every_command() {
        let command = super::super::command();
        let mut all = Vec::new();
        names(&command, "proofmark", &mut all);
        assert!(all.len() > 20, "{all:?}");
        let page = page(command).unwrap();
        for name in all {
            let heading = format!("\n.SH \"{name}\"\n");
            assert_eq!(page.matches(&heading).count(), 1, "{name}: {page}");
        }
        assert_eq!(page.matches("\n.TH ").count(), 1, "one page");
        assert!(page.contains("Exit codes") && page.contains("\n.SS OPTIONS\n"));
        assert!(!page.contains("help help"), "{page}");
    }
}
