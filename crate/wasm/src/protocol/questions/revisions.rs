//! Questions about names of objects.

use super::{questions, Bytes};
use packlens::{Append, ObjectId};

questions! { session;
    /// Outputs the id of the object that a revision stands for.
    reader at_once Resolve = 22 {
        spec: Bytes,
        /// Lets a shortened id stand for objects other than commits.
        committish: bool,
    } => {
        let found = match committish {
            true => session.repository.resolve_committish(&spec),
            false => session.repository.resolve(&spec),
        };
        found.and_then(|id| session.fresh_output().oid(&id))
    };

    /// Outputs the name that the beginning of a revision stands for: the full name of a ref
    /// for `main@{upstream}`, a branch for `@{-1}`; itself if it is a name.
    reader at_once Interpret = 24 { name: Bytes, } => {
        let found = session.repository.interpret(&name)?;
        session.fresh_output().bytes(&found.unwrap_or(name))
    };

    /// Outputs, in 4 bytes, how many digits of an id are enough.
    full at_once Abbreviate = 27 {
        oid: Bytes,
        /// The fewest digits; 0 to choose by the size of the repository.
        least: u32,
    } => {
        let least = Some(least as usize).filter(|least| *least > 0);
        let digits = match ObjectId::from_hex(session.repository.hash(), &oid) {
            Some(id) => session.repository.abbreviate(&id, least)?,
            None => oid.len(),
        };
        session.fresh_output().u32(digits as u32)
    };
}
