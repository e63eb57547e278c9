//! Splits an input of the fuzzer: the first bytes are choices, the rest is a file.

use packlens::{Files, HashKind};

pub struct Input<'a>(pub &'a [u8]);

impl<'a> Input<'a> {
    /// Takes a byte off; 0 if there is none.
    pub fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, b""));
        self.0 = rest;
        *first
    }

    /// Takes a number below `end` off.
    pub fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end.max(1)
    }

    /// Takes one of several off.
    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    pub fn flag(&mut self) -> bool {
        self.byte() % 2 == 1
    }

    /// Takes some bytes off: fewer if there are fewer.
    pub fn take(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// Takes off a length, and as many bytes.
    pub fn sized(&mut self) -> &'a [u8] {
        let length = usize::from(self.byte());
        self.take(length)
    }

    pub fn hash(&mut self) -> HashKind {
        self.one_of(&super::base::HASHES)
    }

    /// Chooses a size of parts for all files of a repository.
    pub fn part(&mut self) -> u64 {
        self.one_of(&[512, 7, 64, 1 << 30, 1, 65536])
    }
}

/// Adds a file in parts of a size: number 0 of the returned files.
pub fn in_parts(bytes: &[u8], part: u64) -> Files {
    let mut files = Files::new(1 << 30);
    let file = files.found(b"file", bytes.len() as u64, 0);
    let mut offset = 0;
    for piece in bytes.chunks(part as usize) {
        files.add(file, offset, piece.to_vec()).unwrap();
        offset += piece.len() as u64;
    }
    files
}

/// Answers the same question of a file in one part, and in parts of a size; the answers
/// must be the same.
pub fn whole_and_in_parts<T: PartialEq + std::fmt::Debug>(
    bytes: &[u8],
    part: u64,
    ask: impl Fn(&packlens::OpenFile<'_>) -> T,
) -> T {
    let answer = |part| {
        let files = in_parts(bytes, part);
        ask(&files.source(packlens::FileId::from_number(0)))
    };
    let whole = answer(1 << 30);
    assert_eq!(answer(part), whole, "in parts of {part}");
    whole
}
