//! The contents that a file has in the work tree and in the index.

use super::listed::in_source;
use crate::repository::Repository;
use packlens_base::block::BlockSource;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_format::index_file::Entry;
use packlens_format::object::{Mode, ObjectType};

/// Returns the content of a file or of a symbolic link.
///
/// # Errors
///
/// Missing files and bytes: provide them and call again. [`ErrorKind::Limit`] for a file that is
/// too large; [`ErrorKind::Changed`] if the file is gone.
pub(crate) fn file_content(path: &[u8], repository: &mut Repository) -> Result<Vec<u8>> {
    let in_source = in_source(path);
    let Some(file) = repository.files.find_fresh(&in_source)? else {
        return Err(gone(path));
    };
    let source = repository.files.source(file);
    let mut content = repository.limits().buffer(source.size())?;
    source.read_at(0, &mut content)?;
    repository.files.forget(&in_source);
    Ok(content)
}

/// Returns the content that the index has for a file.
///
/// # Errors
///
/// Missing files and bytes: provide them and call again. Errors of reading.
pub(crate) fn index_content(entry: &Entry, repository: &mut Repository) -> Result<Vec<u8>> {
    match Mode(entry.mode).is_gitlink() {
        true => Ok(Vec::new()),
        false => repository.read_of_type(&entry.id, ObjectType::Blob),
    }
}

/// The error for a file that was listed, and is gone.
pub(crate) fn gone(path: &[u8]) -> Error {
    let what = "a file of the work tree was deleted meanwhile: call again";
    Error::new(ErrorKind::NotFound, what).about(path)
}
