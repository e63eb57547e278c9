import type { Signature } from 'packlens'
import { formatDate, machineDate } from '../text/format'
import { Line } from './text'

/** The time in the zone it was written in. */
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
