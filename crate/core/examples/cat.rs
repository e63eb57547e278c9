//! Prints an object as `git cat-file -p` does, but names without quotes:
//! `cat <git-dir> <revision>`.

mod host;

use host::{ask, open};
use packlens::{ObjectType, Tree};
use std::error::Error;
use std::io::Write;
use std::path::Path;

/// Returns the printed form of the object that a revision names, such as `HEAD:README.md`.
pub fn cat(git_dir: &Path, revision: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut repository = open(git_dir)?;
    let (id, (object_type, content)) = ask(&mut repository, git_dir, |repository| {
        let id = repository.resolve(revision.as_bytes())?;
        Ok((id, repository.odb.read(&mut repository.files, &id, repository.verify)?))
    })?;
    if object_type != ObjectType::Tree {
        return Ok(content);
    }
    let mut lines = Vec::new();
    for entry in Tree::new(id.hash(), &content) {
        let entry = entry?;
        let mode = entry.mode.canonical();
        let object_type = mode.object_type().name();
        write!(lines, "{:06o} {object_type} {}\t", mode.0, entry.oid.to_hex())?;
        lines.write_all(entry.name)?;
        lines.push(b'\n');
    }
    Ok(lines)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [git_dir, revision] = arguments.as_slice() else {
        return Err("usage: cat <git-dir> <revision>".into());
    };
    Ok(std::io::stdout().write_all(&cat(Path::new(git_dir), revision)?)?)
}
