//! The names and addresses by which people want to be known:
//! <https://git-scm.com/docs/gitmailmap>.

use packlens_base::sort;
use packlens_format::object::Signature;

/// What stands in the place of names and addresses.
pub(super) struct People {
    /// Sorted: see [`CommitPatterns::people`](super::CommitPatterns::people).
    rows: Vec<Vec<u8>>,
}

impl People {
    pub(super) fn new(rows: &[Vec<u8>]) -> People {
        let mut rows = rows.to_vec();
        sort::names(&mut rows);
        People { rows }
    }

    /// Returns `Name <address>` with what stands in the place of both, or as it is.
    pub(super) fn known_as(&self, person: Vec<u8>) -> Vec<u8> {
        if self.rows.is_empty() {
            return person;
        }
        let Signature { name, email, .. } = Signature::decode(&person);
        let Some((new_name, new_email)) = self.find(email, name).or_else(|| self.find(email, b""))
        else {
            return person;
        };
        let name = if new_name.is_empty() { name } else { new_name };
        let email = if new_email.is_empty() { email } else { new_email };
        [name, b" <", email, b">"].concat()
    }

    /// Returns the new name and address; the case of ASCII letters does not count.
    fn find(&self, email: &[u8], name: &[u8]) -> Option<(&[u8], &[u8])> {
        let wanted = [email, b"\n", name, b"\n"].concat().to_ascii_lowercase();
        let at = self.rows.partition_point(|row| *row < wanted);
        let rest = self.rows.get(at)?.strip_prefix(wanted.as_slice())?;
        let end = rest.iter().position(|byte| *byte == b'\n')?;
        Some((rest.get(..end)?, rest.get(end.saturating_add(1)..)?))
    }
}
