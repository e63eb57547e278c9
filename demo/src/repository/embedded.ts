/** Opens the repository that is served with the page. */
import { loadPart } from '../load-part'
import { errors } from '../words/errors'
import { first } from '../words/first'
import type { Candidate } from './opened'

interface Facts {
  name: string
  /** Whether it is the history of this project, or the sample for where there is none. */
  about: 'history' | 'sample'
  objectFormat: 'sha1' | 'sha256'
  refs: Record<string, string>
}

export async function embeddedRepository(): Promise<Candidate> {
  const [facts, pack, idx] = await Promise.all([
    fetched('refs.json').then((response) => response.json() as Promise<Facts>),
    fetched('history.pack').then((response) => response.arrayBuffer()),
    fetched('history.idx').then((response) => response.arrayBuffer()),
  ])
  const { name, about, objectFormat, refs } = facts
  const source = { packs: [{ pack, idx }], refs, objectFormat }
  return {
    source,
    name,
    about: () => first.embedded[about],
    size: pack.byteLength + idx.byteLength,
  }
}

async function fetched(name: string): Promise<Response> {
  const response = await loadPart(() => fetch(new URL(`repository/${name}`, document.baseURI)))
  // A server may answer with a page in place of a missing file.
  const isPage = response.headers.get('content-type')?.startsWith('text/html')
  if (response.ok && !isPage) return response
  throw new Error(errors.noEmbedded(name))
}
