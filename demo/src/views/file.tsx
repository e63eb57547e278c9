import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Action } from '../meter'
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
import { pages } from '../words/pages'
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
  const attempt = (action: Action, job: () => Promise<void>) => {
    setFailure('')
    meter.run(action, job).catch((error: unknown) => {
      const { title, advice, detail } = adviceFor(error)
      setFailure(`${title}. ${advice} ${detail}`)
    })
  }
  const showAll = () =>
    attempt(
      () => pages.actions.whole,
      async () => setContent(await readWhole(repo, info)),
    )
  const save = () =>
    attempt(
      () => pages.actions.download,
      async () => {
        const { data } = await repo.read(info.oid)
        download([data], nameToSave(place.path.at(-1)?.bytes, info.oid))
      },
    )
  const showRaw = (type: string) =>
    attempt(
      () => pages.actions.raw,
      async () => openRaw((await repo.read(info.oid)).data, type),
    )
  return (
    <section class="card" aria-labelledby="content">
      <div class="card-head file-head">
        <h2 id="content">{titleOf(content, isExecutable)}</h2>
        <span>{formatWholeSize(info.size)}</span>
        <Id oid={info.oid} />
        {isPreviewed ? (
          <fieldset class="choice">
            <legend class="unseen">{pages.howShown}</legend>
            <button type="button" aria-pressed={previewed} onClick={() => setPreview(true)}>
              {pages.preview}
            </button>
            <button type="button" aria-pressed={!previewed} onClick={() => setPreview(false)}>
              {pages.code}
            </button>
          </fieldset>
        ) : null}
        <span class="file-actions">
          {content.type === 'text' && !previewed ? (
            <>
              <button type="button" aria-pressed={wrap === 'on'} onClick={toggleWrap}>
                {pages.wrap}
              </button>
              <CopyText text={content.text} />
            </>
          ) : null}
          {rawType ? (
            <button type="button" title={pages.inNewTab} onClick={() => showRaw(rawType)}>
              {pages.raw}
            </button>
          ) : null}
          <button type="button" onClick={save}>
            {pages.download}
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
      return <p class="note">{pages.emptyFile}</p>
    case 'text':
      return <FileText content={content} {...rest} />
    case 'image':
      return <ImageView mime={content.mime} data={content.data} />
    case 'media':
    case 'document':
      return <MediaView type={content.type} mime={content.mime} data={content.data} />
    case 'binary':
      return <Bytes head={content.head} why={pages.notText} />
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
      {pages.cutTo(formatSize(shown))}{' '}
      {info.size <= TEXT_MOST ? (
        <button type="button" onClick={onShowAll}>
          {pages.showAll(formatSize(info.size))}
        </button>
      ) : (
        pages.downloadRest
      )}
    </Note>
  )
}

function Note({ children }: { children: ComponentChildren }) {
  return <p class="note">{children}</p>
}

function titleOf(content: Content, isExecutable: boolean): string {
  const kind = pages.kinds[content.type]
  return isExecutable ? pages.executable(kind) : kind
}
