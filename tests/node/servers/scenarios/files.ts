/** Files are missing, or do not match their names. */

import type { Scenario } from '../faults.ts'
import {
  always,
  fromSomeOn,
  isAny,
  isIndex,
  isPack,
  named,
  padded,
  page,
  pageForAll,
  RIGHT,
  status,
  text,
} from '../faults.ts'

export const filesScenarios: readonly Scenario[] = [
  {
    name: '404 for a pack that was open',
    fault: fromSomeOn(isPack, status(404)),
    // No other pack has the object either.
    codes: ['NOT_FOUND'],
    must: false,
  },
  {
    name: '410 for a pack that was open',
    fault: fromSomeOn(isPack, status(410)),
    // No other pack has the object either.
    codes: ['NOT_FOUND'],
    must: false,
  },
  {
    name: '404 for a pack that is listed',
    fault: always(isPack, status(404)),
    codes: ['NOT_FOUND'],
  },
  { name: '404 for an index', fault: always(isIndex, status(404)), codes: RIGHT },
  { name: '404 for all', fault: always(isAny, status(404)), codes: ['NOT_FOUND'] },
  { name: 'a page for missing files', fault: always(isAny, page), codes: RIGHT },
  {
    name: 'a page for everything',
    fault: always(isAny, pageForAll),
    codes: ['NETWORK'],
    status: 200,
  },
  {
    name: 'a page for a pack',
    fault: always(isPack, pageForAll),
    codes: ['NETWORK'],
    status: 200,
  },
  { name: 'a HEAD without end', fault: always(named('HEAD'), padded), codes: ['LIMIT'] },
  {
    name: 'a HEAD that is not one',
    fault: always(named('HEAD'), text('hello\n')),
    codes: ['NETWORK'],
    status: 200,
  },
  {
    name: 'a list of packs without end',
    fault: always(named('objects/info/packs'), padded),
    codes: ['LIMIT'],
  },
  {
    name: 'a list of packs in other folders',
    fault: always(
      named('objects/info/packs'),
      text('P ../../../etc/pack-1.pack\nP pack-../x.pack\n'),
    ),
    codes: ['NOT_FOUND'],
  },
  {
    name: 'no list of packs',
    fault: always(named('objects/info/packs'), status(404)),
    codes: ['NOT_FOUND'],
  },
  {
    name: 'a list of refs that is not one',
    fault: always(named('info/refs'), text('hello\n')),
    codes: ['NOT_FOUND', 'UNSUPPORTED'],
  },
]
