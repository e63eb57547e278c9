//! Bundles: refs and a pack in one file: <https://git-scm.com/docs/gitformat-bundle>.

use packlens_base::appender::{Append, Appender};
use packlens_base::block::BlockSource;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::limits::Limits;
use packlens_base::oid::{split_hex, HashKind, ObjectId};

const SIGNATURES: [(&[u8], u32); 2] = [(b"# v2 git bundle\n", 2), (b"# v3 git bundle\n", 3)];

/// The header of a bundle, which precedes the pack.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BundleHeader {
    /// The version, 2 or 3.
    pub version: u32,
    /// The hash algorithm of the ids.
    pub hash: HashKind,
    /// The `filter` capability: which objects the pack omits.
    pub filter: Option<Vec<u8>>,
    /// The commits that the bundle builds on, each with its comment.
    pub prerequisites: Vec<(ObjectId, Vec<u8>)>,
    /// The refs, in the order of the file.
    pub refs: Vec<(ObjectId, Vec<u8>)>,
    /// The offset of the pack.
    pub pack_offset: u64,
}

impl BundleHeader {
    /// Reads the header of a bundle.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](ErrorKind::Corrupt) if the file is not a bundle, or one of
    /// its lines is malformed; [`Unsupported`](ErrorKind::Unsupported) for an unknown version,
    /// capability or hash; [`Limit`](ErrorKind::Limit) if the header is too long.
    pub fn decode(source: &impl BlockSource, limits: &Limits) -> Result<BundleHeader> {
        let text = read_head(source, limits)?;
        let known = SIGNATURES.iter().find(|(signature, _)| text.starts_with(signature));
        let Some((signature, version)) = known else {
            let is_bundle = text.starts_with(b"# v");
            return Err(match is_bundle && text.get(4..16) == Some(b" git bundle\n") {
                true => {
                    Error::new(ErrorKind::Unsupported, "the version of the bundle is not supported")
                        .about(text.get(3..4).unwrap_or_default())
                }
                false => source.corrupt("does not look like a v2 or v3 bundle file", 0),
            });
        };
        let mut header = BundleHeader {
            version: *version,
            hash: HashKind::Sha1,
            filter: None,
            prerequisites: Vec::new(),
            refs: Vec::new(),
            pack_offset: text.len() as u64,
        };
        let mut offset = signature.len() as u64;
        let lines = text.get(signature.len()..).unwrap_or_default();
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            if line == b"\n" {
                break;
            }
            let taken = header.take(line.trim_ascii_end())?;
            if !taken {
                let what = "a line of the bundle header is malformed";
                return Err(source.corrupt(what, offset).about(line.trim_ascii_end()));
            }
            offset = offset.saturating_add(line.len() as u64);
        }
        Ok(header)
    }

    /// Adds a line; returns whether it is well formed.
    fn take(&mut self, line: &[u8]) -> Result<bool> {
        if let (3, Some(capability)) = (self.version, line.strip_prefix(b"@")) {
            self.take_capability(capability)?;
            return Ok(true);
        }
        let (is_prerequisite, line) = match line.strip_prefix(b"-") {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let Ok((id, rest)) = split_hex(self.hash, line) else {
            return Ok(false);
        };
        let space = rest.first();
        if space.is_some_and(|byte| !byte.is_ascii_whitespace()) {
            return Ok(false);
        }
        let name = rest.get(1..).unwrap_or_default().to_vec();
        match (is_prerequisite, space) {
            (true, _) => self.prerequisites.push((id, name)),
            (false, Some(_)) => self.refs.push((id, name)),
            (false, None) => return Ok(false),
        }
        Ok(true)
    }

    fn take_capability(&mut self, capability: &[u8]) -> Result<()> {
        if let Some(filter) = capability.strip_prefix(b"filter=") {
            self.filter = Some(filter.to_vec());
            return Ok(());
        }
        let what = match capability.strip_prefix(b"object-format=") {
            Some(b"sha1") => {
                self.hash = HashKind::Sha1;
                return Ok(());
            }
            Some(b"sha256") => {
                self.hash = HashKind::Sha256;
                return Ok(());
            }
            Some(_) => "the hash of the bundle is not supported",
            None => "a capability of the bundle is not supported",
        };
        Err(Error::new(ErrorKind::Unsupported, what).about(capability))
    }

    /// Writes the header for JavaScript: the version and the counts of filters, prerequisites
    /// and refs (4 bytes each), the offset of the pack (8), the hash as git names it; the filter,
    /// if there is one; then the id and the text of each prerequisite and ref. Names, ids and
    /// texts come after their length in 4 bytes.
    ///
    /// # Errors
    ///
    /// [`Limit`](ErrorKind::Limit) if there is no memory for it.
    pub fn write(&self, out: &mut Appender<'_>) -> Result<()> {
        out.u32(self.version)?;
        out.u32(u32::from(self.filter.is_some()))?;
        out.u32(self.prerequisites.len() as u32)?;
        out.u32(self.refs.len() as u32)?;
        out.u64(self.pack_offset)?;
        out.string(self.hash.name().as_bytes())?;
        self.filter.iter().try_for_each(|filter| out.string(filter))?;
        for (id, after) in self.prerequisites.iter().chain(&self.refs) {
            out.string(id.as_bytes())?;
            out.string(after)?;
        }
        Ok(())
    }
}

/// Returns the text before the pack, up to the first empty line or the end of the file.
fn read_head(source: &impl BlockSource, limits: &Limits) -> Result<Vec<u8>> {
    let most = usize::try_from(limits.memory / 8).unwrap_or(usize::MAX);
    let mut text: Vec<u8> = Vec::new();
    while (text.len() as u64) < source.size() {
        let run = source.run_at(text.len() as u64)?;
        let mut last = text.last().copied();
        let mut end = None;
        for (at, byte) in run.iter().enumerate() {
            if last == Some(b'\n') && *byte == b'\n' {
                end = Some(at.saturating_add(1));
                break;
            }
            last = Some(*byte);
        }
        // A file that is not a bundle need not be read to its end.
        let begin = run.get(..end.unwrap_or(run.len())).unwrap_or(run);
        text.extend_from_slice(begin);
        if end.is_some() || (text.len() >= 4 && !text.starts_with(b"# v")) {
            return Ok(text);
        }
        if text.len() > most {
            let what = "the header of the bundle takes more memory than allowed: raise `memory`";
            return Err(Error::new(ErrorKind::Limit, what));
        }
    }
    Ok(text)
}
