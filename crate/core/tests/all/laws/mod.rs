//! The laws that the fuzz targets check, one function a target. `fuzz/` calls them with
//! generated inputs, `fuzzed.rs` with the corpus: seeds and findings.

pub mod attributes;
mod base;
mod bitmap;
mod bundle;
mod checks;
mod commit_graph;
mod config;
mod ignores;
mod index;
mod index_file;
mod inflate;
mod input;
mod logged;
mod multi_pack_index;
mod objects;
mod pack;
mod parents;
mod pathspec;
mod refs;
mod reftable;
mod regex;
mod reverse;
mod revision;
pub mod shared;
mod text_diff;
mod thin;
mod wildmatch;

/// A law by the name of its target.
pub type Law = (&'static str, fn(&[u8]));

/// All laws: each has a file in `fuzz/fuzz_targets` and a folder in `fuzz/corpus`.
pub const LAWS: &[Law] = &[
    ("alternates", parents::alternates),
    ("attributes", attributes::attributes_of_paths),
    ("available", refs::available),
    ("bitmap", bitmap::bitmap),
    ("bundle", bundle::bundle),
    ("changed_paths", commit_graph::changed_paths),
    ("checks", checks::checks),
    ("commit", objects::commit),
    ("commit_graph", commit_graph::commit_graph),
    ("config", config::config),
    ("delta", pack::delta),
    ("grafts", parents::grafts),
    ("index", index::index),
    ("ignored_paths", ignores::ignored_paths),
    ("index_file", index_file::index_file),
    ("index_pack", pack::index_pack),
    ("inflate", inflate::inflate),
    ("logged", logged::logged),
    ("loose", objects::loose),
    ("loose_refs", refs::loose_refs),
    ("made_pack", pack::made_pack),
    ("multi_pack_index", multi_pack_index::multi_pack_index),
    ("pack_entry", pack::pack_entry),
    ("packed_refs", refs::packed_refs),
    ("pathspec", pathspec::pathspec),
    ("reflog", refs::reflog),
    ("refname", refs::refname),
    ("reftable", reftable::reftable),
    ("reftable_write", reftable::reftable_write),
    ("regex", regex::regex),
    ("reverse", reverse::reverse),
    ("revision", revision::revision),
    ("tag", objects::tag),
    ("text_diff", text_diff::text_diff),
    ("thin", thin::thin),
    ("tree", objects::tree),
    ("wildmatch", wildmatch::wildmatch),
];
