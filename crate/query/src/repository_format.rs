//! The format of a repository, from its `config`:
//! <https://git-scm.com/docs/repository-version>.

use packlens_base::block::Files;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::limits::Limits;
use packlens_base::oid::HashKind;
use packlens_format::config::{boolean_of, config_section, value_of, Variable};
use packlens_format::refs::{text_of, RefStorage};

/// The newest format version that can be read, as in git.
const NEWEST: u64 = 1;

/// Extensions that are valid in every version, because git supported them before it checked
/// the version.
const OLD: &[&[u8]] = &[b"noop", b"preciousobjects", b"partialclone", b"worktreeconfig"];

/// Extensions of version 1 that do not matter to a reader: how worktrees refer to each other,
/// and a second hash that no look-up uses.
const WITHOUT_EFFECT: &[&[u8]] =
    &[b"noop-v1", b"relativeworktrees", b"submodulepathconfig", b"compatobjectformat"];

/// The format of a repository.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct RepositoryFormat {
    /// The hash algorithm of the object ids.
    pub(crate) hash: HashKind,
    /// The storage format of refs.
    pub(crate) ref_storage: RefStorage,
    /// Whether replace refs are used: `core.useReplaceRefs`.
    pub(crate) replaces: bool,
    /// Whether commit-graphs are used: `core.commitGraph`.
    pub(crate) uses_graphs: bool,
    /// Whether ambiguous refnames should give a warning: `core.warnAmbiguousRefs`.
    pub(crate) warns_ambiguous: bool,
}

/// Returns the repository's own configuration; empty if it has none.
///
/// # Errors
///
/// Missing files and bytes: provide them and call again.
pub(crate) fn own_config(files: &Files, limits: &Limits) -> Result<Vec<u8>> {
    match files.find(b"config")? {
        Some(file) => text_of(files, file, limits),
        None => Ok(Vec::new()),
    }
}

impl RepositoryFormat {
    /// Reads `config`. If there is none, or it has no version, extensions are ignored.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; [`ErrorKind::Unsupported`] with the name of a version or an
    /// extension that git would refuse as well.
    pub(crate) fn read(files: &Files, limits: &Limits) -> Result<RepositoryFormat> {
        let text = own_config(files, limits)?;
        let (hash, ref_storage) = (HashKind::Sha1, RefStorage::Files);
        let mut format = RepositoryFormat {
            hash,
            ref_storage,
            replaces: true,
            uses_graphs: true,
            warns_ambiguous: true,
        };
        let core = config_section(&text, "core");
        let extensions = config_section(&text, "extensions");
        if let Some(version) = value_of(&core, "repositoryformatversion") {
            let version = std::str::from_utf8(version).ok().and_then(|text| text.parse().ok());
            format.check(version.unwrap_or(u64::MAX), &extensions)?;
        }
        let own = match boolean_of(&extensions, "worktreeconfig") {
            Some(true) => match files.find(b"config.worktree")? {
                Some(file) => config_section(&text_of(files, file, limits)?, "core"),
                None => Vec::new(),
            },
            _ => Vec::new(),
        };
        let is_on =
            |name| boolean_of(&own, name).or_else(|| boolean_of(&core, name)).unwrap_or(true);
        format.replaces = is_on("usereplacerefs");
        format.uses_graphs = is_on("commitgraph");
        format.warns_ambiguous = is_on("warnambiguousrefs");
        Ok(format)
    }

    fn check(&mut self, version: u64, extensions: &[Variable]) -> Result<()> {
        if version > NEWEST {
            let what = "the version of the repository format is not supported";
            let about = match version {
                u64::MAX => "core.repositoryFormatVersion".to_string(),
                _ => version.to_string(),
            };
            return Err(Error::new(ErrorKind::Unsupported, what).about(about));
        }
        let mut refused: Vec<&[u8]> = Vec::new();
        for (name, value) in extensions {
            if !OLD.contains(&name.as_slice()) {
                let known = self.extension(name, value.as_deref().unwrap_or_default())?;
                // Version 0 must not have the extensions of version 1, and version 1 no
                // unknown ones.
                if known == (version == 0) {
                    refused.push(name);
                }
            }
        }
        let what = match version {
            _ if refused.is_empty() => return Ok(()),
            0 => "a repository of version 0 cannot have these extensions",
            _ => "extensions of the repository format are not supported",
        };
        Err(Error::new(ErrorKind::Unsupported, what).about(refused.join(&b", "[..])))
    }

    /// Applies an extension of version 1; returns whether it is known.
    #[inline(never)]
    fn extension(&mut self, name: &[u8], value: &[u8]) -> Result<bool> {
        match name {
            b"objectformat" => {
                self.hash = match value {
                    b"sha1" => HashKind::Sha1,
                    b"sha256" => HashKind::Sha256,
                    other => {
                        let what = "the object format is not supported";
                        return Err(Error::new(ErrorKind::Unsupported, what).about(other));
                    }
                };
                Ok(true)
            }
            b"refstorage" => {
                self.ref_storage = match value {
                    b"files" => RefStorage::Files,
                    b"reftable" => RefStorage::Reftable,
                    other => {
                        let what = "the ref storage format is not supported";
                        return Err(Error::new(ErrorKind::Unsupported, what).about(other));
                    }
                };
                Ok(true)
            }
            _ => Ok(WITHOUT_EFFECT.contains(&name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<RepositoryFormat> {
        let mut files = Files::new(1 << 20);
        let file = files.found(b"config", text.len() as u64, 1);
        files.add(file, 0, text.as_bytes().to_vec()).unwrap();
        files.absent(b"config.worktree");
        RepositoryFormat::read(&files, &Limits::default())
    }

    fn refused(version: &str, extensions: &str) -> Option<String> {
        let text =
            format!("[core]\nrepositoryformatversion = {version}\n[extensions]\n{extensions}");
        let error = read(&text).err()?;
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        Some(String::from_utf8(error.subject().to_vec()).unwrap())
    }

    #[test]
    fn versions_and_extensions_count_as_in_git() {
        assert_eq!(
            refused("0", "noop\npreciousObjects=1\npartialClone=x\nworktreeConfig=true"),
            None
        );
        assert_eq!(refused("1", "noop-v1\nrelativeWorktrees=1\ncompatObjectFormat=sha256"), None);
        assert_eq!(refused("0", "strange = 1"), None);
        assert_eq!(refused("1", "Strange = 1\nodd=1").as_deref(), Some("strange, odd"));
        assert_eq!(refused("1", "[extensions \"a\"] noop").as_deref(), Some("a.noop"));
        assert_eq!(refused("0", "objectFormat = sha1").as_deref(), Some("objectformat"));
        assert_eq!(refused("0", "noop-v1").as_deref(), Some("noop-v1"));
        assert_eq!(refused("1", "objectFormat = sha512").as_deref(), Some("sha512"));
        assert_eq!(refused("2", "").as_deref(), Some("2"));
        assert_eq!(refused("x", "").as_deref(), Some("core.repositoryFormatVersion"));
    }

    #[test]
    fn without_a_version_extensions_do_not_count() {
        let format = read("[extensions]\nobjectFormat = sha256\nstrange = 1\n").unwrap();
        assert_eq!(format.hash, HashKind::Sha1);
        let text = "[core]\nrepositoryformatversion = 1\n[extensions]\nobjectFormat = sha256\n";
        assert_eq!(read(text).unwrap().hash, HashKind::Sha256);
    }

    #[test]
    fn replace_refs_may_be_turned_off() {
        assert!(read("").unwrap().replaces);
        assert!(!read("[core] useReplaceRefs = no").unwrap().replaces);
        assert!(read("[core]\nuseReplaceRefs = no\nuseReplaceRefs = ON").unwrap().replaces);
        assert!(read("[core]\nuseReplaceRefs = no\nuseReplaceRefs").unwrap().replaces);
    }

    #[test]
    fn warnings_of_ambiguous_refnames_may_be_turned_off() {
        assert!(read("").unwrap().warns_ambiguous);
        assert!(!read("[core] warnAmbiguousRefs = off").unwrap().warns_ambiguous);
        assert!(read("[core] warnAmbiguousRefs").unwrap().warns_ambiguous);
    }

    #[test]
    fn commit_graphs_may_be_turned_off() {
        assert!(read("").unwrap().uses_graphs);
        assert!(!read("[core] commitGraph = false").unwrap().uses_graphs);
        assert!(read("[core] commitGraph").unwrap().uses_graphs);
    }
}
