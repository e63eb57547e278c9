//! What maintains a repository: the check that `git fsck` does, indexes of packs as
//! `git index-pack` makes them, and the counts of `git count-objects`.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::arithmetic_side_effects, reason = "tests may panic"))]

pub mod count_objects;
pub mod fsck;
pub mod index_pack;
pub mod show_index;
