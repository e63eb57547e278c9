/** Checks the names of variables of the configuration. */

/** Returns what is wrong with a name that no variable can have; `null` for others. */
export function wrongName(name: string): string | null {
  const last = name.lastIndexOf('.')
  if (last <= 0) return 'key does not contain a section'
  if (last === name.length - 1) return 'key does not contain variable name'
  const [section, rest] = [name.slice(0, name.indexOf('.')), name.slice(last + 1)]
  if (!/^[A-Za-z0-9-]*$/.test(section) || !/^[A-Za-z][A-Za-z0-9-]*$/.test(rest)) {
    return 'invalid key'
  }
  return name.includes('\n') ? 'invalid key (newline)' : null
}
