//! Checks multi-pack-indexes against pack indexes, as `git multi-pack-index verify` does:
//! <https://git-scm.com/docs/git-multi-pack-index>.

use super::finding::{exit, Finding};
use super::shared::{unless_damaged, Shared};
use packlens_base::block::FileId;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_format::checksum::Checksums;
use packlens_format::chunk_file::layers_in;
use packlens_format::multi_pack_index::MultiPackIndex;
use packlens_format::refs::text_of;
use packlens_query::odb::PackNumber;
use packlens_query::repository::Repository;

/// How many objects are checked in a step.
const STEP: u32 = 1 << 12;

/// The multi-pack-indexes of all object directories, one after the other.
#[derive(Default)]
pub(super) struct MidxFiles {
    directory: usize,
    check: Option<Check>,
}

impl MidxFiles {
    /// Takes a step; returns whether all are checked.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again.
    pub(super) fn step(
        &mut self,
        shared: &mut Shared,
        checksums: &mut Checksums,
        repository: &mut Repository,
    ) -> Result<bool> {
        let Some(directory) = repository.odb.directory(&repository.files, self.directory)? else {
            return Ok(true);
        };
        let check = match &mut self.check {
            Some(check) => check,
            None => {
                let (check, finding) = Check::open(shared, checksums, repository, &directory)?;
                finding.into_iter().for_each(|finding| shared.report(finding));
                self.check.insert(check)
            }
        };
        if check.step(shared, repository)? {
            (self.directory, self.check) = (self.directory.saturating_add(1), None);
        }
        Ok(false)
    }
}

struct Layer {
    file: FileId,
    midx: MultiPackIndex,
    /// The packs; `None` for a pack that does not exist.
    packs: Vec<Option<PackNumber>>,
    first_pack: u32,
    first_object: u32,
}

/// The check of a multi-pack-index, or of a chain.
struct Check {
    /// The layers, the lowest first.
    layers: Vec<Layer>,
    path: Vec<u8>,
    stage: MidxStage,
    at: u32,
}

enum MidxStage {
    Packs,
    /// The order of the top layer's ids, which git checks once for each layer of the chain.
    Order {
        times: usize,
    },
    Places,
    Offsets,
}

impl Check {
    fn open(
        shared: &Shared,
        checksums: &mut Checksums,
        repository: &Repository,
        directory: &[u8],
    ) -> Result<(Check, Option<Finding>)> {
        let folder = [directory, b"/pack/"].concat();
        let mut check =
            Check { layers: Vec::new(), path: Vec::new(), stage: MidxStage::Packs, at: 0 };
        let path = [&folder, &b"multi-pack-index"[..]].concat();
        let single = repository.files.find(&path)?;
        let mut good = true;
        if single.is_some() {
            good = check.push(shared, repository, &folder, path.clone())?;
        }
        if check.layers.is_empty() {
            let chain = [&folder, &b"multi-pack-index.d/multi-pack-index"[..]].concat();
            let names = match repository.files.find(&[&chain, &b"-chain"[..]].concat())? {
                Some(file) => text_of(&repository.files, file, &repository.limits())?,
                None => Vec::new(),
            };
            for name in layers_in(repository.hash(), &names) {
                let path = [&chain, format!("-{}.midx", name.to_hex()).as_bytes()].concat();
                if !check.push(shared, repository, &folder, path)? {
                    break;
                }
            }
        }
        let mut finding = None;
        if !good && check.layers.is_empty() {
            let what = "multi-pack-index file exists, but failed to parse";
            let id = "unusableMultiPackIndex";
            finding = Some(Finding::error(id, exit::MULTI_PACK_INDEX, what).at(&path));
        }
        if let Some(top) = check.layers.last() {
            if !checksums.check(&repository.files, top.file, repository.hash())? {
                finding = Some(check.wrong("incorrect checksum"));
            }
        }
        Ok((check, finding))
    }

    /// Adds a file on top; returns whether it can be read.
    fn push(
        &mut self,
        shared: &Shared,
        repository: &Repository,
        folder: &[u8],
        path: Vec<u8>,
    ) -> Result<bool> {
        let Some(file) = repository.files.find(&path)? else {
            return Ok(false);
        };
        let source = repository.files.source(file);
        let read = MultiPackIndex::decode(&source, repository.hash())
            .and_then(|midx| midx.pack_names(&source).map(|names| (midx, names)));
        let (midx, names) = match read {
            Err(error) if error.is_missing() => return Err(error),
            Err(_) => return Ok(false),
            Ok(read) => read,
        };
        let pack_called = |name: &Vec<u8>| {
            let stem = [folder, name.strip_suffix(b"idx").unwrap_or(name)].concat();
            let stem = stem.strip_suffix(b".").unwrap_or(&stem);
            let mut packs = shared.numbers.packs().iter().map(|(pack, _)| *pack);
            packs.find(|pack| repository.odb.stem_of(*pack) == stem)
        };
        let packs = names.iter().map(pack_called).collect();
        let below = self.layers.last();
        let first_pack =
            below.map_or(0, |below| below.first_pack.saturating_add(below.packs.len() as u32));
        let first_object =
            below.map_or(0, |below| below.first_object.saturating_add(below.midx.count()));
        self.layers.push(Layer { file, midx, packs, first_pack, first_object });
        self.path = path;
        Ok(true)
    }

    fn wrong(&self, message: &str) -> Finding {
        Finding::error("badMultiPackIndex", exit::MULTI_PACK_INDEX, message).at(&self.path)
    }

    /// Returns a finding after which git stops.
    fn broken(&self, message: &str) -> Finding {
        Finding::error("brokenMultiPackIndex", exit::MULTI_PACK_INDEX, message).at(&self.path)
    }

    /// Takes a step; returns whether the check is complete.
    fn step(&mut self, shared: &mut Shared, repository: &Repository) -> Result<bool> {
        let Some(top) = self.layers.last() else {
            return Ok(true);
        };
        let objects = top.first_object.saturating_add(top.midx.count());
        let next = match self.stage {
            MidxStage::Packs => {
                let packs = self.layers.iter().flat_map(|layer| &layer.packs);
                for (at, _) in packs.enumerate().filter(|(_, pack)| pack.is_none()) {
                    shared.report(self.wrong(&format!("failed to load pack in position {at}")));
                }
                if top.midx.count() == 0 {
                    shared.report(self.wrong("the midx contains no oid"));
                    return Ok(true);
                }
                Some(MidxStage::Order { times: self.layers.len() })
            }
            MidxStage::Order { times: 0 } => Some(MidxStage::Places),
            MidxStage::Order { times } => {
                let end = top.midx.count().saturating_sub(1);
                self.each(end, |check, at| check.compare_order(shared, repository, at))?
                    .then(|| MidxStage::Order { times: times.saturating_sub(1) })
            }
            MidxStage::Places => {
                let mut broken = false;
                let all = self.each(objects, |check, at| {
                    broken = broken || check.is_broken(shared, repository, at)?;
                    Ok(())
                })?;
                if broken {
                    return Ok(true);
                }
                all.then_some(MidxStage::Offsets)
            }
            MidxStage::Offsets => {
                return self
                    .each(objects, |check, at| check.compare_offset(shared, repository, at));
            }
        };
        if let Some(next) = next {
            (self.stage, self.at) = (next, 0);
        }
        Ok(false)
    }

    /// Calls `look` for the next objects; returns whether those were the last.
    fn each(
        &mut self,
        count: u32,
        mut look: impl FnMut(&Check, u32) -> Result<()>,
    ) -> Result<bool> {
        let end = count.min(self.at.saturating_add(STEP));
        while self.at < end {
            look(self, self.at)?;
            self.at = self.at.saturating_add(1);
        }
        Ok(self.at >= count)
    }

    fn layer_of(&self, position: u32) -> Option<(&Layer, u32)> {
        let layer = self.layers.iter().rev().find(|layer| layer.first_object <= position)?;
        Some((layer, position.checked_sub(layer.first_object)?))
    }

    fn compare_order(&self, shared: &mut Shared, repository: &Repository, at: u32) -> Result<()> {
        let Some(top) = self.layers.last() else {
            return Ok(());
        };
        let source = repository.files.source(top.file);
        let next = at.saturating_add(1);
        let (one, other) = (top.midx.id_at(&source, at)?, top.midx.id_at(&source, next)?);
        if one >= other {
            let (one, other) = (one.to_hex(), other.to_hex());
            let what = "oid lookup out of order";
            let what = format!("{what}: oid[{at}] = {one} >= {other} = oid[{next}]");
            shared.report(self.wrong(&what));
        }
        Ok(())
    }

    /// Returns whether git stops at an object, because its pack or its offset is out of range.
    fn is_broken(&self, shared: &mut Shared, repository: &Repository, at: u32) -> Result<bool> {
        let Some((layer, own)) = self.layer_of(at) else {
            return Ok(false);
        };
        let place = layer.midx.place_at(&repository.files.source(layer.file), own);
        let packs = layer.packs.len() as u32;
        let what = match unless_damaged(place)? {
            Some((pack, _)) if pack < packs => return Ok(false),
            Some((pack, _)) => {
                let pack = layer.first_pack.saturating_add(pack);
                let total = layer.first_pack.saturating_add(packs);
                format!("bad pack-int-id: {pack} ({total} total packs)")
            }
            None => "multi-pack-index large offset out of bounds".to_owned(),
        };
        shared.report(self.broken(&what));
        Ok(true)
    }

    fn compare_offset(&self, shared: &mut Shared, repository: &Repository, at: u32) -> Result<()> {
        let Some((layer, own)) = self.layer_of(at) else {
            return Ok(());
        };
        let id = layer.midx.id_at(&repository.files.source(layer.file), own)?;
        let hex = id.to_hex();
        let Some((pack, found)) = self.find(repository, &id)? else {
            let what = format!("failed to load pack entry for oid[{at}] = {hex}");
            shared.report(self.wrong(&what).of(&id, None));
            return Ok(());
        };
        let (files, odb) = (&repository.files, &repository.odb);
        let position = unless_damaged(odb.position_in(files, pack, &id))?.flatten();
        let entry = match position {
            Some(position) => unless_damaged(odb.entry_in(files, pack, position))?,
            None => None,
        };
        let offset = entry.map_or(0, |(_, offset)| offset);
        if found != offset {
            let what = "incorrect object offset for";
            let what = format!("{what} oid[{at}] = {hex}: {found:x} != {offset:x}");
            shared.report(self.wrong(&what).of(&id, None));
        }
        Ok(())
    }

    /// Looks an object up by bisection as git does, even if ids are not sorted.
    fn find(&self, repository: &Repository, id: &ObjectId) -> Result<Option<(PackNumber, u64)>> {
        for layer in self.layers.iter().rev() {
            let source = repository.files.source(layer.file);
            if let Some(position) = layer.midx.find_by_halves(&source, id)? {
                let (pack, offset) = layer.midx.place_at(&source, position)?;
                let pack = layer.packs.get(pack as usize).copied().flatten();
                return Ok(pack.map(|pack| (pack, offset)));
            }
        }
        Ok(None)
    }
}
