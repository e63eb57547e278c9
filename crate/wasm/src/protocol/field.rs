//! The fields of questions: how JavaScript writes them, and how they are read here.

use packlens::{require_full, Error, ErrorKind, FullOnly, ObjectType, Result};

/// A field of a question: its name, its encoding, and its documentation.
pub(crate) type Declared = (&'static str, Shape, &'static [&'static str]);

/// The encoding of a field.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// A byte, 0 or 1.
    Flag,
    /// A byte: the index of one of these words.
    Choice(&'static [&'static str]),
    /// A byte: one bit for each of these words.
    Set(&'static [&'static str]),
    /// A [`Shape::Set`]; none of the words if it is not given.
    MaybeSet(&'static [&'static str]),
    /// A number that is not negative (f64, little-endian).
    Number,
    /// A [`Shape::Number`], or NaN for none.
    NumberOrNone,
    /// Bytes: their length (u32) is in the head, the bytes are in the tail.
    Bytes,
    /// [`Shape::Bytes`], or the length `u32::MAX` for none.
    BytesOrNone,
    /// As [`Shape::BytesOrNone`], for a text of any length. A string for another field of bytes
    /// is a name: JavaScript cuts it after a MiB, as the core looks for no longer name.
    TextOrNone,
    /// [`Shape::Bytes`] that hold several names, each after its length (u32).
    Names,
    /// [`Shape::Names`], or the length `u32::MAX` for none.
    NamesOrNone,
    /// Several fields, one after the other.
    Group(&'static [Declared]),
}

impl Shape {
    /// Returns how many bytes the field takes in the head.
    pub(crate) const fn head(self) -> usize {
        match self {
            Shape::Flag | Shape::Choice(_) | Shape::Set(_) | Shape::MaybeSet(_) => 1,
            Shape::Number | Shape::NumberOrNone => 8,
            Shape::Bytes | Shape::BytesOrNone | Shape::TextOrNone => 4,
            Shape::Names | Shape::NamesOrNone => 4,
            Shape::Group(fields) => head_of(fields),
        }
    }

    /// Returns how many words there are to choose from; 2 for a flag.
    fn count(self) -> usize {
        match self {
            Shape::Choice(words) | Shape::Set(words) | Shape::MaybeSet(words) => words.len(),
            _ => 2,
        }
    }
}

const fn head_of(fields: &[Declared]) -> usize {
    match fields {
        [] => 0,
        [(_, shape, _), rest @ ..] => shape.head().saturating_add(head_of(rest)),
    }
}

/// A type of fields.
pub(crate) trait Field: Sized {
    const SHAPE: Shape;

    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for bytes that are no such field.
    fn read(from: &mut Reader<'_>) -> Result<Self>;
}

/// Reads a question field by field. The head has a fixed length; the tail holds the bytes of
/// fields with a length of their own.
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

    /// Returns the index of the word that was chosen.
    #[inline(never)]
    pub(crate) fn choice(&mut self, shape: Shape) -> Result<usize> {
        let at = usize::from(self.byte()?);
        if at < shape.count() {
            Ok(at)
        } else {
            Err(malformed())
        }
    }

    /// Returns the bits of a set, one for each word.
    pub(crate) fn set(&mut self, shape: Shape) -> Result<u8> {
        let bits = self.byte()?;
        if usize::from(bits) < 1 << shape.count() {
            Ok(bits)
        } else {
            Err(malformed())
        }
    }
}

/// Returns the error for a question that does not fit the table. Both sides are generated from
/// one table, so only a module that was changed by hand gets here.
#[cold]
pub(crate) fn malformed() -> Error {
    Error::new(ErrorKind::BadInput, "the question is malformed")
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

/// A text; empty if none is given.
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

/// Encoded names. They are decoded only if the batch is new.
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

/// Names; an empty list if none are given.
pub(crate) struct MaybeNames(pub(crate) Vec<Vec<u8>>);

impl Field for MaybeNames {
    const SHAPE: Shape = Shape::NamesOrNone;

    fn read(from: &mut Reader<'_>) -> Result<MaybeNames> {
        names_in(from.bytes()?.unwrap_or_default()).map(MaybeNames)
    }
}

/// Names that only the full module reads; none if none are given.
pub(crate) struct FullNames(Option<FullOnly<Vec<Vec<u8>>>>);

impl FullNames {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub(crate) fn into_names(self) -> Vec<Vec<u8>> {
        self.0.map(FullOnly::into_inner).unwrap_or_default()
    }
}

impl Field for FullNames {
    const SHAPE: Shape = Shape::NamesOrNone;

    fn read(from: &mut Reader<'_>) -> Result<FullNames> {
        let Some(bytes) = from.bytes()?.filter(|bytes| !bytes.is_empty()) else {
            return Ok(FullNames(None));
        };
        require_full()?;
        let names = names_in(bytes)?;
        FullOnly::new(|| names).map(|names| FullNames(Some(names)))
    }
}

#[inline(never)]
fn names_in(mut rest: &[u8]) -> Result<Vec<Vec<u8>>> {
    let mut names = Vec::new();
    while let Some((length, after)) = rest.split_first_chunk() {
        let length = u32::from_le_bytes(*length) as usize;
        let (name, after) = after.split_at_checked(length).ok_or_else(malformed)?;
        names.push(name.to_vec());
        rest = after;
    }
    Ok(names)
}

/// The words for object types, in the order of the types' numbers in packs, which begin with 1.
pub(super) const OBJECT_TYPES: &[&str] = &["commit", "tree", "blob", "tag"];

/// Object types, in the order of their numbers in packs.
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

/// Encodes the values of a type as words. The first word is the default.
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

/// Declares a type of fields that several questions have in common. A question that has the
/// group as a field has its fields in that place.
macro_rules! group {
    ($(#[doc = $doc:literal])+ $name:ident {
        $($(#[doc = $about:literal])* $field:ident: $type:ty,)+
    }) => {
        $(#[doc = $doc])+
        pub(super) struct $name {
            $($field: $type,)+
        }

        impl $crate::protocol::field::Field for $name {
            const SHAPE: $crate::protocol::field::Shape = $crate::protocol::field::Shape::Group(&[
                $((
                    stringify!($field),
                    <$type as $crate::protocol::field::Field>::SHAPE,
                    &[$($about),*],
                ),)+
            ]);

            fn read(
                from: &mut $crate::protocol::field::Reader<'_>,
            ) -> packlens::Result<$name> {
                $(let $field = <$type>::read(from)?;)+
                Ok($name { $($field,)+ })
            }
        }
    };
}
pub(crate) use group;
