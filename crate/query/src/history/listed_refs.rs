//! A listing of refs that resumes where bytes were missing.

use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_format::refs::{RefListing, RefRecord};

#[derive(Default)]
pub(super) struct ListedRefs {
    listing: Option<RefListing>,
    is_complete: bool,
}

impl ListedRefs {
    /// Gives each ref whose name begins with `prefix` to `add`, once; after an error, it begins
    /// with the ref that failed.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: call again. Errors of reading, and those of `add`.
    pub(super) fn each(
        &mut self,
        repository: &mut Repository,
        prefix: &[u8],
        mut add: impl FnMut(&mut Repository, &RefRecord) -> Result<()>,
    ) -> Result<()> {
        if self.is_complete {
            return Ok(());
        }
        let new = || RefListing::new(repository.refs(), prefix);
        let mut listing = self.listing.take().unwrap_or_else(new);
        let listed = add_all(repository, &mut listing, &mut add);
        match listed {
            Ok(()) => self.is_complete = true,
            Err(_) => self.listing = Some(listing),
        }
        listed
    }

    /// Returns how many bytes of memory this takes.
    pub(super) fn memory(&self) -> u64 {
        self.listing.as_ref().map_or(0, RefListing::memory)
    }
}

fn add_all(
    repository: &mut Repository,
    listing: &mut RefListing,
    add: &mut dyn FnMut(&mut Repository, &RefRecord) -> Result<()>,
) -> Result<()> {
    while let Some(record) = listing.peek(&repository.files)? {
        add(repository, record)?;
        listing.advance();
    }
    Ok(())
}
