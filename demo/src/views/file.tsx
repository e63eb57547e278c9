import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { adviceFor } from '../reading/advice'
import type { Content, SizedBlob } from '../reading/content'
import { readWhole, TEXT_LIMIT, TEXT_MOST } from '../reading/content'
import type { Page, Place } from '../reading/page'
import { isMarkdown, nameOf, rootOf } from '../reading/page'
import type { Opened } from '../repository/opened'
import type { Lines, Route } from '../route'
import { formatRoute } from '../route'
import { formatSize, formatWholeSize } from '../text/format'
import { useStored } from '../use-stored'
import { Bytes } from './bytes'
import { CopyText } from './copy-text'
import { download, nameToSave } from './download'
import { TextView } from './file-text'
import { Id } from './id'
import { ImageView } from './image'
import { Markdown } from './markdown'
import { MediaView } from './media'
import { FailureNote } from './notices'
import { openRaw, rawTypeOf } from './raw'

type FilePage = Extract<Page, { type: 'file' }>

interface Props {
  readonly opened: Opened
  readonly page: FilePage
  readonly route: Route
}

export function FileView({ opened, page, route }: Props) {
  const { repo, meter } = opened
  const [content, setContent] = useState(page.content)
  const [failure, setFailure] = useState('')
  const { info, place, isExecutable } = page
  const name = nameOf(place)
  const isPreviewed = content.type === 'text' && (isMarkdown(name) || isDrawing(name, content))
  const rawType = rawTypeOf(content)
  const hasLines = route.type === 'path' && route.lines !== undefined
  const [preview, setPreview] = useState(true)
  const previewed = isPreviewed && preview && !hasLines
  const [wrap, setWrap] = useStored<'on' | 'off'>('wrap', 'off')
  const toggleWrap = () => setWrap(wrap === 'on' ? 'off' : 'on')
  const attempt = (action: string, job: () => Promise<void>) => {
    setFailure('')
    meter.run(action, job).catch((error: unknown) => {
      const { title, advice, detail } = adviceFor(error)
      setFailure(`${title}. ${advice} ${detail}`)
    })
  }
  const showAll = () => attempt('Whole file', async () => setContent(await readWhole(repo, info)))
  const save = () =>
    attempt('Download', async () => {
      const { data } = await repo.read(info.oid)
      download([data], nameToSave(place.path.at(-1)?.bytes, info.oid))
    })
  const showRaw = (type: string) =>
    attempt('Raw', async () => openRaw((await repo.read(info.oid)).data, type))
  return (
    <section class="card" aria-labelledby="content">
      <div class="card-head file-head">
        <h2 id="content">{titleOf(content, isExecutable)}</h2>
        <span>{formatWholeSize(info.size)}</span>
        <Id oid={info.oid} />
        {isPreviewed ? (
          <fieldset class="choice">
            <legend class="unseen">How the file is shown</legend>
            <button type="button" aria-pressed={previewed} onClick={() => setPreview(true)}>
              Preview
            </button>
            <button type="button" aria-pressed={!previewed} onClick={() => setPreview(false)}>
              Code
            </button>
          </fieldset>
        ) : null}
        <span class="file-actions">
          {content.type === 'text' && !previewed ? (
            <>
              <button type="button" aria-pressed={wrap === 'on'} onClick={toggleWrap}>
                Wrap
              </button>
              <CopyText text={content.text} />
            </>
          ) : null}
          {rawType ? (
            <button type="button" title="In a new tab" onClick={() => showRaw(rawType)}>
              Raw
            </button>
          ) : null}
          <button type="button" onClick={save}>
            Download
          </button>
        </span>
      </div>
      <FailureNote text={failure} />
      <CutNote content={content} info={info} onShowAll={showAll} />
      {previewed && content.type === 'text' ? (
        <Preview opened={opened} place={place} text={content.text} name={name} />
      ) : (
        <Body content={content} name={name} route={route} wrapped={wrap === 'on'} />
      )}
    </section>
  )
}

interface BodyProps<C> {
  readonly content: C
  readonly name: string
  readonly route: Route
  readonly wrapped: boolean
}

function Body({ content, ...rest }: BodyProps<Content>) {
  switch (content.type) {
    case 'empty':
      return <p class="note">This file is empty.</p>
    case 'text':
      return <FileText content={content} {...rest} />
    case 'image':
      return <ImageView mime={content.mime} data={content.data} />
    case 'media':
    case 'document':
      return <MediaView type={content.type} mime={content.mime} data={content.data} />
    case 'binary':
      return <Bytes head={content.head} why="This is not text." />
  }
}

/** An image cannot run the scripts of an SVG, nor load what it names. */
function isDrawing(name: string, content: Text): boolean {
  return name.endsWith('.svg') && !content.cut
}

function Preview(props: { opened: Opened; place: Place; text: string; name: string }) {
  const { opened, place, text, name } = props
  const data = useMemo(() => new TextEncoder().encode(text), [text])
  if (!isMarkdown(name)) return <ImageView mime="image/svg+xml" data={data} />
  const folder = place.path.slice(0, -1)
  const { rev } = place.ref
  return <Markdown {...{ opened, rev, folder, text }} root={rootOf(place)} />
}

type Text = Extract<Content, { type: 'text' }>

function FileText({ content, name, route, wrapped }: BodyProps<Text>) {
  const isFile = route.type === 'path'
  const choose = (lines: Lines) => {
    // Replaced, so that going back leaves the file.
    if (isFile) location.replace(formatRoute({ ...route, lines }))
  }
  const lines = isFile ? route.lines : undefined
  return <TextView {...{ content, name, lines, wrapped }} onChoose={choose} />
}

/** Says that the text is cut, and offers the rest if the page can show it. */
function CutNote(props: { content: Content; info: SizedBlob; onShowAll: () => void }) {
  const { content, info, onShowAll } = props
  if (content.type !== 'text' || !content.cut) return null
  const shown = info.size > TEXT_MOST ? TEXT_LIMIT : Math.min(info.size, TEXT_LIMIT)
  return (
    <Note>
      This file is large: only its first {formatSize(shown)} are shown.{' '}
      {info.size <= TEXT_MOST ? (
        <button type="button" onClick={onShowAll}>
          Show all {formatSize(info.size)}
        </button>
      ) : (
        'Download it to see the rest.'
      )}
    </Note>
  )
}

function Note({ children }: { children: ComponentChildren }) {
  return <p class="note">{children}</p>
}

function titleOf(content: Content, isExecutable: boolean): string {
  const titles = {
    empty: 'Empty file',
    text: 'Text',
    image: 'Image',
    media: 'Sound or film',
    document: 'Document',
    binary: 'Binary file',
  }
  return titles[content.type] + (isExecutable ? ', executable' : '')
}
