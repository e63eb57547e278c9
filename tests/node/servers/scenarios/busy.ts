/** The server is busy, or refuses. */

import type { Scenario } from '../faults.ts'
import { always, isAny, isPack, once, RIGHT, sometimes, status } from '../faults.ts'

export const busyScenarios: readonly Scenario[] = [
  ...[408, 425, 429, 500, 502, 503, 504].map((code) => ({
    name: `${code}, once`,
    fault: once(isAny, status(code)),
    codes: RIGHT,
  })),
  {
    name: '503 with the seconds to wait, once',
    fault: once(isAny, status(503, { 'Retry-After': '0' })),
    codes: RIGHT,
  },
  {
    name: '429 with a date to wait for that has passed, once',
    fault: once(isAny, status(429, { 'Retry-After': 'Fri, 31 Dec 1999 23:59:59 GMT' })),
    codes: RIGHT,
  },
  { name: '503 for a pack', fault: always(isPack, status(503)), codes: ['NETWORK'], status: 503 },
  {
    name: '500 for all',
    fault: always(isAny, status(500)),
    codes: ['NETWORK'],
    status: 500,
  },
  {
    name: '503 now and then',
    fault: sometimes(20, status(503)),
    codes: RIGHT,
    options: { http: { pause: 1, tries: 20 } },
  },
  ...[400, 401, 403, 418, 204, 304].map((code) => ({
    name: `${code} for a pack`,
    fault: always(isPack, status(code)),
    codes: ['NETWORK'] as const,
    status: code,
  })),
  {
    name: '403 for all',
    fault: always(isAny, status(403)),
    codes: ['NETWORK'],
    status: 403,
    requests: 3,
  },
]
