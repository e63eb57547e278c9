//! Indexes a pack of SHA-1 objects, and prints its checksum, as `git index-pack` does:
//! `index_pack <pack> <index>`.
//!
//! The formats take any source of bytes. All of this pack is in memory, so nothing is missing
//! and no host loop is needed.

use packlens::{Build, Collisions, HashKind, Inflater, Limits, ObjectId};
use std::error::Error;

/// Returns the checksum of a pack, and the content of its index.
pub fn index_pack(pack: &[u8], hash: HashKind) -> packlens::Result<(ObjectId, Vec<u8>)> {
    let mut build = Build::new(&pack, hash)?.with_collisions(Collisions::Detect);
    let (mut inflater, limits) = (Inflater::default(), Limits::default());
    // Each step reads some megabytes, after which a caller may show progress or give up.
    while !build.step(&pack, &mut inflater, &limits)?.is_complete() {}
    let indexes = build.finish()?;
    Ok((indexes.checksum(), indexes.index()?))
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [pack_path, index_path] = arguments.as_slice() else {
        return Err("usage: index_pack <pack> <index>".into());
    };
    let (checksum, index) = index_pack(&std::fs::read(pack_path)?, HashKind::Sha1)?;
    std::fs::write(index_path, index)?;
    println!("{}", checksum.to_hex());
    Ok(())
}
