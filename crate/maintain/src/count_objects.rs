//! Counts what a repository stores, and files that are useless there: git's `count-objects
//! -v`.

use packlens_base::appender::{Append, Appender, Output};
use packlens_base::block::BlockSource;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{HashKind, ObjectId};
use packlens_base::sort;
use packlens_base::words;
use packlens_format::index::PackIndex;
use packlens_query::repository::Repository;
use std::collections::BTreeSet;

/// The files that a pack may have beside its index: the word, the suffix, and the bit of each.
pub const PACK_FILES: [(&str, &str, u8); 5] = [
    ("keep", "keep", 1),
    ("promisor", "promisor", 2),
    ("cruft", "mtimes", 4),
    ("rev", "rev", 8),
    ("bitmap", "bitmap", 16),
];

words! {
    /// Why a file is garbage.
    #[derive(Clone, Copy)]
    pub enum Garbage {
        /// The name is not that of any known file.
        Unknown = "garbage",
        /// A pack without its index.
        NoIndex = "no-idx",
        /// An index without its pack.
        NoPack = "no-pack",
        /// A file of a pack that has neither.
        Neither = "no-idx-or-pack",
    }
}

/// The directory that is examined next.
#[derive(Clone, Copy)]
enum CountStage {
    Packs,
    Loose(u8),
    Alternates(usize),
    Done,
}

/// Counts the content of the repository's own object directory.
pub struct CountObjects {
    stage: CountStage,
    loose: u64,
    loose_size: u64,
    prune_packable: u64,
    packs: Vec<Pack>,
    garbage: Vec<(Garbage, u64, Vec<u8>)>,
    alternates: Vec<Vec<u8>>,
    /// The memory that names take, in bytes.
    named: u64,
    /// The pack directory, while it is examined.
    folder: Option<Folder>,
}

/// The names in the pack directory, as far as they were not examined.
struct Folder {
    path: Vec<u8>,
    names: BTreeSet<Vec<u8>>,
    /// The names of the packs without a suffix; the next one is last.
    packs: Vec<Vec<u8>>,
    /// The files that are garbage; the next one is last.
    garbage: Vec<(Garbage, Vec<u8>)>,
}

struct Pack {
    name: Vec<u8>,
    objects: u32,
    size: u64,
    index_size: u64,
    beside: u8,
}

impl Default for CountObjects {
    fn default() -> CountObjects {
        CountObjects {
            stage: CountStage::Packs,
            loose: 0,
            loose_size: 0,
            prune_packable: 0,
            packs: Vec::new(),
            garbage: Vec::new(),
            alternates: Vec::new(),
            named: 0,
            folder: None,
        }
    }
}

impl CountObjects {
    /// Returns how many bytes of memory the counts take.
    pub fn memory(&self) -> u64 {
        self.named
    }

    /// Examines the next directory; returns whether all are counted, and then appends the
    /// result to `out`. Numbers have their low bytes first, and texts come after their length
    /// in 4 bytes. The fields:
    ///
    /// - the number of loose objects, their bytes, and how many of them are packed as well (8
    ///   each);
    /// - the number of packs (4); for each: the number of objects (4), the sizes of pack and
    ///   index (8 each), the bits of its further files (1: [`PACK_FILES`]), and its
    ///   name;
    /// - the number of garbage files (4); for each: the reason (1: [`Garbage`]), its size (8), and its path below the directory;
    /// - the number of alternates (4), and their paths.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again; [`ErrorKind::Limit`] if the names
    /// take too much memory.
    pub fn fill(&mut self, repository: &mut Repository, out: &mut Output) -> Result<bool> {
        match self.stage {
            CountStage::Packs => {
                self.look_at_packs(repository)?;
                self.stage = CountStage::Loose(0);
            }
            CountStage::Loose(byte) => {
                self.look_at_loose(repository, byte)?;
                self.stage =
                    byte.checked_add(1).map_or(CountStage::Alternates(1), CountStage::Loose);
            }
            CountStage::Alternates(at) => match repository.odb.directory(&repository.files, at)? {
                Some(path) => {
                    self.take_name(&path, repository)?;
                    self.alternates.push(path);
                    self.stage = CountStage::Alternates(at.saturating_add(1));
                }
                None => self.stage = CountStage::Done,
            },
            CountStage::Done => {
                self.write(&mut out.appender())?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn look_at_packs(&mut self, repository: &mut Repository) -> Result<()> {
        let mut folder = match self.folder.take() {
            Some(folder) => folder,
            None => Folder::list(repository)?,
        };
        let result = self.examine_packs(&mut folder, repository);
        if result.as_ref().is_err_and(Error::is_missing) {
            self.folder = Some(folder);
        }
        result
    }

    fn examine_packs(&mut self, folder: &mut Folder, repository: &mut Repository) -> Result<()> {
        while let Some(stem) = folder.packs.last() {
            repository.files.step()?;
            if let Some(pack) = folder.pack(repository, stem)? {
                self.take_name(&pack.name, repository)?;
                self.packs.push(pack);
            }
            folder.packs.pop();
        }
        while let Some((why, name)) = folder.garbage.last() {
            repository.files.step()?;
            let size = size_of_file(repository, &[&folder.path, &b"/"[..], name].concat())?;
            let path = [&b"pack/"[..], name].concat();
            self.take_name(&path, repository)?;
            self.garbage.push((*why, size, path));
            folder.garbage.pop();
        }
        Ok(())
    }

    fn look_at_loose(&mut self, repository: &mut Repository, byte: u8) -> Result<()> {
        let fanout = format!("{byte:02x}");
        let folder = folder_of(repository, fanout.as_bytes())?;
        let mut names = repository.files.list(&folder)?.to_vec();
        sort::names(&mut names);
        let (mut count, mut size, mut packed, mut garbage) = (0u64, 0u64, 0u64, Vec::new());
        for name in &names {
            let path = [&folder, &b"/"[..], name].concat();
            let bytes = size_of_file(repository, &path)?;
            match id_of(repository.hash(), &fanout, name) {
                Some(id) => {
                    count = count.saturating_add(1);
                    size = size.saturating_add(bytes);
                    let is_packed = repository.odb.is_packed(&repository.files, &id)?;
                    packed = packed.saturating_add(u64::from(is_packed));
                }
                None => {
                    let path = [fanout.as_bytes(), b"/", name].concat();
                    garbage.push((Garbage::Unknown, bytes, path));
                }
            }
        }
        for name in &names {
            repository.files.forget(&[&folder, &b"/"[..], name].concat());
        }
        for file in garbage {
            self.take_name(&file.2, repository)?;
            self.garbage.push(file);
        }
        self.loose = self.loose.saturating_add(count);
        self.loose_size = self.loose_size.saturating_add(size);
        self.prune_packable = self.prune_packable.saturating_add(packed);
        Ok(())
    }

    /// Counts the memory of a name that is kept for the result.
    fn take_name(&mut self, name: &[u8], repository: &Repository) -> Result<()> {
        let each = size_of::<Pack>().saturating_add(name.len()) as u64;
        self.named = self.named.saturating_add(each);
        if self.named > repository.memory() / 8 {
            let what = "the names of files take more memory than allowed: raise `memory`";
            return Err(Error::new(ErrorKind::Limit, what));
        }
        Ok(())
    }

    fn write(&self, out: &mut Appender<'_>) -> Result<()> {
        let text = |out: &mut Appender<'_>, name: &[u8]| {
            let name = name.strip_suffix(b"/").unwrap_or(name);
            out.u32(name.len() as u32)?;
            out.bytes(name)
        };
        out.u64(self.loose)?;
        out.u64(self.loose_size)?;
        out.u64(self.prune_packable)?;
        out.u32(self.packs.len() as u32)?;
        for pack in &self.packs {
            out.u32(pack.objects)?;
            out.u64(pack.size)?;
            out.u64(pack.index_size)?;
            out.u8(pack.beside)?;
            text(out, &pack.name)?;
        }
        out.u32(self.garbage.len() as u32)?;
        for (why, size, path) in &self.garbage {
            out.u8(why.number())?;
            out.u64(*size)?;
            text(out, path)?;
        }
        out.u32(self.alternates.len() as u32)?;
        self.alternates.iter().try_for_each(|path| text(out, path))
    }
}

impl Folder {
    fn list(repository: &mut Repository) -> Result<Folder> {
        let path = folder_of(repository, b"pack")?;
        let mut names = BTreeSet::new();
        names.extend(repository.files.list(&path)?.iter().cloned());
        let mut packs = Vec::new();
        let mut garbage = Vec::new();
        for name in &names {
            let plain = name.strip_suffix(b"/").unwrap_or(name);
            if plain.starts_with(b"multi-pack-index") {
                continue;
            }
            let Some((stem, ending)) = split_ending(plain) else {
                garbage.push((Garbage::Unknown, name.clone()));
                continue;
            };
            let has = |ending: &[u8]| {
                let path = [stem, b".", ending].concat();
                names.contains(&path) || names.contains(&[&path, &b"/"[..]].concat())
            };
            match (has(b"pack"), has(b"idx")) {
                (true, true) if ending == b"idx" => packs.push(stem.to_vec()),
                (true, true) => {}
                (true, false) => garbage.push((Garbage::NoIndex, name.clone())),
                (false, true) => garbage.push((Garbage::NoPack, name.clone())),
                (false, false) => garbage.push((Garbage::Neither, name.clone())),
            }
        }
        // Unknown files are reported first, as in git.
        let (unknown, known): (Vec<_>, Vec<_>) =
            garbage.into_iter().partition(|(why, _)| matches!(why, Garbage::Unknown));
        packs.reverse();
        let garbage = unknown.into_iter().chain(known).rev().collect();
        Ok(Folder { path, names, packs, garbage })
    }

    /// Returns the counts of a pack; `None` if one of its files is gone, or its index is
    /// damaged.
    fn pack(&self, repository: &Repository, stem: &[u8]) -> Result<Option<Pack>> {
        let path = |ending: &[u8]| [&self.path, &b"/"[..], stem, b".", ending].concat();
        let files = &repository.files;
        let (Some(index), Some(pack)) = (files.find(&path(b"idx"))?, files.find(&path(b"pack"))?)
        else {
            return Ok(None);
        };
        let (index, pack) = (files.source(index), files.source(pack));
        let layout = match PackIndex::decode(&index, repository.hash()) {
            Err(error) if error.is_missing() => return Err(error),
            // A pack with a damaged index is not counted, as in git.
            Err(_) => return Ok(None),
            Ok(layout) => layout,
        };
        let has = |suffix: &str| self.names.contains(&[stem, b".", suffix.as_bytes()].concat());
        let beside = PACK_FILES.iter().filter(|(_, suffix, _)| has(suffix));
        Ok(Some(Pack {
            name: stem.to_vec(),
            objects: layout.count(),
            size: pack.size(),
            index_size: index.size(),
            beside: beside.fold(0, |bits, (_, _, bit)| bits | bit),
        }))
    }
}

/// Returns the path of a subdirectory of the repository's own object directory.
fn folder_of(repository: &mut Repository, name: &[u8]) -> Result<Vec<u8>> {
    let own = repository.odb.directory(&repository.files, 0)?.unwrap_or_default();
    Ok([&own, &b"/"[..], name].concat())
}

/// Splits the known suffix off the name of a pack's file.
fn split_ending(name: &[u8]) -> Option<(&[u8], &[u8])> {
    let dot = name.iter().rposition(|byte| *byte == b'.')?;
    let (stem, ending) = name.split_at_checked(dot)?;
    let ending = ending.get(1..)?;
    let is_known = matches!(ending, b"pack" | b"idx");
    (is_known || PACK_FILES.iter().any(|(_, suffix, _)| suffix.as_bytes() == ending))
        .then_some((stem, ending))
}

/// Returns the size of a file; 0 for a directory.
fn size_of_file(repository: &Repository, path: &[u8]) -> Result<u64> {
    if path.ends_with(b"/") {
        return Ok(0);
    }
    let file = repository.files.find(path)?;
    Ok(file.map_or(0, |file| repository.files.source(file).size()))
}

fn id_of(hash: HashKind, fanout: &str, name: &[u8]) -> Option<ObjectId> {
    ObjectId::from_hex(hash, &[fanout.as_bytes(), name].concat())
}
