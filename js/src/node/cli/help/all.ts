/** The descriptions of all commands, in the order of their names. */
import type { Description } from './description.js'
import { FILES } from './files.js'
import { HISTORY } from './history.js'
import { OBJECTS } from './objects.js'
import { PACKS } from './packs.js'
import { REFS } from './refs.js'
import { SHELL } from './shell.js'

const ALL = {
  ...FILES,
  ...HISTORY,
  ...OBJECTS,
  ...PACKS,
  ...REFS,
  ...SHELL,
} satisfies Record<string, Description>

/** Every command: one without a description does not compile. */
export type CommandName = keyof typeof ALL

/** What there is to say of each command. */
export const DESCRIPTIONS: Readonly<Record<string, Description>> = Object.fromEntries(
  Object.entries(ALL).sort(([one], [other]) => (one < other ? -1 : 1)),
)
