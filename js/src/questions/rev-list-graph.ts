/** Lists commits with their neighbours in the listed history. */

import type { RevListQuestion } from '../base/protocol.js'
import { REV_LIST_GRAPH } from '../options/full-tables.js'
import { checkArgument, checkOptions, texts } from '../options/rules.js'
import { listing, sharedWalk } from './commit-walks.js'
import type { RevListGraphOptions } from './history.js'
import { revListQuestion } from './history.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'

/** A commit that {@link Repository.revListGraph} lists. */
export interface GraphCommit {
  readonly oid: string
  /**
   * The nearest listed ancestors: of a history that is limited to paths, in place of parents that
   * are not listed.
   */
  readonly parents: readonly string[]
  /** The children; empty without the option `children`. */
  readonly children: readonly string[]
  /** The side of `a...b` that reaches the commit; `null` without the option `leftRight`. */
  readonly side: 'left' | 'right' | null
  /** Whether a commit of the other side makes the same change: with the option `cherryMark`. */
  readonly equivalent: boolean
  /** Whether the list ends at this commit: it is not listed itself, but a child of it is. */
  readonly boundary: boolean
  /** The revision's commit from which the walk came here; `null` without the option `source`. */
  readonly source: string | null
}

const SIDES: Readonly<Record<string, 'left' | 'right'>> = { '<': 'left', '>': 'right' }

/** Lists commits with their parents. */
export function revListGraph(
  context: RepositoryContext,
  specs: string | Iterable<string>,
  options: RevListGraphOptions = {},
): Listing<GraphCommit> {
  checkOptions('revListGraph', options, REV_LIST_GRAPH)
  checkArgument('revListGraph', 'the first argument', specs, texts)
  const begin = () => sharedWalk(context, graphQuestion(specs, options))
  return listing(context, begin, commitsIn, options)
}

/** Returns the request that lists commits with their parents, for options that are checked. */
export function graphQuestion(
  specs: string | Iterable<string>,
  options: RevListGraphOptions,
): RevListQuestion {
  // A first page does not load this.
  const { source } = options
  return { ...revListQuestion(specs, options, 'parents', 'spaced'), source }
}

/**
 * Returns the commits of a page, one a line: a mark, the id, a space and the id of each parent;
 * with children two spaces before the first of them; then a tab and the source, if asked for.
 */
function* commitsIn(page: Uint8Array): Generator<GraphCommit, undefined> {
  const lines = new TextDecoder('latin1').decode(page).split('\n')
  for (const line of lines.slice(0, -1)) {
    const mark = /^[-<>=+]?/.exec(line)?.[0] ?? ''
    const [ids = '', source = null] = line.slice(mark.length).split('\t')
    const [own = '', below = ''] = ids.split('  ')
    const [oid = '', ...parents] = own.split(' ')
    const children = below === '' ? [] : below.split(' ')
    const side = SIDES[mark] ?? null
    const [equivalent, boundary] = [mark === '=', mark === '-']
    yield { oid, parents, children, side, equivalent, boundary, source }
  }
}
