import { useLayoutEffect, useState } from 'preact/hooks'
import { droppedCandidate } from '../repository/dropped'
import type { Start } from '../use-opening'
import { first } from '../words/first'

/** Accepts drops on the whole page, and says so during a drag over it. */
export function DropZone({ onDrop }: { onDrop: Start }) {
  const [over, setOver] = useState(false)
  useLayoutEffect(() => {
    const listeners = new AbortController()
    const { signal } = listeners
    const dragged = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setOver(true)
    }
    addEventListener('dragenter', dragged, { signal })
    addEventListener('dragover', dragged, { signal })
    addEventListener(
      'dragleave',
      // Moving from one element of the page to another does not leave the page.
      (event) => event.relatedTarget === null && setOver(false),
      { signal },
    )
    addEventListener(
      'drop',
      (event) => {
        setOver(false)
        const { dataTransfer } = event
        if (!dataTransfer?.types.includes('Files')) return
        event.preventDefault()
        const candidate = droppedCandidate(dataTransfer)
        onDrop(() => candidate)
      },
      { signal },
    )
    return () => listeners.abort()
  }, [])
  if (!over) return null
  return (
    <div class="drop" aria-hidden="true">
      <p>{first.drop}</p>
    </div>
  )
}
