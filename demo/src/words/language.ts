/** The language of the page: all that depends on it, but the words, is made of this one name. */
export const LANGUAGE = 'en'

const numbers = new Intl.NumberFormat(LANGUAGE)
const rules = new Intl.PluralRules(LANGUAGE)

/** The forms of a text by number, `#` in place of that; English has `one` and `other`. */
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }

export function formatNumber(value: number): string {
  return numbers.format(value)
}

/** Returns `1 object`, `2 objects` for `{ one: '# object', other: '# objects' }`. */
export function counted(value: number, forms: Forms): string {
  return (forms[rules.select(value)] ?? forms.other).replace('#', formatNumber(value))
}
