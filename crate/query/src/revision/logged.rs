//! Earlier values of a ref, from its reflog: `main@{1}`, `@{date}`, `@{-1}`.

use super::date::seconds_of;
use super::{not_found, LOG_ENDS};
use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_format::refs::candidates;

const HEADS: &[u8] = b"refs/heads/";

/// The selector of a reflog entry.
enum When {
    /// This many changes ago.
    Changes(u64),
    /// At this time, in seconds since 1970.
    Time(u64),
}

impl When {
    fn decode(text: &[u8]) -> Option<When> {
        let digits = text.iter().all(u8::is_ascii_digit);
        let number = std::str::from_utf8(text).ok().filter(|_| digits)?.parse::<u64>();
        match number {
            // git treats such a long number as a date.
            Ok(number) if number >= 100_000_000 => Some(When::Time(number)),
            Ok(number) => Some(When::Changes(number)),
            Err(_) => None,
        }
    }
}

impl Repository {
    /// Returns an earlier value of a ref. The name is expanded by git's rules; an empty name
    /// stands for the branch that is checked out.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`] if there is no such ref, or if its reflog does not go back so
    /// far; [`ErrorKind::Unsupported`] for dates that depend on the current time.
    #[inline(never)]
    pub(super) fn resolve_logged(&mut self, name: &[u8], selector: &[u8]) -> Result<ObjectId> {
        let Some((full, current)) = self.logged_ref(name)? else {
            return Err(not_found(name));
        };
        let when = When::decode(selector).or_else(|| seconds_of(selector).map(When::Time));
        let when = when.ok_or_else(|| {
            let what = "dates in `@{...}` need a day and a time, or seconds since 1970";
            Error::new(ErrorKind::Unsupported, what).about(selector)
        })?;
        let mut log = self.refs.log(&full);
        let mut count = 0u64;
        let mut newer: Option<ObjectId> = None;
        let mut oldest = None;
        while let Some(entry) = log.next(&self.files)? {
            let (reached, exactly) = match when {
                When::Changes(number) => (count == number, false),
                When::Time(time) => {
                    let seconds = entry.seconds();
                    (seconds <= time, seconds == time)
                }
            };
            if reached {
                let known = newer.is_some_and(|older| !older.is_null()) || exactly;
                return Ok(if known { entry.new } else { current });
            }
            count = count.saturating_add(1);
            newer = Some(entry.old);
            oldest = Some(entry);
        }
        match (when, oldest) {
            (When::Changes(0), None) => Ok(current),
            (_, None) => {
                let said = [b"log for ", full.as_slice(), b" is empty"].concat();
                Err(Error::new(ErrorKind::NotFound, LOG_ENDS).about(said))
            }
            (When::Time(_), Some(entry)) if entry.old.is_null() => Ok(entry.new),
            (When::Time(_), Some(entry)) => Ok(entry.old),
            (When::Changes(number), Some(entry)) if number == count && !entry.old.is_null() => {
                Ok(entry.old)
            }
            (When::Changes(_), Some(_)) => {
                let own = full.strip_prefix(HEADS).unwrap_or(b"HEAD");
                let shown = if name.is_empty() { own } else { name };
                let after = format!("' only has {count} entries");
                let said = [b"log for '", shown, after.as_bytes()].concat();
                Err(Error::new(ErrorKind::NotFound, LOG_ENDS).about(said))
            }
        }
    }

    /// Returns the ref whose reflog a name selects, and the ref's current object.
    fn logged_ref(&mut self, name: &[u8]) -> Result<Option<(Vec<u8>, ObjectId)>> {
        if name.is_empty() {
            let (full, id) = self.refs.follow(&self.files, b"HEAD")?;
            return Ok(id.map(|id| (full, id)));
        }
        let interpreted = self.interpret(name)?;
        for candidate in candidates(interpreted.as_deref().unwrap_or(name)) {
            let Some((target, id)) = self.refs.follow_found(&self.files, &candidate)? else {
                continue;
            };
            for full in [candidate, target] {
                if self.refs.log(&full).exists(&self.files)? {
                    return Ok(Some((full, id)));
                }
            }
        }
        Ok(None)
    }

    /// Returns the branch or id that was checked out before; 1 is the previous checkout.
    pub(super) fn prior_checkout(&mut self, number: u64) -> Result<Option<Vec<u8>>> {
        let mut log = self.refs.log(b"HEAD");
        let mut left = number;
        while let Some(entry) = log.next(&self.files)? {
            let Some(from) = entry.message.strip_prefix(b"checkout: moving from ") else {
                continue;
            };
            let Some(end) = from.windows(4).position(|word| word == b" to ") else {
                continue;
            };
            left = left.saturating_sub(1);
            if left == 0 {
                return Ok(from.get(..end).map(<[u8]>::to_vec));
            }
        }
        Ok(None)
    }
}
