/** Dates in the names of earlier values of refs, such as `main@{yesterday}`. */
import { knownSeconds } from '../dates/loose-date.js'

/** What of a name is before its suffixes: `^`, `~`, and the path after `:`. */
const REF = /^(?:[^:^~@]|@(?!\{)|@\{[^}]*\})*/

/** What braces hold that is no date: a number of changes, a number of branches, other branches. */
const NO_DATE = /^(-?\d{1,8}|u|upstream|push)$/i

/** Returns a name with seconds since 1970, which the core knows, in place of dates. */
export function withSeconds(name: string): string {
  if (!name.includes('@{')) return name
  const [ref = ''] = REF.exec(name) ?? []
  const dated = ref.replace(/@\{([^}]*)\}/g, (whole, text: string) => {
    const seconds = NO_DATE.test(text) ? null : knownSeconds(text)
    return seconds === null || seconds < 0 ? whole : `@{@${seconds}}`
  })
  return dated + name.slice(ref.length)
}
