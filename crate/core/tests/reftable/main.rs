//! Reftables by git, by JGit and by Dulwich: what git says of them, in parts of any size
//! and with any byte changed.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests may panic"
)]

#[path = "../common/mod.rs"]
mod common;
mod counts;
mod damage;
mod gone;
mod hostile;
mod opened;
mod read;
mod repository;
mod stacks;
mod write;
