//! Parents that replace the ones in commits, from the files `shallow` and `info/grafts`:
//! <https://git-scm.com/docs/gitrepository-layout>.

use packlens_base::block::{FileId, Files};
use packlens_base::error::{Error, Result};
use packlens_base::limits::Limits;
use packlens_base::oid::{split_hex, HashKind, ObjectId};
use packlens_base::sort;
use packlens_format::refs::text_of;

/// The file of the commits at which a shallow history ends.
pub(crate) const SHALLOW: &[u8] = b"shallow";

/// The file with other parents for commits.
pub(crate) const GRAFTS: &[u8] = b"info/grafts";

/// The parents that replace those in commits.
#[derive(Debug, Default)]
pub struct Grafts {
    /// Sorted by the commit.
    parents: Vec<(ObjectId, Vec<ObjectId>)>,
    /// The files that were read.
    read: Option<[Option<FileId>; 2]>,
}

impl Grafts {
    /// Looks up both files, and reads them again if they have changed. An empty path stands
    /// for no file.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; [`Corrupt`](packlens_base::ErrorKind::Corrupt) for a line of `shallow`
    /// without an id. A malformed line of grafts is skipped, as in git.
    pub(crate) fn look(
        &mut self,
        files: &Files,
        hash: HashKind,
        limits: &Limits,
        (shallow, grafts): (&[u8], &[u8]),
    ) -> Result<()> {
        let find = |path: &[u8]| match path {
            [] => Ok(None),
            path => files.find_fresh(path),
        };
        let found = [find(grafts)?, find(shallow)?];
        if self.read == Some(found) {
            return Ok(());
        }
        let mut parents = Vec::new();
        let [grafts, shallow] = found;
        if let Some(file) = shallow {
            let text = text_of(files, file, limits)?;
            let mut offset = 0u64;
            for line in text.split_inclusive(|byte| *byte == b'\n') {
                let Ok((id, _)) = split_hex(hash, line) else {
                    return Err(Error::corrupt(
                        "a line of `shallow` is no object id",
                        file,
                        offset,
                    ));
                };
                parents.push((id, Vec::new()));
                offset = offset.saturating_add(line.len() as u64);
            }
        }
        if let Some(file) = grafts {
            let text = text_of(files, file, limits)?;
            parents
                .extend(text.split(|byte| *byte == b'\n').filter_map(|line| graft_in(hash, line)));
        }
        // `shallow` counts before grafts, and the first line for a commit, as in git.
        sort::by_id(&mut parents, |(id, _)| id);
        parents.dedup_by_key(|(id, _)| *id);
        *self = Grafts { parents, read: Some(found) };
        Ok(())
    }

    /// Returns whether no commit has its parents replaced.
    pub(crate) fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// Returns the parents that replace a commit's own, if any.
    pub(crate) fn parents(&self, id: &ObjectId) -> Option<&[ObjectId]> {
        let at = self.parents.binary_search_by(|(commit, _)| commit.cmp(id)).ok()?;
        self.parents.get(at).map(|(_, parents)| parents.as_slice())
    }
}

/// Returns the commit and the parents in a line of grafts; `None` for a comment, an empty line
/// or a malformed one.
fn graft_in(hash: HashKind, line: &[u8]) -> Option<(ObjectId, Vec<ObjectId>)> {
    if line.starts_with(b"#") {
        return None;
    }
    let (id, mut rest) = split_hex(hash, line.trim_ascii_end()).ok()?;
    let mut parents = Vec::new();
    while let Some((space, after)) = rest.split_first() {
        let (parent, after) =
            split_hex(hash, after).ok().filter(|_| space.is_ascii_whitespace())?;
        parents.push(parent);
        rest = after;
    }
    Some((id, parents))
}

#[cfg(test)]
mod tests {
    use super::*;
    use packlens_base::error::ErrorKind;

    fn look(shallow: Option<&str>, grafts: Option<&str>) -> Result<Grafts> {
        let mut files = Files::new(1 << 20);
        for (path, text) in [(SHALLOW, shallow), (GRAFTS, grafts)] {
            match text {
                Some(text) => {
                    let file = files.found(path, text.len() as u64, 1);
                    files.add(file, 0, text.as_bytes().to_vec()).unwrap();
                }
                None => files.absent(path),
            }
        }
        let mut read = Grafts::default();
        let limits = Limits::default();
        read.look(&files, HashKind::Sha1, &limits, (SHALLOW, GRAFTS)).map(|()| read)
    }

    fn hex(digit: &str) -> String {
        digit.repeat(40)
    }

    fn id(digit: &str) -> ObjectId {
        ObjectId::from_hex(HashKind::Sha1, hex(digit).as_bytes()).unwrap()
    }

    #[test]
    fn lines_are_read_as_git_reads_them() {
        let (a, b, c, d) = (hex("a"), hex("b"), hex("c"), hex("d"));
        let text = format!("# {a}\n\n{a} {b}\t{c} \r\n{a}\n{b}  {c}\n{c} {d}x\n{d}");
        let read = look(None, Some(&text)).unwrap();
        assert_eq!(read.parents(&id("a")), Some(&[id("b"), id("c")][..]));
        assert_eq!(read.parents(&id("d")), Some(&[][..]));
        assert_eq!([read.parents(&id("b")), read.parents(&id("c"))], [None, None]);
    }

    #[test]
    fn grafts_do_not_apply_at_a_shallow_boundary() {
        let text = format!("{} more\n{}", hex("a"), hex("b"));
        let read = look(Some(&text), Some(&format!("{} {}\n", hex("a"), hex("c")))).unwrap();
        assert_eq!(read.parents(&id("a")), Some(&[][..]));
        assert_eq!(read.parents(&id("b")), Some(&[][..]));
        let error = look(Some("aa\n"), None).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corrupt);
        assert!(look(None, None).unwrap().is_empty());
    }
}
