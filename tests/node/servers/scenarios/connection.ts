/** The connection breaks, stalls, or a proxy changes the replies. */

import type { Scenario } from '../faults.ts'
import {
  always,
  cut,
  drip,
  gzipped,
  header,
  isAny,
  isPack,
  isRanged,
  isText,
  once,
  RATED,
  RIGHT,
  raw,
  SHORT,
  silence,
  sometimes,
  stall,
  status,
} from '../faults.ts'
import { PACK } from '../scene.ts'

export const connectionScenarios: readonly Scenario[] = [
  { name: 'a connection that breaks, once', fault: once(isAny, cut), codes: RIGHT },
  { name: 'a connection that breaks', fault: always(isPack, cut), codes: ['NETWORK'] },
  {
    name: 'connections that break now and then',
    fault: sometimes(20, cut),
    codes: RIGHT,
    options: { http: { pause: 1, tries: 20 } },
  },
  { name: 'no answer, once', fault: once(isAny, silence), codes: RIGHT, options: SHORT },
  {
    name: 'no answer',
    fault: always(isPack, silence),
    codes: ['NETWORK'],
    options: { http: { pause: 1, timeout: 40, tries: 2 } },
  },
  { name: 'a body that stops, once', fault: once(isAny, stall), codes: RIGHT, options: SHORT },
  {
    name: 'a body that stops',
    fault: always(isPack, stall),
    codes: ['NETWORK'],
    options: { http: { pause: 1, timeout: 40, tries: 2 } },
  },
  {
    name: 'a body that comes too slowly, once',
    fault: once(isRanged, drip),
    codes: RIGHT,
    options: RATED,
  },
  {
    name: 'a body that comes too slowly',
    fault: always(isPack, drip),
    codes: ['NETWORK'],
    options: { http: { ...RATED.http, tries: 2 } },
  },
  {
    name: 'an answer that is not HTTP',
    fault: always(isPack, raw('220 ftp ready\r\n\r\n')),
    codes: ['NETWORK'],
  },
  {
    name: 'an answer that is not HTTP, once',
    fault: once(isAny, raw('HTTP/1.1 2')),
    codes: RIGHT,
  },
  { name: 'small files that are compressed', fault: always(isText, gzipped), codes: RIGHT },
  { name: 'parts that are compressed', fault: always(isPack, gzipped), codes: ['UNSUPPORTED'] },
  {
    name: 'parts that are said to be compressed',
    fault: always(isPack, header('Content-Encoding', 'gzip')),
    codes: ['UNSUPPORTED', 'NETWORK'],
  },
  {
    name: 'small files that are said to be compressed',
    fault: always(isText, header('Content-Encoding', 'gzip')),
    codes: ['NETWORK'],
  },
  {
    name: 'a redirect without end',
    fault: always(isPack, status(302, { Location: PACK })),
    codes: ['NETWORK'],
    steps: 21,
  },
  {
    name: 'a redirect to a missing page',
    fault: always(isPack, status(302, { Location: 'http://127.0.0.1:1/' })),
    codes: ['NETWORK'],
  },
]
