//! Values that cross to JavaScript as numbers, which both sides know by the same words.

/// Declares an enum of which each value is its place in it, and has a word there.
macro_rules! words {
    ($(#[$of_all:meta])* $visible:vis enum $name:ident {
        $($(#[$of_one:meta])* $value:ident = $word:literal,)+
    }) => {
        $(#[$of_all])*
        $visible enum $name {
            $($(#[$of_one])* $value,)+
        }

        impl $name {
            /// The word for each value, by its number.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// Returns the number that stands for it in JavaScript.
            pub fn number(self) -> u8 {
                self as u8
            }
        }
    };
}
pub(crate) use words;
