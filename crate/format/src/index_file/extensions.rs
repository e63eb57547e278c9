//! Parses the extensions of an index file that name objects: cache-tree and resolve-undo.

use super::{take, take_id, take_u32, take_until, Damage, KIND};
use packlens_base::oid::{HashKind, ObjectId};

const REGULAR: u32 = 0o100_000;

/// The name of an extension, and its content.
pub(super) type Extension<'a> = ([u8; 4], &'a [u8]);

/// Returns the extensions. Extensions with a lower-case name are required, so unknown ones are
/// an error.
pub(super) fn extensions_in(mut rest: &[u8]) -> Result<Vec<Extension<'_>>, Damage> {
    let mut extensions = Vec::new();
    while let Some(name) = take(&mut rest, 4).and_then(|name| name.first_chunk::<4>()) {
        let content = take_u32(&mut rest)
            .and_then(|length| take(&mut rest, usize::try_from(length).unwrap_or(usize::MAX)));
        let Some(content) = content else {
            let what = "an extension ends after the end of the index";
            return Err(Damage::Frame(what.to_owned()));
        };
        match name {
            b"sdir" => {}
            b"link" | [b'A'..=b'Z', ..] => extensions.push((*name, content)),
            _ => {
                let name = String::from_utf8_lossy(name);
                let what = format!("index uses {name} extension, which we do not understand");
                return Err(Damage::Frame(what));
            }
        }
    }
    Ok(extensions)
}

/// A tree of a cache-tree.
pub(super) struct CachedTree {
    pub(super) id: ObjectId,
    /// How many trees below it follow.
    pub(super) below: usize,
    /// Its path with a slash at its end, empty for the root; `None` if the paths together would be
    /// much longer than the extension.
    pub(super) path: Option<Vec<u8>>,
}

/// A tree of a cache-tree that is not complete.
struct OpenTree {
    /// Its index among those that are returned.
    place: Option<usize>,
    /// How many children it still lacks.
    left: u64,
    path: Option<Vec<u8>>,
}

/// How many times as long as the extension the paths of its trees may be together.
const PATHS_SHARE: usize = 16;

/// Returns the trees of a cache-tree, parents first; `None` if the extension cannot be parsed,
/// which git treats as if it were missing.
pub(super) fn cached_trees(mut rest: &[u8], hash: HashKind) -> Option<Vec<CachedTree>> {
    let mut trees: Vec<CachedTree> = Vec::new();
    let mut paths_left = rest.len().saturating_mul(PATHS_SHARE);
    let mut open = vec![OpenTree { place: None, left: 1, path: None }];
    loop {
        let is_root = open.len() == 1;
        let Some(OpenTree { place, left, path }) = open.last_mut() else {
            return Some(trees);
        };
        let Some(less) = left.checked_sub(1) else {
            if let Some(place) = *place {
                let after = trees.len().saturating_sub(place).saturating_sub(1);
                trees.get_mut(place)?.below = after;
            }
            open.pop();
            continue;
        };
        *left = less;
        let above = path.as_deref();
        let name = take_until(&mut rest, 0)?;
        let path = match is_root {
            true if !name.is_empty() => return None,
            true => Some(Vec::new()),
            false => above.and_then(|above| {
                let length = above.len().saturating_add(name.len()).saturating_add(1);
                paths_left = paths_left.checked_sub(length)?;
                Some([above, name, b"/"].concat())
            }),
        };
        let entries = signed(take_until(&mut rest, b' ')?)?;
        let left = u64::try_from(signed(take_until(&mut rest, b'\n')?)?).ok()?;
        let place = (entries >= 0).then_some(trees.len());
        if place.is_some() {
            let id = take_id(&mut rest, hash)?;
            trees.push(CachedTree { id, below: 0, path: path.clone() });
        }
        open.push(OpenTree { place, left, path });
    }
}

/// Returns the entries of resolve-undo with their stages and paths; `None` if the extension
/// cannot be parsed.
pub(super) fn undone(mut rest: &[u8], hash: HashKind) -> Option<Vec<(ObjectId, u8, &[u8])>> {
    let mut all = Vec::new();
    while !rest.is_empty() {
        let name = take_until(&mut rest, 0)?;
        let mut modes = [0; 3];
        for mode in &mut modes {
            let text = std::str::from_utf8(take_until(&mut rest, 0)?).ok()?;
            *mode = u32::from_str_radix(text, 8).ok()?;
        }
        for (stage, mode) in (0u8..).zip(modes).filter(|(_, mode)| *mode != 0) {
            let id = take_id(&mut rest, hash)?;
            if mode & KIND == REGULAR {
                all.push((id, stage, name));
            }
        }
    }
    Some(all)
}

fn signed(text: &[u8]) -> Option<i64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}
