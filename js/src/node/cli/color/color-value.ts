/** Colors as users write them, in formats and in the config: `bold red`. See git-config(1), "color". */

const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']
const DEFAULT = 9

const ATTRIBUTES: Readonly<Record<string, number>> = {
  bold: 1,
  dim: 2,
  italic: 3,
  ul: 4,
  blink: 5,
  reverse: 7,
  strike: 9,
}

/** Returns what sets a color on a terminal, empty for none; `null` if the text is no color. */
export function parseColor(text: string): string | null {
  const words = text.split(/[ \t\n\r\v\f]+/).filter((word) => word !== '')
  const attributes = new Set<number>()
  const colors: string[] = []
  for (const word of words) {
    const attribute = attributeOf(word)
    if (word === 'reset') continue
    if (attribute !== null) {
      attributes.add(attribute)
      continue
    }
    const color = codeOf(word, colors.length === 0 ? 30 : 40)
    if (color === null || colors.length === 2) return null
    colors.push(color)
  }
  const codes = [...attributes].sort((one, other) => one - other).map(String)
  const all = [...codes, ...colors.filter((code) => code !== '')]
  if (words.includes('reset')) return `\x1b[${['', ...all].join(';')}m`
  return all.length === 0 ? '' : `\x1b[${all.join(';')}m`
}

function attributeOf(word: string): number | null {
  const [, no, name = ''] = /^(no-?)?(.*)$/.exec(word) ?? []
  const attribute = Object.hasOwn(ATTRIBUTES, name) ? ATTRIBUTES[name] : undefined
  if (attribute === undefined) return null
  if (no === undefined) return attribute
  // The same code ends bold and dim.
  return attribute === 1 ? 22 : attribute + 20
}

/** Returns the code of a color, whose first one is `base`; empty for `normal`. */
function codeOf(word: string, base: number): string | null {
  const name = word.toLowerCase()
  if (name === 'normal' || name === '-1') return ''
  if (name === 'default') return `${base + DEFAULT}`
  const isBright = name.startsWith('bright')
  const at = NAMES.indexOf(isBright ? name.slice('bright'.length) : name)
  if (at >= 0) return `${base + (isBright ? 60 : 0) + at}`
  const [, digits] = /^#([0-9a-f]{6}|[0-9a-f]{3})$/.exec(name) ?? []
  if (digits !== undefined) return `${base + 8};2;${partsOf(digits).join(';')}`
  const number = /^[-+]?\d{1,9}$/.test(name) ? Number(name) : -1
  if (number < 0 || number > 255) return null
  if (number < 8) return `${base + number}`
  return number < 16 ? `${base + 60 + number - 8}` : `${base + 8};5;${number}`
}

/** Returns red, green and blue of hexadecimal digits, one or two for each. */
function partsOf(digits: string): number[] {
  const size = digits.length / 3
  return [0, 1, 2].map((at) => {
    return Number.parseInt(digits.slice(at * size, (at + 1) * size).repeat(3 - size), 16)
  })
}
