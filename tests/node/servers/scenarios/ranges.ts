/** The server does not support ranges, or not correctly. */

import type { Scenario } from '../faults.ts'
import {
  always,
  chunked,
  fromSomeOn,
  header,
  isIndex,
  isPack,
  isRanged,
  miscounted,
  once,
  RIGHT,
  resized,
  SINGLE,
  shiftedBytes,
  status,
  total,
  unsized,
  whole,
} from '../faults.ts'
import type { Scene } from '../scene.ts'

export function rangesScenarios(scene: Scene): Scenario[] {
  const of = () => scene
  return [
    {
      name: '200 for parts of what is small',
      fault: always((asked) => !isPack(asked), whole(of)),
      codes: RIGHT,
    },
    {
      name: '200 for parts of what is large',
      fault: always(isPack, whole(of)),
      codes: ['UNSUPPORTED'],
    },
    {
      name: '200 for parts of what is large, its size unsaid',
      fault: always(isPack, whole(of, { 'Transfer-Encoding': 'chunked' })),
      codes: ['UNSUPPORTED'],
    },
    {
      name: '200 for parts, and enough memory',
      fault: always(isRanged, whole(of)),
      codes: RIGHT,
      options: { memory: 64 << 20 },
    },
    {
      name: '200 for parts from some on',
      fault: fromSomeOn(isPack, whole(of)),
      codes: ['UNSUPPORTED'],
      must: false,
    },
    {
      name: '416 for a pack',
      fault: always(isPack, status(416)),
      codes: ['CHANGED', 'UNSUPPORTED', 'NETWORK'],
    },
    {
      name: '416 for a pack that was open',
      fault: fromSomeOn(isPack, status(416)),
      codes: ['CHANGED'],
      must: false,
    },
    {
      name: 'a shifted part',
      fault: always(isPack, shiftedBytes(of, 'sent')),
      codes: ['UNSUPPORTED'],
      options: SINGLE,
    },
    {
      name: 'a shifted part, once',
      fault: once(isRanged, shiftedBytes(of, 'sent')),
      codes: RIGHT,
      options: SINGLE,
    },
    {
      name: 'a shifted part with wrong headers',
      fault: always(isPack, shiftedBytes(of, 'expected')),
      codes: ['CORRUPT'],
      options: SINGLE,
    },
    {
      name: 'a shifted part of an index with wrong headers',
      fault: always(isIndex, shiftedBytes(of, 'expected')),
      codes: ['CORRUPT', 'NOT_FOUND', 'LIMIT', 'UNSUPPORTED'],
      options: SINGLE,
    },
    {
      name: 'a part that is too short',
      fault: always(
        isPack,
        resized(of, (random) => -1 - random.below(60_000)),
      ),
      codes: ['UNSUPPORTED'],
      options: SINGLE,
    },
    {
      name: 'a part that is too long',
      fault: always(
        isPack,
        resized(of, (random) => 1 + random.below(60_000)),
      ),
      codes: ['UNSUPPORTED'],
      options: SINGLE,
    },
    {
      name: 'a part that is too short, once',
      fault: once(
        isRanged,
        resized(of, (random) => -1 - random.below(1000)),
      ),
      codes: RIGHT,
      options: SINGLE,
    },
    {
      name: 'a part without its offset',
      fault: always(isPack, header('Content-Range', null)),
      codes: ['UNSUPPORTED'],
      options: SINGLE,
    },
    {
      name: 'a part in no known unit',
      fault: always(isPack, header('Content-Range', 'lines 0-9/70')),
      codes: ['UNSUPPORTED'],
      options: SINGLE,
    },
    {
      name: 'a part with an invalid offset',
      fault: always(isPack, header('Content-Range', 'bytes 9-0/5')),
      codes: ['UNSUPPORTED'],
      options: SINGLE,
    },
    {
      name: 'a part of a file without a size',
      fault: always(isRanged, unsized),
      codes: RIGHT,
      options: SINGLE,
    },
    {
      name: 'parts of a file without a size',
      fault: always(isRanged, unsized),
      codes: RIGHT,
    },
    {
      name: 'parts without a size from some on',
      fault: fromSomeOn(isPack, unsized),
      codes: RIGHT,
    },
    {
      name: 'a part without a size, which no other answer has',
      fault: always(isPack, (reply, asked, random) => {
        if (asked.method === 'HEAD') chunked(reply, asked, random)
        else unsized(reply, asked, random)
      }),
      codes: ['UNSUPPORTED'],
      options: SINGLE,
    },
    {
      name: 'a part without a size that is too short',
      fault: always(isPack, (reply, asked, random) => {
        resized(of, () => -1 - random.below(60_000))(reply, asked, random)
        unsized(reply, asked, random)
      }),
      codes: ['UNSUPPORTED'],
      options: SINGLE,
    },
    {
      name: 'a part without a size that is too long',
      fault: always(isPack, (reply, asked, random) => {
        resized(of, () => 1 + random.below(60_000))(reply, asked, random)
        unsized(reply, asked, random)
      }),
      codes: ['UNSUPPORTED'],
      options: SINGLE,
    },
    {
      name: 'a part without a size of another version',
      fault: fromSomeOn(isPack, (reply, asked, random) => {
        unsized(reply, asked, random)
        reply.headers.ETag = '"new"'
      }),
      codes: ['CHANGED'],
      options: SINGLE,
      must: false,
    },
    {
      name: 'a part of a file of another size',
      fault: fromSomeOn(
        isPack,
        total((size) => `${size + 1}`),
      ),
      codes: ['CHANGED'],
      options: SINGLE,
      must: false,
    },
    {
      name: 'a part of a file beyond all sizes',
      fault: always(
        isPack,
        total(() => '9999999999999999'),
      ),
      codes: ['UNSUPPORTED'],
      options: SINGLE,
    },
    {
      name: 'more bytes than announced',
      fault: always(isPack, miscounted(10)),
      codes: ['UNSUPPORTED'],
      options: SINGLE,
    },
    {
      name: 'more bytes than announced, once',
      fault: once(isRanged, miscounted(10)),
      codes: RIGHT,
    },
    {
      name: 'fewer bytes than announced',
      fault: always(isPack, miscounted(-10)),
      codes: ['NETWORK'],
      options: SINGLE,
    },
    {
      name: 'fewer bytes than announced, once',
      fault: once(isRanged, miscounted(-10)),
      codes: RIGHT,
    },
    { name: 'parts without a length', fault: always(isRanged, chunked), codes: RIGHT },
    {
      name: 'a wrong Content-Length',
      fault: always(isPack, header('Content-Length', '999999')),
      codes: ['NETWORK', 'UNSUPPORTED'],
      options: { http: { pause: 1, timeout: 40, tries: 2, multipart: false } },
    },
  ]
}
