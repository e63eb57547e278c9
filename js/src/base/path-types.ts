/** What files such as `.gitignore` and `.gitattributes` say about paths. */

/** The line that decides whether a path is ignored: {@link Repository.checkIgnore}. */
export interface IgnoreRule {
  /** False if the pattern begins with `!`, which includes the path again. */
  readonly isIgnored: boolean
  /**
   * The file that has the line: the path of a `.gitignore`, `info/exclude` of the git directory,
   * or `core.excludesFile`.
   */
  readonly source: string
  readonly sourceBytes: Uint8Array
  /** The number of the line, from 1. */
  readonly line: number
  readonly pattern: string
  readonly patternBytes: Uint8Array
  /** Returns the fields without bytes. */
  toJSON(): IgnoreRuleJson
}

/** Such a line as plain data. */
export type IgnoreRuleJson = Pick<IgnoreRule, 'isIgnored' | 'source' | 'line' | 'pattern'>

/**
 * The attributes of a path by their names: true for one that is set, false for one that is unset,
 * otherwise its value. One that is unspecified is missing.
 */
export type PathAttributes = Map<string, string | boolean>
