import { useRef, useState } from 'preact/hooks'
import type { Opened } from '../repository/opened'
import { pageOf } from '../repository/page-address'
import { fileListCandidate, folderCandidate, packCandidate } from '../repository/picked'
import { formatRoute, home } from '../route'
import type { Start } from '../use-opening'
import { first } from '../words/first'
import { RecentPicker } from './recent'

declare global {
  interface Window {
    showDirectoryPicker?: () => Promise<FileSystemDirectoryHandle>
  }
}

/** No standard defines this attribute, so preact does not know it. */
const wholeFolders = { webkitdirectory: true }

/** Buttons to open another repository, in a dashed frame that invites drops. */
export function OpenButtons({ opened, onOpen }: { opened: Opened | null; onOpen: Start }) {
  const folder = useRef<HTMLInputElement>(null)
  const packs = useRef<HTMLInputElement>(null)
  const [folded, setFolded] = useState(true)
  const openFolder = () => {
    if (window.showDirectoryPicker) onOpen(pickFolder)
    else folder.current?.click()
  }
  const files = (input: HTMLInputElement) => {
    const chosen = Array.from(input.files ?? [])
    // Cleared, because choosing the same files again would be no change.
    input.value = ''
    return chosen
  }
  return (
    <section class={opened && folded ? 'open folded' : 'open'} aria-label={first.openAnother}>
      {/* Only narrow screens show it, and hide the others. */}
      {opened ? (
        <button
          type="button"
          class="unfold"
          aria-expanded={!folded}
          onClick={() => setFolded(!folded)}
        >
          {first.openAnother}
        </button>
      ) : null}
      <button type="button" onClick={openFolder}>
        {first.openFolder}
      </button>
      <button type="button" onClick={() => packs.current?.click()}>
        {first.openPack}
      </button>
      <form
        class="address"
        aria-label={first.openAddress}
        onSubmit={(event) => {
          event.preventDefault()
          const address = new FormData(event.currentTarget).get('address')
          // A page of its own, so that its address can be given to others.
          if (address) location.assign(pageOf(String(address).trim()) + hashOfHome)
        }}
      >
        <input
          name="address"
          inputMode="url"
          placeholder={first.addressHint}
          aria-label={first.address}
          autocapitalize="off"
          spellcheck={false}
        />
        <button type="submit">{first.open}</button>
      </form>
      <RecentPicker opened={opened} onOpen={onOpen} />
      <span class="faint small drop-hint">{first.orDrop}</span>
      {window.showDirectoryPicker ? null : (
        <span class="faint small limits">{first.keepsNoFolder}</span>
      )}
      <input
        ref={folder}
        hidden
        type="file"
        aria-label={first.folderInput}
        {...wholeFolders}
        onChange={({ currentTarget }) => {
          const chosen = files(currentTarget)
          if (chosen.length > 0) onOpen(async () => fileListCandidate(chosen))
        }}
      />
      <input
        ref={packs}
        hidden
        type="file"
        aria-label={first.packInput}
        multiple
        accept=".pack,.idx,.bundle,.zip"
        onChange={({ currentTarget }) => {
          const chosen = files(currentTarget)
          if (chosen.length > 0) onOpen(() => packCandidate(chosen))
        }}
      />
    </section>
  )
}

const hashOfHome = formatRoute(home)

/** Returns `null` if the user closes the dialog. */
async function pickFolder() {
  try {
    const handle = await window.showDirectoryPicker?.()
    return handle ? folderCandidate(handle, handle.name) : null
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null
    throw error
  }
}
