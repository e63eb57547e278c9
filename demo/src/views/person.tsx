import type { Signature } from 'packlens'
import { formatDate, formatDistance, machineDate } from '../text/format'
import { first } from '../words/first'
import { Line } from './text'

/** Shows a time in the zone in which it was written. */
export function When({ signature }: { signature: Signature }) {
  return <time dateTime={machineDate(signature)}>{formatDate(signature)}</time>
}

/** Shows how long ago a time is; the exact time on request. */
export function Ago({ signature }: { signature: Signature }) {
  return (
    <time dateTime={machineDate(signature)} title={formatDate(signature)}>
      {formatDistance(signature)}
    </time>
  )
}

export function Person({ signature }: { signature: Signature }) {
  const { name, email } = signature
  return (
    <>
      <Line text={name || first.nobody} />{' '}
      <span class="faint">
        &lt;
        <Line text={email} />
        &gt;
      </span>
    </>
  )
}
