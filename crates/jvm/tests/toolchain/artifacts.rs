//! Where locked files come from, and what happens to files that are not the locked ones.

use std::path::Path;

use proofmark_jvm::toolchain::{AsyncProfiler, Jdk, JdkVersion, Settings, ToolchainError};

use proofmark_test_support::{Need, need};

use super::support::{real_jdk, script, settings_with_cache, write};

const JAR: &str = "tools/profiler/async-profiler/4.5/async-profiler-4.5.jar";

/// For tests that fail before they use it.
fn any_jdk() -> Jdk {
    Jdk {
        home: "/no/jdk".into(),
        version: JdkVersion::parse("25.0.3").unwrap(),
        full_version: "25.0.3+9".into(),
        vendor: "Acme".into(),
    }
}

/// Nothing but a cache and a local repository, both empty.
fn bare(place: &Path) -> Settings {
    Settings {
        cache: Some(place.join("cache")),
        local_repository: Some(place.join("m2")),
        path: Some(place.join("bin").into()),
        ..Settings::default()
    }
}

#[test]
fn nothing_anywhere_names_all_sources_and_the_remedy() {
    let place = tempfile::tempdir().unwrap();
    let text = AsyncProfiler::obtain(&bare(place.path()), &any_jdk())
        .unwrap_err()
        .to_string();
    for expected in [
        "tools.profiler:async-profiler:4.5",
        "m2/tools",
        "no mvn on PATH",
        "install Maven",
        "PROOFMARK_REPOSITORY",
    ] {
        assert!(text.contains(expected), "{expected:?} is not in:\n{text}");
    }
}

#[test]
fn a_file_with_another_hash_is_refused() {
    let place = tempfile::tempdir().unwrap();
    write(&place.path().join("m2").join(JAR), "not a profiler");
    let error = AsyncProfiler::obtain(&bare(place.path()), &any_jdk()).unwrap_err();
    assert!(
        matches!(error, ToolchainError::HashMismatch { .. }),
        "{error}"
    );
    let text = error.to_string();
    // Both hashes, the second one computed with sha256sum.
    assert!(
        text.contains("d0184907de67ca63363f1a6333c75eb7414fb3e13c564641304fe0fdca97363e"),
        "{text}"
    );
    assert!(
        text.contains("77297c9a143f86f2feb85d1f708f0d1868f2b13d8af54311d93ca366cfa9fcaf"),
        "{text}"
    );
    assert!(text.contains("remedy: delete that file"), "{text}");
    let entries = std::fs::read_dir(place.path().join("cache/entries")).unwrap();
    assert_eq!(entries.count(), 0, "a refused file got into the cache");
}

#[test]
fn mvn_that_fails_is_quoted() {
    let place = tempfile::tempdir().unwrap();
    script(
        &place.path().join("bin/mvn"),
        "echo '[ERROR] Could not resolve it'; echo '[ERROR] long help'; exit 1",
    );
    let text = AsyncProfiler::obtain(&bare(place.path()), &any_jdk())
        .unwrap_err()
        .to_string();
    assert!(
        text.contains("[ERROR] Could not resolve it") && !text.contains("long help"),
        "{text}"
    );
    assert!(text.contains("make `mvn` work"), "{text}");
    script(&place.path().join("bin/mvn"), "exit 0");
    let text = AsyncProfiler::obtain(&bare(place.path()), &any_jdk())
        .unwrap_err()
        .to_string();
    assert!(text.contains("it reported success, but"), "{text}");
}

#[test]
fn the_users_repository_is_asked_instead_of_mvn() {
    let place = tempfile::tempdir().unwrap();
    let elsewhere = settings_with_cache(&place.path().join("real"));
    let Some(jdk) = real_jdk(&elsewhere) else {
        return;
    };
    let Some(real) = need(Need::Jvm, AsyncProfiler::obtain(&elsewhere, &jdk)) else {
        return;
    };
    let repository = place.path().join("mirror");
    std::fs::create_dir_all(repository.join(JAR).parent().unwrap()).unwrap();
    std::fs::copy(real.jar, repository.join(JAR)).unwrap();
    for base in [
        repository.display().to_string(),
        format!("file://{}/", repository.display()),
    ] {
        let mut settings = bare(place.path());
        settings.repository = Some(base);
        let profiler = AsyncProfiler::obtain(&settings, &jdk).unwrap();
        assert!(profiler.lib.is_file() && profiler.jar.is_file());
        assert_eq!(
            (profiler.version.as_str(), profiler.hashes.len()),
            ("4.5", 2)
        );
        std::fs::remove_dir_all(place.path().join("cache")).unwrap();
    }
    let mut settings = bare(place.path());
    settings.repository = Some("/no/such/place".into());
    let text = AsyncProfiler::obtain(&settings, &any_jdk())
        .unwrap_err()
        .to_string();
    assert!(
        text.contains("PROOFMARK_REPOSITORY: /no/such/place")
            && text.contains("correct PROOFMARK_REPOSITORY"),
        "{text}"
    );
    settings.repository = Some("http://127.0.0.1:9/repository".into());
    let text = AsyncProfiler::obtain(&settings, &any_jdk())
        .unwrap_err()
        .to_string();
    assert!(text.contains("no curl on PATH"), "{text}");
}
