/** Shows text from a repository. All such text passes through here or is a plain text node. */
import type { Run } from '../text/visible'
import { visibleBytes, visibleRuns } from '../text/visible'

function Runs({ runs }: { runs: readonly Run[] }) {
  return (
    <bdi>
      {runs.map((run, at) =>
        run.hidden ? (
          <span key={at} class="hidden-character">
            {run.text}
          </span>
        ) : (
          run.text
        ),
      )}
    </bdi>
  )
}

/** Shows one line. */
export function Line({ text }: { text: string }) {
  return <Runs runs={visibleRuns(text)} />
}

/** Shows a name, which need not be UTF-8. */
export function Name({ bytes }: { bytes: Uint8Array }) {
  return <Runs runs={visibleBytes(bytes)} />
}
