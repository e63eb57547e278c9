//! Compares the content of a file of the work tree with that of the index.

use super::settings::Settings;
use crate::path_attributes::PathAttributes;
use crate::repository::Repository;
use crate::worktree::{file_content, gone, in_source, index_content};
use packlens_base::block::BlockSource;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::hash::{object_id, Hasher};
use packlens_base::oid::{HashKind, ObjectId};
use packlens_format::attributes::AttributeState;
use packlens_format::index_file::Entry;
use packlens_format::object::ObjectType;

/// The first line of the file that git-lfs has in place of a large one.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1\n";

/// The size below which git-lfs takes a file for such a pointer.
const POINTER_SIZE: usize = 1024;

/// A file that is being hashed, so that a retry resumes where bytes were missing.
pub(super) struct Hashing {
    path: Vec<u8>,
    hasher: Hasher,
    at: u64,
}

/// Returns the id that a file of the work tree has when it is added.
///
/// # Errors
///
/// As [`file_content`]; [`ErrorKind::Unsupported`] for filters and encodings that are not known.
pub(super) fn added_id(
    (path, entry): (&[u8], &Entry),
    attributes: &PathAttributes,
    settings: &Settings,
    hashing: &mut Option<Hashing>,
    repository: &mut Repository,
) -> Result<ObjectId> {
    let conversion = settings.conversion.of(attributes);
    let filter = match attributes.of("filter") {
        Some(AttributeState::Value(name)) if settings.has_filter(name) => Some(name.as_slice()),
        _ => None,
    };
    if filter.is_none() && !conversion.changes_blobs() {
        return hashed(path, hashing, repository);
    }
    let mut content = file_content(path, repository)?;
    match filter {
        None => {}
        Some(b"lfs") => content = lfs_pointer(content),
        Some(name) => {
            let what = "a filter of contents that are added is a program, which is not run";
            return Err(Error::new(ErrorKind::Unsupported, what).about(name));
        }
    }
    let content = conversion.to_blob(content, || index_content(entry, repository))?;
    Ok(object_id(repository.hash(), ObjectType::Blob, &content))
}

/// Returns the id of a content that is not converted.
///
/// # Errors
///
/// As [`file_content`].
pub(super) fn hashed(
    path: &[u8],
    hashing: &mut Option<Hashing>,
    repository: &mut Repository,
) -> Result<ObjectId> {
    let in_source = in_source(path);
    let Some(file) = repository.files.find_fresh(&in_source)? else {
        return Err(gone(path));
    };
    let size = repository.files.source(file).size();
    let begun = match hashing {
        Some(begun) if begun.path == path => begun,
        _ => hashing.insert(Hashing {
            path: path.to_vec(),
            hasher: Hasher::for_object(repository.hash(), ObjectType::Blob, size),
            at: 0,
        }),
    };
    let source = repository.files.source(file);
    while begun.at < size {
        let run = source.run_at(begun.at)?;
        begun.hasher.update(run);
        begun.at = begun.at.saturating_add(run.len() as u64);
    }
    let id = begun.hasher.clone().finish();
    *hashing = None;
    repository.files.forget(&in_source);
    Ok(id)
}

/// Returns what git-lfs adds for a content.
fn lfs_pointer(content: Vec<u8>) -> Vec<u8> {
    if content.is_empty() || (content.len() < POINTER_SIZE && content.starts_with(POINTER)) {
        return content;
    }
    let mut hasher = Hasher::new(HashKind::Sha256);
    hasher.update(&content);
    let id = hasher.finish().to_hex();
    let rest = format!("oid sha256:{id}\nsize {}\n", content.len());
    [POINTER, rest.as_bytes()].concat()
}
