//! Fields of questions: how each is written by the other side, and read here.

use packlens::{Error, ErrorKind, ObjectType, Result};

/// What a field holds.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// A byte, 0 or 1.
    Flag,
    /// A byte: the place of one of these words.
    Choice(&'static [&'static str]),
    /// A byte: a bit for each of these words.
    Set(&'static [&'static str]),
    /// A number that is not below 0, as JavaScript has numbers.
    Number,
    /// The same, or not a number for none.
    NumberOrNone,
    /// Bytes; the head has how many, the tail the bytes.
    Bytes,
    /// The same, or all ones for none.
    BytesOrNone,
    /// A text of any length, or all ones for none. Bytes that come as text are those of a
    /// name: the core looks for none of more than a MiB, and more of one does not come.
    TextOrNone,
    /// Bytes that are several, each behind its length in 4 bytes.
    Names,
    /// The same, or all ones for none.
    NamesOrNone,
}

impl Shape {
    /// Returns how many bytes of the head the field takes.
    pub(crate) const fn head(self) -> usize {
        match self {
            Shape::Flag | Shape::Choice(_) | Shape::Set(_) => 1,
            Shape::Number | Shape::NumberOrNone => 8,
            Shape::Bytes | Shape::BytesOrNone | Shape::TextOrNone => 4,
            Shape::Names | Shape::NamesOrNone => 4,
        }
    }

    /// Returns how many words there are to choose from.
    fn count(self) -> usize {
        match self {
            Shape::Choice(words) | Shape::Set(words) => words.len(),
            _ => 2,
        }
    }
}

/// A type that fields have.
pub(crate) trait Field: Sized {
    const SHAPE: Shape;

    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for what no such field can be.
    fn read(from: &mut Reader<'_>) -> Result<Self>;
}

/// A question that is read field by field: first a head of fixed length, behind it what
/// has a length of its own.
pub(crate) struct Reader<'a> {
    head: &'a [u8],
    tail: &'a [u8],
}

impl<'a> Reader<'a> {
    #[inline(never)]
    pub(crate) fn new(question: &'a [u8], head: usize) -> Result<Reader<'a>> {
        let (head, tail) = question.split_at_checked(head).ok_or_else(malformed)?;
        Ok(Reader { head, tail })
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (taken, rest) = self.head.split_first_chunk().ok_or_else(malformed)?;
        self.head = rest;
        Ok(*taken)
    }

    fn byte(&mut self) -> Result<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    #[inline(never)]
    fn number(&mut self) -> Result<Option<u64>> {
        let number = f64::from_le_bytes(self.take()?);
        match number {
            _ if number.is_nan() => Ok(None),
            _ if number < 0.0 => Err(malformed()),
            _ => Ok(Some(number as u64)),
        }
    }

    #[inline(never)]
    fn bytes(&mut self) -> Result<Option<&'a [u8]>> {
        let length = u32::from_le_bytes(self.take()?);
        if length == u32::MAX {
            return Ok(None);
        }
        let (bytes, tail) = self.tail.split_at_checked(length as usize).ok_or_else(malformed)?;
        self.tail = tail;
        Ok(Some(bytes))
    }

    /// Returns which of its words a choice is.
    #[inline(never)]
    pub(crate) fn choice(&mut self, shape: Shape) -> Result<usize> {
        let at = usize::from(self.byte()?);
        if at < shape.count() {
            Ok(at)
        } else {
            Err(malformed())
        }
    }

    /// Returns the bits of a set, of which each stands for a word.
    fn set(&mut self, shape: Shape) -> Result<u8> {
        let bits = self.byte()?;
        if usize::from(bits) < 1 << shape.count() {
            Ok(bits)
        } else {
            Err(malformed())
        }
    }
}

/// The two sides are made from one table: only one that was changed by hand comes here.
#[cold]
pub(crate) fn malformed() -> Error {
    Error::new(ErrorKind::BadInput, "a question that is not written as the core reads it")
}

impl Field for bool {
    const SHAPE: Shape = Shape::Flag;

    fn read(from: &mut Reader<'_>) -> Result<bool> {
        from.choice(Self::SHAPE).map(|at| at == 1)
    }
}

impl Field for Option<u64> {
    const SHAPE: Shape = Shape::NumberOrNone;

    fn read(from: &mut Reader<'_>) -> Result<Option<u64>> {
        from.number()
    }
}

impl Field for Option<u32> {
    const SHAPE: Shape = Shape::NumberOrNone;

    fn read(from: &mut Reader<'_>) -> Result<Option<u32>> {
        let number = from.number()?;
        Ok(number.map(|number| u32::try_from(number).unwrap_or(u32::MAX)))
    }
}

impl Field for u64 {
    const SHAPE: Shape = Shape::Number;

    fn read(from: &mut Reader<'_>) -> Result<u64> {
        from.number()?.ok_or_else(malformed)
    }
}

impl Field for u32 {
    const SHAPE: Shape = Shape::Number;

    fn read(from: &mut Reader<'_>) -> Result<u32> {
        Ok(u32::try_from(u64::read(from)?).unwrap_or(u32::MAX))
    }
}

impl Field for Vec<u8> {
    const SHAPE: Shape = Shape::Bytes;

    #[inline(never)]
    fn read(from: &mut Reader<'_>) -> Result<Vec<u8>> {
        from.bytes()?.map(<[u8]>::to_vec).ok_or_else(malformed)
    }
}

impl Field for Option<Vec<u8>> {
    const SHAPE: Shape = Shape::BytesOrNone;

    #[inline(never)]
    fn read(from: &mut Reader<'_>) -> Result<Option<Vec<u8>>> {
        Ok(from.bytes()?.map(<[u8]>::to_vec))
    }
}

/// Without any it is empty.
pub(crate) struct Text(pub(crate) Vec<u8>);

impl Field for Text {
    const SHAPE: Shape = Shape::TextOrNone;

    fn read(from: &mut Reader<'_>) -> Result<Text> {
        Ok(Text(from.bytes()?.unwrap_or_default().to_vec()))
    }
}

impl Field for Vec<Vec<u8>> {
    const SHAPE: Shape = Shape::Names;

    fn read(from: &mut Reader<'_>) -> Result<Vec<Vec<u8>>> {
        from.bytes()?.ok_or_else(malformed).and_then(names_in)
    }
}

/// Names as they were written, to be taken apart only where they are new.
pub(crate) struct Encoded(pub(crate) Vec<u8>);

impl Encoded {
    pub(crate) fn names(&self) -> Result<Vec<Vec<u8>>> {
        names_in(&self.0)
    }
}

impl Field for Encoded {
    const SHAPE: Shape = Shape::Names;

    fn read(from: &mut Reader<'_>) -> Result<Encoded> {
        Vec::read(from).map(Encoded)
    }
}

/// Without any there are none.
pub(crate) struct MaybeNames(pub(crate) Vec<Vec<u8>>);

impl Field for MaybeNames {
    const SHAPE: Shape = Shape::NamesOrNone;

    fn read(from: &mut Reader<'_>) -> Result<MaybeNames> {
        names_in(from.bytes()?.unwrap_or_default()).map(MaybeNames)
    }
}

#[inline(never)]
fn names_in(mut rest: &[u8]) -> Result<Vec<Vec<u8>>> {
    let mut names = Vec::new();
    while let Some((length, behind)) = rest.split_first_chunk() {
        let length = u32::from_le_bytes(*length) as usize;
        let (name, behind) = behind.split_at_checked(length).ok_or_else(malformed)?;
        names.push(name.to_vec());
        rest = behind;
    }
    Ok(names)
}

/// The words for the types of objects, the first of which packs know as 1.
pub(super) const OBJECT_TYPES: &[&str] = &["commit", "tree", "blob", "tag"];

/// Types of objects, in the order of the numbers that packs have for them.
pub(crate) struct Types(pub(crate) Vec<ObjectType>);

impl Field for Types {
    const SHAPE: Shape = Shape::Set(OBJECT_TYPES);

    fn read(from: &mut Reader<'_>) -> Result<Types> {
        let bits = from.set(Self::SHAPE)?;
        let is_in = |at: usize| bits >> (at & 7) & 1 == 1;
        let types = ObjectType::ALL.into_iter().enumerate().filter(|(at, _)| is_in(*at));
        Ok(Types(types.map(|(_, object_type)| object_type).collect()))
    }
}

/// Has values of a type cross by words, the first of which stands for what is not given.
macro_rules! choices {
    ($($type:ty { $($word:literal => $value:expr),+ $(,)? })+) => {
        $(impl Field for $type {
            const SHAPE: Shape = Shape::Choice(&[$($word),+]);

            fn read(from: &mut Reader<'_>) -> Result<$type> {
                const VALUES: &[$type] = &[$($value),+];
                let at = from.choice(Self::SHAPE)?;
                VALUES.get(at).copied().ok_or_else(malformed)
            }
        })+
    };
}
pub(crate) use choices;
