//! Maintenance of a repository: `fsck`, `index-pack`, `show-index` and `count-objects`.
//!
//! This is the highest floor; `packlens-query`, `packlens-format` and `packlens-base` are below
//! it. Each module has one long question, whose `fill` appends part of an answer.
//! [`index_pack`] and [`show_index`] read one pack or index, [`fsck`] and [`count_objects`]
//! a whole repository. Nothing is written: an index that is made here is returned.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::arithmetic_side_effects, reason = "tests may panic"))]

pub mod count_objects;
pub mod fsck;
pub mod index_pack;
pub mod show_index;
