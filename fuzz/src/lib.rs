//! What the targets share: the laws, which the tests of the core hold to the corpus.

#[path = "../../crate/core/tests/all/common/mod.rs"]
pub mod common;
#[path = "../../crate/core/tests/all/kinds.rs"]
mod kinds;
#[path = "../../crate/core/tests/all/laws/mod.rs"]
mod laws;
#[path = "../../crate/core/tests/all/packs/mod.rs"]
mod packs;

/// Asserts the law of a target.
pub fn run(target: &str, data: &[u8]) {
    let law = laws::LAWS.iter().find(|(name, _)| *name == target);
    law.unwrap_or_else(|| panic!("{target} is no law")).1(data);
}

/// Makes a target of the file it stands in.
#[macro_export]
macro_rules! target {
    () => {
        libfuzzer_sys::fuzz_target!(|data: &[u8]| $crate::run(env!("CARGO_BIN_NAME"), data));
    };
}
