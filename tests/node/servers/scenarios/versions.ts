/** Files change during the reads. */

import type { Scenario } from '../faults.ts'
import {
  always,
  fromSecond,
  fromSomeOn,
  header,
  isLater,
  isPack,
  otherVersion,
  RIGHT,
  SINGLE,
  UNCHECKED,
  unmarked,
  weakEtag,
  withoutEtag,
} from '../faults.ts'

export const versionsScenarios: readonly Scenario[] = [
  {
    name: 'a pack that changes, and its ETag',
    fault: (its) =>
      fromSomeOn(
        isLater,
        otherVersion(its, (headers) => {
          headers.ETag = '"new"'
        }),
      )(its),
    codes: ['CHANGED'],
    options: UNCHECKED,
    must: false,
  },
  {
    name: 'a pack that changes, and its time',
    fault: withoutEtag((its) =>
      fromSomeOn(
        isLater,
        otherVersion(its, (headers) => {
          headers['Last-Modified'] = new Date(0).toUTCString()
        }),
      )(its),
    ),
    codes: ['CHANGED'],
    options: UNCHECKED,
    must: false,
  },
  {
    name: 'a pack that changes and loses its ETag',
    fault: (its) =>
      fromSomeOn(
        isLater,
        otherVersion(its, (headers) => {
          delete headers.ETag
        }),
      )(its),
    codes: ['CHANGED'],
    options: UNCHECKED,
    must: false,
  },
  {
    name: 'two servers that have different versions, in turn',
    fault: (its) =>
      always(
        (asked) => isPack(asked) && its.random.chance(50),
        otherVersion(its, (headers) => {
          headers.ETag = '"other"'
        }),
      )(its),
    codes: ['CHANGED'],
    options: UNCHECKED,
    must: false,
  },
  {
    name: 'a pack that changes and keeps its size, without any mark',
    fault: unmarked((its) =>
      fromSomeOn(
        isLater,
        otherVersion(its, () => {}),
      )(its),
    ),
    codes: ['CORRUPT'],
    options: SINGLE,
    must: false,
  },
  {
    name: 'an ETag that changes',
    fault: fromSomeOn(isPack, header('ETag', '"new"')),
    codes: ['CHANGED'],
    must: false,
  },
  { name: 'a weak ETag that changes', fault: weakEtag, codes: RIGHT },
  {
    name: 'a list of refs that changes',
    fault: fromSecond('/repo.git/info/refs', header('ETag', '"new"')),
    codes: ['CHANGED'],
    must: false,
  },
]
