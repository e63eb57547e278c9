import type { Signature } from 'packlens'
import { formatDate, machineDate } from '../text/format'
import { Line } from './text'

/** Shows a time in the zone in which it was written. */
export function When({ signature }: { signature: Signature }) {
  return <time dateTime={machineDate(signature)}>{formatDate(signature)}</time>
}

export function Person({ signature }: { signature: Signature }) {
  const { name, email } = signature
  return (
    <>
      <Line text={name || 'nobody'} />{' '}
      <span class="faint">
        &lt;
        <Line text={email} />
        &gt;
      </span>
    </>
  )
}
