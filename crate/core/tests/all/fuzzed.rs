//! The corpus of the fuzzer, its seeds and all that it ever found, in every test run.

use std::path::Path;

/// `PACKLENS_CORPUS` may name another folder of corpora, or a part of one.
#[test]
fn the_corpus_keeps_the_laws() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let corpus = std::env::var("PACKLENS_CORPUS").map_or(own, Into::into);
    let mut broken = Vec::new();
    for (name, law) in crate::laws::LAWS {
        let entries = std::fs::read_dir(corpus.join(name)).unwrap();
        let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        assert!(!files.is_empty(), "{name} has no seeds");
        for file in files {
            let data = std::fs::read(&file).unwrap();
            if std::panic::catch_unwind(|| law(&data)).is_err() {
                broken.push(file);
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

/// Holds one file to a law: `PACKLENS_LAW=index_pack PACKLENS_INPUT=file`.
#[test]
#[ignore = "on request"]
fn one_input_keeps_its_law() {
    let name = std::env::var("PACKLENS_LAW").unwrap();
    let data = std::fs::read(std::env::var("PACKLENS_INPUT").unwrap()).unwrap();
    crate::laws::LAWS.iter().find(|(own, _)| *own == name).unwrap().1(&data);
}
