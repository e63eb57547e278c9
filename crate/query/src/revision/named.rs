//! Names that stand for other names: `@`, `@{-1}`, `main@{upstream}`, `@{push}`.

use super::parse::{mark_of, prior_of, Mark};
use super::NO_UPSTREAM;
use crate::repository::Repository;
use crate::tracking::Tracking;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::module::require_full;

const HEADS: &[u8] = b"refs/heads/";

impl Repository {
    /// Returns the name that a name stands for: `HEAD` for `@`, a full refname for `main@{u}`,
    /// a branch or an id for `@{-1}`; `None` for a plain name.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; [`ErrorKind::NotFound`] for a branch without an upstream.
    pub fn interpret(&mut self, name: &[u8]) -> Result<Option<Vec<u8>>> {
        if let Some((number, rest)) = prior_of(name) {
            require_full()?;
            let Some(branch) = self.prior_checkout(number)? else {
                return Ok(None);
            };
            return match rest {
                [] => Ok(Some(branch)),
                _ => self.interpret(&[branch.as_slice(), rest].concat()),
            };
        }
        if name == b"@" {
            return Ok(Some(b"HEAD".to_vec()));
        }
        if let Some(rest) = name.strip_prefix(b"@").filter(|rest| rest.starts_with(b"@{")) {
            return self.interpret(&[b"HEAD", rest].concat());
        }
        let Some((branch, mark)) = mark_of(name) else {
            return Ok(None);
        };
        require_full()?;
        let branch = match branch {
            b"" | b"HEAD" => self.current_branch()?,
            named => Some(named.to_vec()),
        };
        let Some(branch) = branch else {
            return Err(no_such(b"HEAD does not point to a branch".to_vec()));
        };
        let full = [HEADS, &branch].concat();
        let exists = self.refs.get(&self.files, &full)?.is_some();
        let tracking = Tracking::read(&self.files, &self.limits())?;
        let found = match mark {
            Mark::Upstream => tracking.upstream(&branch, exists),
            Mark::Push => tracking.push(&branch, exists),
        };
        let found = found.map_err(no_such)?;
        // The upstream may be a branch of this repository by its short name.
        match self.refs.expand(&self.files, &found)? {
            Some(record) => Ok(Some(record.name)),
            None => Ok(Some(found)),
        }
    }

    /// Returns the name of the checked-out branch, even if it is unborn.
    pub(crate) fn current_branch(&self) -> Result<Option<Vec<u8>>> {
        let (name, _) = self.refs.follow(&self.files, b"HEAD")?;
        Ok(name.strip_prefix(HEADS).map(<[u8]>::to_vec))
    }
}

fn no_such(said: Vec<u8>) -> Error {
    Error::new(ErrorKind::NotFound, NO_UPSTREAM).about(said)
}
