//! Paths of files outside of the repository that its configuration names, and how paths compare.

use crate::repository::Repository;
use crate::repository_format::own_config;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_format::config::{config_boolean, config_value};

/// Returns the path that a variable of the section `core` has in the repository's own config.
///
/// # Errors
///
/// Missing files and bytes: provide them and call again. [`ErrorKind::Unsupported`] for a path that
/// is not absolute.
pub(crate) fn configured_path(repository: &Repository, name: &str) -> Result<Option<Vec<u8>>> {
    let config = own_config(&repository.files, &repository.limits())?;
    match config_value(&config, "core", name) {
        Some(path) if !path.starts_with(b"/") => {
            let what = "`core.excludesFile` and `core.attributesFile` must be absolute paths here";
            Err(Error::new(ErrorKind::Unsupported, what).about(path))
        }
        path => Ok(path),
    }
}

/// Returns whether patterns match both cases of letters: `core.ignoreCase` of the repository's own
/// config.
///
/// # Errors
///
/// Missing files and bytes: provide them and call again.
pub(crate) fn ignores_case(repository: &Repository) -> Result<bool> {
    let config = own_config(&repository.files, &repository.limits())?;
    Ok(config_boolean(&config, "core", "ignorecase") == Some(true))
}
