/** The trailers of messages: `%(trailers)`. See git-interpret-trailers(1). */
import { trimSpaces } from '../../../base/spaces.js'
import { messageParts } from '../text/message-parts.js'
import { unescaped } from './decorations.js'

interface Trailer {
  /** The whole lines. */
  readonly raw: string
  readonly key: string
  readonly value: string
}

interface Shown {
  keys: string[] | null
  only: boolean
  unfold: boolean
  keyOnly: boolean
  valueOnly: boolean
  separator: string | null
  keyValueSeparator: string | null
}

/** Lines that git itself writes, which make a block of trailers of a paragraph with other lines. */
const OWN = /^(Signed-off-by: |\(cherry picked from commit )/

/** Returns what shows `%(trailers:…)` of a message; `null` for unknown options. */
export function trailersShower(words: readonly string[]): ((message: string) => string) | null {
  const shown: Shown = {
    ...{ keys: null, only: false, unfold: false, keyOnly: false, valueOnly: false },
    ...{ separator: null, keyValueSeparator: null },
  }
  for (const word of words) if (!setOption(shown, word)) return null
  return (message) => {
    const text = show(trailerLines(message), shown)
    const isWhole = words.every((word) =>
      /^(only|unfold|keyonly|valueonly)=(no|false|off|0|)$/i.test(word),
    )
    return isWhole && !message.endsWith('\n') ? text.replace(/\n$/, '') : text
  }
}

function setOption(shown: Shown, word: string): boolean {
  const [name = '', value] = word.split(/=(.*)/s)
  const isOn = value === undefined || /^(yes|true|on|1)$/i.test(value)
  const isFlag = isOn || /^(no|false|off|0|)$/i.test(value ?? '')
  switch (name) {
    case 'key':
      if (!value) return false
      shown.keys = [...(shown.keys ?? []), value.replace(/:$/, '').toLowerCase()]
      shown.only = true
      return true
    case 'separator':
      shown.separator = unescaped(value ?? '')
      return value !== undefined
    case 'key_value_separator':
      shown.keyValueSeparator = unescaped(value ?? '')
      return value !== undefined
    case 'only':
      shown.only = isOn
      return isFlag
    case 'unfold':
      shown.unfold = isOn
      return isFlag
    case 'keyonly':
      shown.keyOnly = isOn
      return isFlag
    case 'valueonly':
      shown.valueOnly = isOn
      return isFlag
  }
  return false
}

function show(lines: readonly (Trailer | string)[], shown: Shown): string {
  const { keys, only, unfold, keyOnly, valueOnly, separator, keyValueSeparator } = shown
  const isWhole = !only && !unfold && keys === null && !keyOnly && !valueOnly && separator === null
  const end = separator ?? '\n'
  const texts: string[] = []
  for (const line of lines) {
    if (typeof line === 'string') {
      if (!only) texts.push(isWhole ? line : line)
      continue
    }
    if (keys && !keys.includes(line.key.toLowerCase())) continue
    if (isWhole && keyValueSeparator === null) {
      texts.push(line.raw)
      continue
    }
    const value = unfold ? unfolded(line.value) : line.value
    const parts = keyOnly ? [] : [value]
    if (!valueOnly) parts.unshift(line.key)
    texts.push(parts.join(keyValueSeparator ?? ': '))
  }
  if (texts.length === 0) return ''
  return separator === null ? texts.map((text) => text + end).join('') : texts.join(end)
}

const unfolded = (value: string) => trimSpaces(value.replace(/\n[ \t]*/g, ' '))

/** Returns the lines of the block of trailers: trailers, and other lines among them. */
export function trailerLines(message: string): (Trailer | string)[] {
  const { body } = messageParts(message)
  const block = blockOf(body)
  const lines: (Trailer | string)[] = []
  for (const line of block) {
    const last = lines[lines.length - 1]
    if (/^[ \t]/.test(line) && last !== undefined && typeof last !== 'string') {
      const value = `${last.value}\n${line}`
      lines[lines.length - 1] = { ...last, raw: `${last.raw}\n${line}`, value }
      continue
    }
    const [, key, value] = /^([A-Za-z0-9-]+)[ \t]*:(.*)$/s.exec(line) ?? []
    if (key === undefined || value === undefined) lines.push(line)
    else lines.push({ raw: line, key, value: trimSpaces(value) })
  }
  return lines
}

/** Removes the comments at the end, and the list of conflicts that old versions of git added. */
function withoutConflicts(text: string): string {
  let lines = text.replace(/\s+$/, '').split('\n')
  const at = lines.lastIndexOf('Conflicts:')
  const isRest = (line: string) => line === '' || line.startsWith('\t') || line.startsWith('#')
  if (at >= 0 && lines.slice(at + 1).every(isRest)) lines = lines.slice(0, at)
  while (lines.length > 0 && /^(#|$)/.test(lines[lines.length - 1] ?? '')) lines.pop()
  return lines.join('\n').replace(/\s+$/, '')
}

/** Returns the lines of the last paragraph, if it has trailers; without comments. */
function blockOf(body: string): string[] {
  const lines = withoutConflicts(body).split('\n')
  let start = lines.length
  while (start > 0 && trimSpaces(lines[start - 1] ?? '') !== '') start--
  const block = lines.slice(start).filter((line) => !line.startsWith('#'))
  let [trailers, others, hasOwn] = [0, 0, false]
  let after = false
  for (const line of block) {
    const isOwn = OWN.test(line)
    hasOwn ||= isOwn
    if (isOwn || /^[A-Za-z0-9-]+[ \t]*:/.test(line)) {
      trailers++
      after = true
    } else if (/^[ \t]/.test(line)) {
      if (!after) others++
    } else {
      others++
      after = false
    }
  }
  if (trailers === 0) return []
  return others === 0 || (hasOwn && trailers * 3 >= others) ? block : []
}
