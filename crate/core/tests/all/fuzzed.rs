//! Runs the corpus of the fuzzer, its seeds and findings, in every test run.

use crate::laws;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Returns the corpus of a law. `PACKLENS_CORPUS` may name another folder of corpora, or a
/// part of one.
fn corpus(law: &str) -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let corpus = std::env::var("PACKLENS_CORPUS").map_or(own, Into::into);
    let entries = std::fs::read_dir(corpus.join(law)).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{law} has no seeds");
    files
}

#[test]
fn the_corpus_keeps_the_laws() {
    let mut broken = Vec::new();
    for (name, law) in laws::LAWS {
        for file in corpus(name) {
            let data = std::fs::read(&file).unwrap();
            if std::panic::catch_unwind(|| law(&data)).is_err() {
                broken.push(file);
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

/// The index of the input byte that chooses the size of parts for a law.
const PARTS: &[(&str, usize)] = &[
    ("bitmap", 3),
    ("bundle", 0),
    ("changed_paths", 1),
    ("commit_graph", 1),
    ("grafts", 1),
    ("index", 1),
    ("index_pack", 1),
    ("loose", 1),
    ("loose_refs", 1),
    ("multi_pack_index", 3),
    ("pack_entry", 1),
    ("packed_refs", 1),
    ("reflog", 1),
    ("reftable", 1),
    ("reverse", 3),
];

/// How many inputs are made of the seeds of a law; `PACKLENS_SWEEP` may name another number.
const INPUTS: usize = if cfg!(target_arch = "wasm32") { 40 } else { 500 };

/// Cuts and changes seeds at places all over them, at every place if there are no more than
/// [`INPUTS`].
#[test]
fn seeds_that_are_cut_or_changed_keep_the_laws() {
    let most = std::env::var("PACKLENS_SWEEP").map_or(INPUTS, |text| text.parse().unwrap());
    let mut broken = Vec::new();
    for (name, law) in laws::LAWS {
        let start = Instant::now();
        let part = PARTS.iter().find(|(own, _)| own == name).map(|(_, at)| *at);
        let files: Vec<_> =
            corpus(name).into_iter().map(|file| (std::fs::read(&file).unwrap(), file)).collect();
        let places =
            files.iter().flat_map(|(seed, file)| (0..seed.len()).map(move |at| (seed, file, at)));
        // An odd number, so that all bytes of a word take their turn.
        let step = (2 * places.clone().count() / most.max(1)) | 1;
        let mut runs = 0;
        for (seed, file, at) in places.step_by(step) {
            let mut changed = seed.clone();
            changed[at] ^= 1 << (at % 8);
            for mut input in [seed[..at].to_vec(), changed] {
                // Parts of one byte of a long file take more memory than the limit.
                let chosen = part.filter(|_| seed.len() < 4096);
                if let Some(place) = chosen.and_then(|place| input.get_mut(place)) {
                    *place = (runs / 4 % 6) as u8;
                }
                runs += 1;
                if std::panic::catch_unwind(|| law(&input)).is_err() {
                    broken.push(format!("{}: byte {at}", file.display()));
                }
            }
        }
        println!("{name}: {runs} inputs, {} ms", start.elapsed().as_millis());
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

/// Checks a law with one file: `PACKLENS_LAW=index_pack PACKLENS_INPUT=file`.
#[test]
#[ignore = "on request"]
fn one_input_keeps_its_law() {
    let name = std::env::var("PACKLENS_LAW").unwrap();
    let data = std::fs::read(std::env::var("PACKLENS_INPUT").unwrap()).unwrap();
    laws::LAWS.iter().find(|(own, _)| *own == name).unwrap().1(&data);
}
