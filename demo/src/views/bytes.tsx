import { HEX_LIMIT } from '../reading/content'
import { formatSize } from '../text/format'
import { hexDump } from '../text/hex-dump'
import { pages } from '../words/pages'

/** Shows the first bytes of a file that is neither text nor an image, and says why. */
export function Bytes({ head, why }: { head: Uint8Array; why: string }) {
  return (
    <>
      <p class="note">{pages.asBytes(why, formatSize(Math.min(HEX_LIMIT, head.length)))}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls */}
      <section class="scrolling" aria-label={pages.bytes} tabIndex={0}>
        <pre class="text">{hexDump(head.subarray(0, HEX_LIMIT))}</pre>
      </section>
    </>
  )
}
