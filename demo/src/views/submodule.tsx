/** Shows a submodule, with a link to its repository if that is a page. */
import type { Submodule } from 'packlens'
import { useEffect, useState } from 'preact/hooks'
import { adviceFor } from '../reading/advice'
import type { Page } from '../reading/page'
import { pathBytesOf, rootOf } from '../reading/page'
import type { Opened } from '../repository/opened'
import { encodeKey } from '../route'
import { pages } from '../words/pages'
import { Id } from './id'
import { Line } from './text'

type SubmodulePage = Extract<Page, { type: 'submodule' }>

export function SubmoduleView({ opened, page }: { opened: Opened; page: SubmodulePage }) {
  const [about, setAbout] = useState<About>({ type: 'reading' })
  useEffect(() => {
    let isCurrent = true
    const show = (about: About) => isCurrent && setAbout(about)
    opened.meter
      .beside(
        () => pages.actions.submodule,
        () => findSubmodule(opened, page),
      )
      .then(
        (found) => show(found ? { type: 'found', found } : { type: 'unnamed' }),
        (error: unknown) => show({ type: 'failed', detail: adviceFor(error).detail }),
      )
    return () => {
      isCurrent = false
    }
  }, [opened, page])
  return (
    <section class="card" aria-labelledby="content">
      <div class="card-head file-head">
        <h2 id="content">{pages.submodule}</h2>
        <Id oid={page.oid} kind="commit" />
      </div>
      <p class="note" aria-busy={about.type === 'reading'}>
        {pages.submoduleNote} <Origin about={about} />
      </p>
    </section>
  )
}

type About =
  | { readonly type: 'reading' }
  | { readonly type: 'unnamed' }
  | { readonly type: 'found'; readonly found: Submodule }
  | { readonly type: 'failed'; readonly detail: string }

function Origin({ about }: { about: About }) {
  if (about.type === 'reading') return null
  if (about.type === 'unnamed') return <>{pages.gitmodulesUnnamed}</>
  if (about.type === 'failed') {
    return <>{pages.gitmodulesFailed(<Line text={about.detail} />)}</>
  }
  const { url } = about.found
  if (!url) return <>{pages.gitmodulesNoAddress}</>
  const page = pageAt(url)
  if (!page) return <>{pages.notOpened(<Line text={url} />)}</>
  return (
    <>
      {pages.newTab(
        <a href={page} target="_blank" rel="noopener noreferrer nofollow">
          <Line text={page} />
        </a>,
      )}
    </>
  )
}

/** Finds what `.gitmodules` says about a path. */
async function findSubmodule(
  { repo }: Opened,
  { place }: SubmodulePage,
): Promise<Submodule | undefined> {
  const wanted = encodeKey(pathBytesOf(place))
  for await (const found of repo.submodules(rootOf(place))) {
    if (found.pathBytes && encodeKey(found.pathBytes) === wanted) return found
  }
  return undefined
}

/** Returns the address of a page. One with a user in it may look like that of another host. */
function pageAt(address: string): string | null {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return null
  return url.username || url.password ? null : url.href
}
