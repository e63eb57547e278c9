//! The limits that protect the core from untrusted bytes.

use crate::block::over_ceiling;
use crate::error::Result;

/// Ceilings, each with a default that suits ordinary repositories.
///
/// Exceeding one is an error of kind [`Limit`](crate::ErrorKind::Limit) that names what to
/// raise.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most bytes that cached ranges, the base cache and output take together.
    pub memory: u64,
    /// The most bytes of `memory` that the base cache may take.
    pub base_cache: u64,
    /// The largest object that is read in one piece, in bytes.
    pub object_size: u64,
    /// How many symbolic refs may be chained, as in git.
    pub symref_depth: usize,
    /// How deeply trees may be nested, like git's `core.maxTreeDepth`.
    pub tree_depth: usize,
    /// The longest line or small text file (a ref, `config`) that is read, in bytes.
    pub text_size: u64,
    /// The number of pack entries among which the roots of a work unit are, at least 1: see
    /// [`WorkUnits`](crate::WorkUnits).
    pub work_unit_entries: u32,
}

impl Limits {
    /// Returns limits for a ceiling of `memory` bytes.
    pub fn for_memory(memory: u64) -> Limits {
        Limits {
            memory,
            base_cache: (memory / 4).saturating_mul(3),
            object_size: memory,
            symref_depth: 5,
            tree_depth: 2048,
            text_size: 1 << 20,
            // A pack that is worth sharing has many work units of this size, so that faster
            // workers can claim more of them.
            work_unit_entries: 4096,
        }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::for_memory(64 << 20)
    }
}

impl Limits {
    /// Allocates a buffer for an object of `size` bytes.
    ///
    /// # Errors
    ///
    /// [`Limit`](crate::ErrorKind::Limit) if `size` exceeds the limit or the free memory.
    pub fn buffer(&self, size: u64) -> Result<Vec<u8>> {
        let length = self.check_size(size)?;
        let mut buffer = Vec::new();
        buffer.try_reserve_exact(length).map_err(|_| over_ceiling())?;
        buffer.resize(length, 0);
        Ok(buffer)
    }

    /// Checks that an object of `size` bytes may be read in one piece.
    ///
    /// # Errors
    ///
    /// [`Limit`](crate::ErrorKind::Limit) if it may not.
    pub fn check_size(&self, size: u64) -> Result<usize> {
        usize::try_from(size)
            .ok()
            .filter(|_| size <= self.object_size)
            .ok_or_else(|| over_ceiling().about(format!("an object of {size} bytes")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn an_object_of_exactly_the_limit_is_allowed() {
        let limits = Limits { object_size: 1000, ..Limits::default() };
        assert_eq!(limits.check_size(1000).unwrap(), 1000);
        assert_eq!(limits.buffer(1000).unwrap().len(), 1000);
        for size in [1001, u64::MAX] {
            assert_eq!(limits.check_size(size).unwrap_err().kind(), ErrorKind::Limit);
            assert_eq!(limits.buffer(size).unwrap_err().kind(), ErrorKind::Limit);
        }
    }
}
