/** The language of the page. `Intl` formats numbers, plurals and times in it. */
export const LANGUAGE = 'en'

const numbers = new Intl.NumberFormat(LANGUAGE)
const rules = new Intl.PluralRules(LANGUAGE)

/** The plural forms of a text, with `#` in place of the number; English has `one` and `other`. */
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }

export function formatNumber(value: number): string {
  return numbers.format(value)
}

/** Returns `1 object`, `2 objects` for `{ one: '# object', other: '# objects' }`. */
export function counted(value: number, forms: Forms): string {
  return (forms[rules.select(value)] ?? forms.other).replace('#', formatNumber(value))
}
