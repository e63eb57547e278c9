/** Replies with several ranges. */

import type { Scenario } from '../faults.ts'
import {
  always,
  cut,
  END,
  edited,
  firstOnly,
  header,
  isSeveral,
  once,
  RIGHT,
  reordered,
  status,
  whole,
} from '../faults.ts'
import type { Scene } from '../scene.ts'

const parts = (edit: (body: string) => string) => always(isSeveral, edited(edit))

export function multipartScenarios(scene: Scene): Scenario[] {
  const of = () => scene
  return [
    {
      name: 'the first of several ranges alone',
      fault: always(isSeveral, firstOnly(of)),
      codes: RIGHT,
    },
    { name: '200 for several ranges', fault: always(isSeveral, whole(of)), codes: RIGHT },
    { name: '416 for several ranges', fault: always(isSeveral, status(416)), codes: RIGHT },
    { name: '400 for several ranges', fault: always(isSeveral, status(400)), codes: RIGHT },
    { name: '501 for several ranges', fault: always(isSeveral, status(501)), codes: RIGHT },
    {
      name: 'parts without a boundary',
      fault: always(isSeveral, header('Content-Type', 'multipart/byteranges')),
      codes: RIGHT,
    },
    {
      name: 'parts with another boundary',
      fault: always(isSeveral, header('Content-Type', 'multipart/byteranges; boundary=other')),
      codes: RIGHT,
    },
    {
      name: 'parts that are text',
      fault: always(isSeveral, header('Content-Type', 'text/plain')),
      codes: RIGHT,
    },
    {
      name: 'a part that is missing',
      fault: parts((body) => body.slice(0, body.lastIndexOf('\r\n--THIS', body.length - 30)) + END),
      codes: RIGHT,
    },
    { name: 'parts in another order', fault: parts(reordered), codes: RIGHT },
    {
      name: 'parts twice',
      fault: parts((body) => body.slice(0, -END.length) + body),
      codes: RIGHT,
    },
    {
      name: 'parts without an end',
      fault: parts((body) => body.slice(0, -END.length)),
      codes: RIGHT,
    },
    { name: 'bytes after the last part', fault: parts((body) => `${body}more`), codes: RIGHT },
    { name: 'bytes before the first part', fault: parts((body) => `before${body}`), codes: RIGHT },
    {
      name: 'a part that is too short among several',
      fault: parts((body) => body.replace(/\r\n\r\n[\s\S]/, '\r\n\r\n')),
      codes: RIGHT,
    },
    {
      name: 'a part at another offset among several',
      fault: parts((body) => body.replace(/Content-Range: bytes \d/, 'Content-Range: bytes 9')),
      codes: RIGHT,
    },
    {
      name: 'parts of files of other sizes',
      fault: parts((body) => body.replace(/\/\d+\r\n\r\n/, '/77\r\n\r\n')),
      codes: RIGHT,
    },
    {
      name: 'a part without its offset among several',
      fault: parts((body) => body.replace(/Content-Range:/, 'X:')),
      codes: RIGHT,
    },
    {
      name: 'a part whose headers have no end',
      fault: parts((body) => body.replace(/\r\n\r\n/, `\r\nX: ${'x'.repeat(5000)}`)),
      codes: RIGHT,
    },
    { name: 'several parts that are cut short, once', fault: once(isSeveral, cut), codes: RIGHT },
  ]
}
