/**
 * The description of a command: its usage, completion and page of the documentation are made
 * of it. `tests/node/help.test.ts` compares it with the options that the parsers take.
 */

/** What help says about a command. */
export interface Description {
  /** What it does, in a line. */
  readonly about: string
  /** Its forms, each without the name of the command. */
  readonly usages: readonly string[]
  readonly groups: readonly OptionGroup[]
  /** What the options alone do not say. */
  readonly notes?: string
  /** What a shell completes beside options and paths. */
  readonly operands?: 'revisions' | 'refs'
  /** What the first argument may be. */
  readonly words?: readonly string[]
}

export interface OptionGroup {
  readonly title?: string
  readonly options: readonly OptionRow[]
}

/** The names of an option, as {@link namesIn} reads them, and what it does. */
export type OptionRow = readonly [names: string, about: string]

/** A name of an option. */
export interface OptionName {
  /** With its dashes. */
  readonly name: string
  /** Whether a value may or must follow. */
  readonly value?: 'optional' | 'required'
  /** Whether there is a `--no-` of it. */
  readonly negatable: boolean
}

/**
 * Parses the names of a row, as usages of git write them: `-o, --[no-]output <file>`,
 * `--abbrev[=<n>]`. A value that one name shows belongs to all of the row.
 */
export function namesIn([names]: OptionRow): OptionName[] {
  const parts = names.split(', ').filter((part) => part.startsWith('-'))
  const value = /\[=?</.test(names) ? 'optional' : names.includes('<') ? 'required' : undefined
  return parts.map((part) => {
    const [, dashes = '', negation, name = ''] = /^(--?)(\[no-\])?([^\s[=<]+)/.exec(part) ?? []
    const called = dashes === '-' ? name.charAt(0) : name
    return {
      name: dashes + called,
      ...(value ? { value } : {}),
      negatable: negation !== undefined,
    }
  })
}

/** Returns the names of all options of a command. */
export function optionNames({ groups }: Description): OptionName[] {
  return groups.flatMap(({ options }) => options.flatMap(namesIn))
}

/** Returns the long names of options, with those of `--no-`, as shells complete them. */
export function longNames(description: Description): string[] {
  return optionNames(description).flatMap(({ name, negatable }) => {
    if (!name.startsWith('--')) return []
    return negatable ? [name, `--no-${name.slice(2)}`] : [name]
  })
}

/** Returns groups without some names of options, which mean something else in a command. */
export function withoutNames(groups: readonly OptionGroup[], dropped: readonly string[]) {
  return groups.map(({ options, ...group }) => {
    const kept = options.flatMap(([names, about]): OptionRow[] => {
      const parts = names.split(', ')
      const left = parts.filter((part) => {
        return namesIn([part, '']).every(({ name }) => !dropped.includes(name))
      })
      return left.length > 0 ? [[left.join(', '), about]] : []
    })
    return { ...group, options: kept }
  })
}
