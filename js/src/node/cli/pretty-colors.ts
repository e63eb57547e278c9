/** The colors of pretty formats, which only `%C(always,…)` shows in output that is no terminal. */
import { fatal } from './exit.js'

const COLORS = [
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
  '',
  'default',
]

const ATTRIBUTES: Readonly<Record<string, number>> = {
  bold: 1,
  dim: 2,
  italic: 3,
  ul: 4,
  blink: 5,
  reverse: 7,
  strike: 9,
}

/** Returns the text of the color that a format begins with; `null` if it begins with none. */
export function colorOf(format: string): { text: string; length: number } | null {
  const [plain] = /^C(red|green|blue|reset)/.exec(format) ?? []
  if (plain) return { text: '', length: plain.length }
  const [whole, description] = /^C\(([^)]*)\)/.exec(format) ?? []
  if (whole === undefined || description === undefined) return null
  const [, always] = /^always,(.*)$/.exec(description) ?? []
  return { text: always === undefined ? '' : escapeOf(always), length: whole.length }
}

function escapeOf(description: string): string {
  const words = description.split(' ').filter((word) => word !== '')
  if (words.length === 1 && words[0] === 'reset') return '\x1b[m'
  const attributes: number[] = []
  const colors: string[] = []
  let isReset = false
  for (const word of words) {
    const [, no, name = ''] = /^(no-?)?(.*)$/.exec(word) ?? []
    const attribute = ATTRIBUTES[name]
    if (word === 'reset') isReset = true
    else if (attribute !== undefined) attributes.push(no ? negated(attribute) : attribute)
    else colors.push(word)
  }
  if (colors.length > 2) throw fatal('unable to parse --pretty format')
  const codes = colors.map((name, at) => codeOf(name, at === 0 ? 30 : 40))
  attributes.sort((one, other) => one - other)
  const all = [...attributes, ...codes].filter((code) => code !== '')
  if (all.length === 0 && !isReset) return ''
  return `\x1b[${[...(isReset ? [''] : []), ...all].join(';')}m`
}

const negated = (attribute: number) => (attribute === 1 ? 22 : attribute + 20)

function codeOf(name: string, base: number): string {
  if (name === 'normal') return ''
  const bright = name.startsWith('bright')
  const at = COLORS.indexOf(bright ? name.slice(6) : name)
  if (at >= 0 && name !== '') return `${base + (bright ? 60 : 0) + at}`
  const [, r = '', g = '', b = ''] = /^#(..)(..)(..)$/.exec(name) ?? []
  if (r !== '') {
    const parts = [r, g, b].map((part) => Number.parseInt(part, 16))
    return `${base + 8};2;${parts.join(';')}`
  }
  if (!/^\d{1,3}$/.test(name) || Number(name) > 255) throw fatal('unable to parse --pretty format')
  const number = Number(name)
  if (number < 8) return `${base + number}`
  return number < 16 ? `${base + 60 + number - 8}` : `${base + 8};5;${number}`
}
