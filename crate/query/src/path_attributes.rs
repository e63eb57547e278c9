//! The attributes of paths, as the files `.gitattributes` of a tree and `info/attributes` say.

use crate::configured_path::{configured_path, ignores_case};
use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_diff::{is_binary, Driver};
use packlens_format::attributes::{
    attributes, Assignment, AttributeState, Attributes, AttributesOrigin, PlacedAttributes,
};
use packlens_format::object::{Mode, ObjectType, Tree};
use packlens_format::refs::text_of;

/// The attributes of a path.
pub(crate) struct PathAttributes(Vec<Assignment>);

impl PathAttributes {
    pub(crate) fn new(
        files: &[PlacedAttributes<'_>],
        path: &[u8],
        is_directory: bool,
    ) -> PathAttributes {
        PathAttributes(attributes(files, path, is_directory))
    }

    /// Returns what is said of an attribute; `None` if nothing is.
    pub(crate) fn of(&self, name: impl AsRef<[u8]>) -> Option<&AttributeState> {
        let found = self.all().find(|(other, _)| *other == name.as_ref());
        found.map(|(_, state)| state)
    }

    /// Returns the attributes that something is said of, in no particular order.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&[u8], &AttributeState)> {
        let all = self.0.iter().map(|(name, state)| (name.as_slice(), state));
        all.filter(|(_, state)| **state != AttributeState::Unspecified)
    }
}

/// What the attribute `diff` says of a file.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DiffAttribute {
    /// Whether the content is binary; `None` if the content decides.
    pub(crate) is_binary: Option<bool>,
    /// How the headings of hunks are found.
    pub(crate) driver: Option<Driver>,
}

impl DiffAttribute {
    /// Returns whether a content of this file is binary.
    pub(crate) fn is_binary(self, content: &[u8]) -> bool {
        self.is_binary.unwrap_or_else(|| is_binary(content))
    }
}

/// The attributes of any paths by one tree. Paths that follow in order share directories, which
/// are read once.
pub(crate) struct TreeAttributes {
    /// The revision of the tree; empty if only `info/attributes` counts.
    spec: Vec<u8>,
    info: Option<Attributes>,
    levels: Vec<Level>,
    /// Whether patterns match both cases of letters; known once `info` is.
    fold_case: bool,
}

/// A directory above the last path.
struct Level {
    /// The path with a slash at its end; empty for the root.
    prefix: Vec<u8>,
    /// The content of the tree; empty if the tree has no such directory.
    content: Vec<u8>,
    attributes: Attributes,
}

impl TreeAttributes {
    pub(crate) fn new(spec: Vec<u8>) -> TreeAttributes {
        TreeAttributes { spec, info: None, levels: Vec::new(), fold_case: false }
    }

    /// Returns what the attribute `diff` says of a file; nothing of what is not a regular file.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of resolving and reading.
    pub(crate) fn diff(
        &mut self,
        path: &[u8],
        entry: Option<(Mode, ObjectId)>,
        repository: &mut Repository,
    ) -> Result<DiffAttribute> {
        let mut found = DiffAttribute::default();
        if !entry.is_some_and(|(mode, _)| mode.is_file()) {
            return Ok(found);
        }
        match self.of((path, false), repository)?.of("diff") {
            Some(AttributeState::Set) => found.is_binary = Some(false),
            Some(AttributeState::Unset) => found.is_binary = Some(true),
            Some(AttributeState::Value(name)) => found.driver = Driver::named(name),
            _ => {}
        }
        Ok(found)
    }

    /// Returns the attributes of a path.
    ///
    /// # Errors
    ///
    /// As [`TreeAttributes::diff`].
    pub(crate) fn of(
        &mut self,
        (path, is_directory): (&[u8], bool),
        repository: &mut Repository,
    ) -> Result<PathAttributes> {
        if self.info.is_none() {
            self.fold_case = ignores_case(repository)?;
            self.info = Some(info_attributes(repository, self.fold_case)?);
        }
        if self.levels.is_empty() && !self.spec.is_empty() {
            let id = repository.resolve(&self.spec)?;
            let root = repository.peel(&id, Some(ObjectType::Tree))?;
            self.levels.push(Level::read(Vec::new(), Some(root), self.fold_case, repository)?);
        }
        while self.levels.last().is_some_and(|level| !path.starts_with(&level.prefix)) {
            self.levels.pop();
        }
        while let Some(above) = self.levels.last() {
            let rest = path.get(above.prefix.len()..).unwrap_or_default();
            let Some(slash) = rest.iter().position(|byte| *byte == b'/') else {
                break;
            };
            let (name, _) = rest.split_at(slash);
            let found = Tree::new(repository.hash(), &above.content).find_entry(name)?;
            let tree = found.filter(|entry| entry.mode.is_tree()).map(|entry| entry.oid);
            let prefix = [&above.prefix, name, b"/"].concat();
            let level = Level::read(prefix, tree, self.fold_case, repository)?;
            self.levels.push(level);
        }
        let own = self.levels.iter().filter(|level| !level.attributes.is_empty());
        let own =
            own.map(|level| PlacedAttributes { base: &level.prefix, file: &level.attributes });
        let info = self.info.iter().map(|file| PlacedAttributes { base: b"", file });
        let files: Vec<_> = own.chain(info).collect();
        Ok(PathAttributes::new(&files, path, is_directory))
    }

    /// Returns the files that were read for the last path, in the order in which git reads them.
    pub(crate) fn read(&self) -> impl Iterator<Item = &Attributes> {
        let all = self.levels.iter().map(|level| &level.attributes);
        all.clone().take(1).chain(&self.info).chain(all.skip(1))
    }

    /// Returns how many bytes of memory this takes.
    pub(crate) fn memory(&self) -> u64 {
        let levels = self.levels.iter().map(|level| {
            let texts = level.prefix.capacity().saturating_add(level.content.capacity()) as u64;
            texts.saturating_add(level.attributes.memory())
        });
        levels.fold(self.info.as_ref().map_or(0, Attributes::memory), u64::saturating_add)
    }
}

impl Level {
    fn read(
        prefix: Vec<u8>,
        tree: Option<ObjectId>,
        fold_case: bool,
        repository: &mut Repository,
    ) -> Result<Level> {
        let content = match tree {
            Some(id) => repository.read_of_type(&id, ObjectType::Tree)?,
            None => Vec::new(),
        };
        let attributes = attributes_in(&content, prefix.is_empty(), fold_case, repository)?;
        Ok(Level { prefix, content, attributes })
    }
}

/// Reads the `.gitattributes` of a tree.
pub(crate) fn attributes_in(
    tree: &[u8],
    is_root: bool,
    fold_case: bool,
    repository: &mut Repository,
) -> Result<Attributes> {
    let found = Tree::new(repository.hash(), tree).find_entry(b".gitattributes")?;
    let Some(entry) = found.filter(|entry| entry.mode.is_file()) else {
        return Ok(Attributes::default());
    };
    let origin = if is_root { AttributesOrigin::Top } else { AttributesOrigin::Subtree };
    let text = repository.read_of_type(&entry.oid, ObjectType::Blob)?;
    Ok(Attributes::parse_with_case(&text, origin, fold_case))
}

/// Reads `info/attributes`.
pub(crate) fn info_attributes(repository: &Repository, fold_case: bool) -> Result<Attributes> {
    file_at(repository, b"info/attributes", fold_case)
}

/// Reads the file that `core.attributesFile` of the repository's own config names.
pub(crate) fn user_attributes(repository: &Repository, fold_case: bool) -> Result<Attributes> {
    match configured_path(repository, "attributesfile")? {
        Some(path) => file_at(repository, &path, fold_case),
        None => Ok(Attributes::default()),
    }
}

fn file_at(repository: &Repository, path: &[u8], fold_case: bool) -> Result<Attributes> {
    Ok(match repository.files.find(path)? {
        None => Attributes::default(),
        Some(file) => {
            let text = text_of(&repository.files, file, &repository.limits())?;
            Attributes::parse_with_case(&text, AttributesOrigin::Info, fold_case)
        }
    })
}
