/** `--color-moved` and `--color-moved-ws`: whether lines that were moved have colors of their own. */
import { configBoolean } from '../../../base/config-values.js'
import type { Option } from '../args/options.js'
import { Exit } from '../base/exit.js'
import type { Settings } from '../config/settings.js'

/** How moved lines are colored; `null` if they are not looked for. */
export type MovedMode = 'plain' | 'blocks' | 'zebra' | 'dimmed-zebra' | null

/** White space that does not count for moved lines. */
export type MovedSpace = 'all' | 'amount' | 'at-eol' | 'indentation' | null

export interface MovedArgs {
  moved: { readonly mode: MovedMode; readonly space: MovedSpace }
}

const MODES: Readonly<Record<string, MovedMode>> = {
  no: null,
  default: 'zebra',
  plain: 'plain',
  blocks: 'blocks',
  zebra: 'zebra',
  'dimmed-zebra': 'dimmed-zebra',
  dimmed_zebra: 'dimmed-zebra',
}

const INDENTATION = 'allow-indentation-change'

/** The kinds of white space; the first that is named decides. */
const SPACES: Readonly<Record<string, MovedSpace>> = {
  'ignore-all-space': 'all',
  'ignore-space-change': 'amount',
  'ignore-space-at-eol': 'at-eol',
}

export function movedOptions(args: MovedArgs): Option[] {
  return [
    {
      ...{ long: 'color-moved', value: 'optional', negatable: true },
      set(value = 'default', negated) {
        const mode = negated ? null : modeNamed(value)
        if (mode === undefined) {
          throw new Exit(129, `${WRONG_MODE}error: bad --color-moved argument: ${value}\n`)
        }
        args.moved = { ...args.moved, mode }
      },
    },
    {
      ...{ long: 'color-moved-ws', value: 'required', negatable: true },
      set(value = '', negated) {
        const wrong = `error: invalid mode '${value}' in --color-moved-ws\n`
        const space = negated ? null : spaceNamed(value, (what) => new Exit(129, what + wrong))
        args.moved = { ...args.moved, space }
      },
    },
  ]
}

/** Returns what the configuration says. */
export function movedIn(settings: Settings): MovedArgs['moved'] {
  const [name, spaces] = ['diff.colormoved', 'diff.colormovedws']
  const value = settings.word(name)
  const mode = value === undefined ? null : modeNamed(value ?? 'true')
  const wrong = (what: string, of: string) =>
    new Exit(128, `${what}fatal: bad config variable '${of}'\n`)
  if (mode === undefined) throw wrong(WRONG_MODE, name)
  const given = settings.text(spaces)
  const space = given === undefined ? null : spaceNamed(given, (what) => wrong(what, spaces))
  return { mode, space }
}

const WRONG_MODE =
  "error: color moved setting must be one of 'no', 'default', 'blocks', 'zebra', 'dimmed-zebra', 'plain'\n"

/** Returns the mode of a word, or of a boolean; `undefined` if there is none. */
function modeNamed(word: string): MovedMode | undefined {
  const flag = configBoolean(word)
  if (flag !== null) return flag ? 'zebra' : null
  return Object.hasOwn(MODES, word) ? MODES[word] : undefined
}

function spaceNamed(list: string, fail: (what: string) => Exit): MovedSpace {
  const given = new Set<string>()
  for (const one of list.split(',').map((word) => word.trim())) {
    if (one === 'no') given.clear()
    else if (one === INDENTATION || Object.hasOwn(SPACES, one)) given.add(one)
    else {
      const known = [
        ...['ignore-space-change', 'ignore-space-at-eol', 'ignore-all-space', INDENTATION],
      ].map((name) => `'${name}'`)
      throw fail(
        `error: unknown color-moved-ws mode '${one}', possible values are ${known.join(', ')}\n`,
      )
    }
  }
  if (given.has(INDENTATION)) {
    if (given.size === 1) return 'indentation'
    throw fail(
      `error: color-moved-ws: ${INDENTATION} cannot be combined with other whitespace modes\n`,
    )
  }
  const first = Object.keys(SPACES).find((name) => given.has(name))
  return first === undefined ? null : (SPACES[first] ?? null)
}
