//! The settings of a check in the repository's `config`.

use packlens_base::error::{Error, ErrorKind, Result};
use packlens_format::checks::Severities;
use packlens_format::config::{is_true, visit_variables, ConfigCursor};
use packlens_format::refs::text_of;
use packlens_query::repository::Repository;

/// The variables of `config` that a check uses, in the order of the file.
#[derive(Default)]
pub(super) struct FsckConfig {
    /// A remote has promised objects.
    pub(super) is_partial: bool,
    is_bare: bool,
    /// The variables `fsck.<msg-id>` and their values.
    severities: Vec<(Vec<u8>, Vec<u8>)>,
    /// The paths in `fsck.skipList`.
    skip_lists: Vec<Vec<u8>>,
}

impl FsckConfig {
    /// # Errors
    ///
    /// Missing files and bytes.
    pub(super) fn read(repository: &Repository) -> Result<FsckConfig> {
        let mut config = FsckConfig::default();
        let Some(file) = repository.files.find(b"config")? else {
            return Ok(config);
        };
        let text = text_of(&repository.files, file, &repository.limits())?;
        visit_variables(ConfigCursor::new(&text), &text, |name, value| {
            let given = || value.unwrap_or_default().to_vec();
            match name {
                b"extensions.partialclone" => config.is_partial = true,
                b"core.bare" => config.is_bare = is_true(value),
                b"fsck.skiplist" => config.skip_lists.push(given()),
                name if name.starts_with(b"remote.") && name.ends_with(b".promisor") => {
                    config.is_partial |= is_true(value);
                }
                name => {
                    if let Some(id) = name.strip_prefix(b"fsck.") {
                        config.severities.push((id.to_vec(), given()));
                    }
                }
            }
        });
        Ok(config)
    }

    /// Applies the severities and skip lists.
    ///
    /// # Errors
    ///
    /// Missing files and bytes. [`ErrorKind::BadInput`] for an unknown message id or severity,
    /// and if a skip list does not exist; [`ErrorKind::Unsupported`] for a path below `~`.
    pub(super) fn set(&self, repository: &Repository, severities: &mut Severities) -> Result<()> {
        for (name, severity) in &self.severities {
            severities.set(name, severity)?;
        }
        for path in &self.skip_lists {
            let below = match path.as_slice() {
                [b'~', ..] => {
                    let what = "`fsck.skipList` in somebody's home";
                    return Err(Error::new(ErrorKind::Unsupported, what).about(path.as_slice()));
                }
                [b'/', ..] => path.clone(),
                // Relative paths begin at the top of the work tree; a bare repository has none.
                _ if self.is_bare => path.clone(),
                _ => [b"../", path.as_slice()].concat(),
            };
            let Some(file) = repository.files.find(&below)? else {
                let what = "could not open object name list";
                return Err(Error::new(ErrorKind::BadInput, what).about(path.as_slice()));
            };
            let text = text_of(&repository.files, file, &repository.limits())?;
            severities.take_lines(repository.hash(), &text)?;
        }
        Ok(())
    }
}
