//! Values of fields that are one of a few words.

use super::field::{choices, malformed, Field, Reader, Shape};
use packlens::{
    Algorithm, Collisions, Copies, HashKind, IndexRole, MergeBaseKind, RenameKind, Result,
    RevOrder, Strict, Thin, Verify, Whitespace,
};

/// The hash of ids, if it is known.
#[derive(Clone, Copy)]
pub(super) struct Hash(pub(super) Option<HashKind>);

choices! {
    Hash {
        "any" => Hash(None),
        "sha1" => Hash(Some(HashKind::Sha1)),
        "sha256" => Hash(Some(HashKind::Sha256)),
    }
    Verify { "oid" => Verify::Oid, "crc" => Verify::Crc, "none" => Verify::None }
    RevOrder { "default" => RevOrder::Default, "date" => RevOrder::Date, "topo" => RevOrder::Topo }
    MergeBaseKind {
        "common" => MergeBaseKind::Common,
        "octopus" => MergeBaseKind::Octopus,
        "independent" => MergeBaseKind::Independent,
        "ancestor" => MergeBaseKind::Ancestor,
    }
    Collisions { "detect" => Collisions::Detect, "trust" => Collisions::Trust }
    Thin { "refuse" => Thin::Refuse, "fix" => Thin::Fix, "borrow" => Thin::Borrow }
    IndexRole {
        "alone" => IndexRole::Alone,
        "leader" => IndexRole::Leader,
        "scanner" => IndexRole::Scanner,
        "helper" => IndexRole::Helper,
    }
    Algorithm {
        "myers" => Algorithm::Myers,
        "minimal" => Algorithm::Minimal,
        "patience" => Algorithm::Patience,
        "histogram" => Algorithm::Histogram,
    }
    Whitespace {
        "exact" => Whitespace::Exact,
        "cr-at-eol" => Whitespace::CrAtEol,
        "at-eol" => Whitespace::AtEol,
        "amount" => Whitespace::Amount,
        "all" => Whitespace::All,
    }
    Copies {
        "no" => Copies::No,
        "changed" => Copies::OfChanged,
        "created" => Copies::OfAnyToNew,
        "any" => Copies::OfAny,
    }
    RenameKind {
        "none" => RenameKind::Nothing,
        "renames" => RenameKind::Renames,
        "copies" => RenameKind::Copies,
        "copies-of-any" => RenameKind::CopiesOfAny,
    }
    Strict { "no" => Strict::No, "objects" => Strict::Objects, "links" => Strict::Links }
}
