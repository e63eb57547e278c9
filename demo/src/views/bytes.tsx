import { HEX_LIMIT } from '../reading/content'
import { formatSize } from '../text/format'
import { hexDump } from '../text/hex-dump'

/** Shows the first bytes of a file that is neither text nor an image, and says why. */
export function Bytes({ head, why }: { head: Uint8Array; why: string }) {
  return (
    <>
      <p class="note">
        {why} Its first {formatSize(Math.min(HEX_LIMIT, head.length))} as bytes:
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls */}
      <section class="scrolling" aria-label="Bytes" tabIndex={0}>
        <pre class="text">{hexDump(head.subarray(0, HEX_LIMIT))}</pre>
      </section>
    </>
  )
}
