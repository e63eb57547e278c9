/**
 * The language of the page. `Intl` formats numbers, plurals and times in it. English is part of the
 * page; another language is loaded before the page is shown, and replaces the text of catalogues.
 */

/** The languages, by what each calls itself. */
export const LANGUAGES = [
  { language: 'en', name: 'English' },
  { language: 'de', name: 'Deutsch' },
] as const

export type Language = (typeof LANGUAGES)[number]['language']

/** Texts by the names of their catalogues. */
type Translation = Readonly<Record<string, object>>

const english = new Map<string, object>()
const catalogues = new Map<string, object>()
let translation: Translation = {}
let language: Language = 'en'
let formats = formatsOf(language)

export function currentLanguage(): Language {
  return language
}

/** Returns an object of texts that has the language of the page, also when that changes. */
export function catalogue<Words extends object>(name: string, words: Words): Words {
  const current = { ...words, ...translation[name] }
  english.set(name, words)
  catalogues.set(name, current)
  return current
}

/** Changes the language of all catalogues, also of those that are loaded later. */
export function setLanguage(next: Language, words: Translation): void {
  language = next
  translation = words
  formats = formatsOf(next)
  for (const [name, current] of catalogues) Object.assign(current, english.get(name), words[name])
}

/** `Intl` objects are slow to make. */
function formatsOf(locale: Language) {
  const decimals = (digits: number) =>
    new Intl.NumberFormat(locale, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      useGrouping: false,
    })
  return {
    numbers: new Intl.NumberFormat(locale),
    plurals: new Intl.PluralRules(locale),
    times: new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }),
    /** With digits after the point; sizes are too short to separate thousands. */
    exact: decimals(1),
    whole: decimals(0),
  }
}

export function currentFormats(): ReturnType<typeof formatsOf> {
  return formats
}

/** The plural forms of a text, with `#` in place of the number; English has `one` and `other`. */
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }

export function formatNumber(value: number): string {
  return formats.numbers.format(value)
}

/** Returns `1 object`, `2 objects` for `{ one: '# object', other: '# objects' }`. */
export function counted(value: number, forms: Forms): string {
  return (forms[formats.plurals.select(value)] ?? forms.other).replace('#', formatNumber(value))
}
