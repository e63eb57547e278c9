/**
 * The questions to every kind of source, and the fixtures. All kinds
 * must give git's answers.
 */
import type { OpenOptions } from 'packlens'
import { load, open, openSync } from 'packlens'
import type { Expected } from './expected.ts'
import type { Kind, Place, Promises, Question } from './question.ts'
import { aborted, abortedLater, closed } from './questions/ending.ts'
import { absent, refs, revisions, trees } from './questions/names.ts'
import {
  batches,
  content,
  info,
  listing,
  littleMemory,
  streams,
  withoutPromises,
} from './questions/objects.ts'

type Source = Parameters<typeof open>[0]

/** A source, which may be opened more than once. */
export async function placeOf(
  make: () => Source | Promise<Source>,
  always: OpenOptions = {},
): Promise<Place> {
  await load()
  const source = await make()
  return {
    open: (options) => open(source, { ...always, ...options }),
    openSync: () => openSync(source, always),
  }
}

/** Returns a kind of source that is opened in this thread. */
export function kind(
  name: string,
  promises: Promises,
  of: Kind['of'],
  make: (of: Expected) => Source | Promise<Source>,
  options?: OpenOptions,
): Kind {
  const ask: Kind['ask'] = async (question, of) =>
    question.ask(await placeOf(() => make(of), options), of)
  return { name, promises, of, ask }
}

/** Fixtures with many packs, loose objects, worktrees, both hashes, or nothing. */
const chosen = [
  'mixed',
  'loose',
  'sha256',
  'sha256-loose',
  'main',
  'hostile',
  'worktree',
  'worktree-linked',
  'worktree-separate',
  'reftable',
  'reftable-sha256',
  'reftable-worktree',
  'reftable-linked',
  'unborn',
  'empty',
]

/** How a call ends does not depend on what a repository has. */
const few = ['mixed', 'loose', 'sha256', 'main', 'worktree-linked', 'reftable']

/** The questions, each with its fixtures. */
const rounds: readonly (readonly [readonly Question[], (of: Expected) => boolean])[] = [
  [[content, littleMemory, info], () => true],
  [[batches, revisions, refs, trees, streams, absent], ({ name }) => chosen.includes(name)],
  // A listing reads 256 folders.
  [[listing], ({ name }) => ['mixed', 'loose', 'sha256', 'worktree-linked'].includes(name)],
  [[withoutPromises], ({ objects }) => objects.length > 0],
  [[aborted, abortedLater, closed], ({ name }) => few.includes(name)],
]

export const questions: readonly Question[] = rounds.flatMap(([list]) => list)

/** Returns the questions and fixtures of a kind. */
export function roundsOf(kind: Kind, fixtures: readonly Expected[]): [Question, Expected[]][] {
  return rounds.flatMap(([list, isAbout]) => {
    const about = fixtures.filter(isAbout).flatMap((of) => kind.of(of) ?? [])
    return list.map((question): [Question, Expected[]] => [question, about.map(thinned)])
  })
}

/** Uses every fifth revision: kinds of sources do not differ in the others. */
function thinned(of: Expected): Expected {
  const some = Object.entries(of.resolve).filter((_, at) => at % 5 === 0)
  return { ...of, resolve: Object.fromEntries(some) }
}
