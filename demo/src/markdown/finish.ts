/** Makes links, images and code of rendered Markdown work in the page. */
import { tokensOf } from '../highlight/highlighter'
import { languageOf } from '../highlight/languages'
import { paint } from '../highlight/paint'
import type { PathKey } from '../route'
import { pathRoute } from '../route'
import { markdown } from '../words/markdown'
import { Slugs, targetOf } from './places'

export interface Surroundings {
  readonly rev: string
  /** The folder of the file. */
  readonly folder: readonly PathKey[]
  /** Reads an image of the repository; `null` if there is none. */
  readonly image: (keys: readonly PathKey[]) => Promise<Blob | null>
}

/** Changes the blocks of a text, which share their headings. */
export class Finisher {
  readonly #surroundings: Surroundings
  readonly #headings = new Map<string, Element>()
  readonly #slugs = new Slugs()
  readonly #ends: (() => void)[] = []

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
  }

  /** Changes the next block. */
  finish(content: DocumentFragment): void {
    const ends = this.#ends
    for (const heading of content.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
      this.#headings.set(this.#slugs.of(heading.textContent ?? ''), heading)
    }
    for (const link of content.querySelectorAll('a')) {
      finishLink(link, this.#surroundings, this.#headings)
    }
    for (const image of content.querySelectorAll('img')) {
      finishImage(image, this.#surroundings, ends)
    }
    for (const code of content.querySelectorAll('pre > code')) finishCode(code, ends)
    for (const quote of content.querySelectorAll('blockquote')) finishAlert(quote)
    // Long lines are scrolled to, by keys as well.
    for (const block of content.querySelectorAll('pre')) block.tabIndex = 0
    // An empty cell is the heading of nothing.
    for (const cell of content.querySelectorAll('th:empty')) {
      cell.replaceWith(document.createElement('td'))
    }
    for (const element of content.querySelectorAll('[class]')) element.removeAttribute('class')
  }

  /** Releases images and colors. */
  end(): void {
    for (const end of this.#ends) end()
  }
}

function finishLink(
  link: HTMLAnchorElement,
  { rev, folder }: Surroundings,
  headings: ReadonlyMap<string, Element>,
): void {
  const address = link.getAttribute('href')
  if (address === null) return
  const target = targetOf(address, folder)
  if (target?.type === 'outside') {
    link.href = target.url
    link.target = '_blank'
    link.rel = 'noopener noreferrer nofollow'
  } else if (target?.type === 'path') link.href = pathRoute(rev, target.keys)
  else if (target?.type === 'heading') {
    // The address of the page is the file: it cannot hold the heading, too.
    link.href = location.hash || '#'
    link.addEventListener('click', (event) => {
      event.preventDefault()
      headings.get(target.slug)?.scrollIntoView()
    })
  } else link.removeAttribute('href')
}

/** Shows the text of an image until it is read. Images of other hosts are not loaded. */
function finishImage(
  image: HTMLImageElement,
  { folder, image: read }: Surroundings,
  ends: (() => void)[],
): void {
  const target = targetOf(image.dataset.source ?? '', folder)
  image.removeAttribute('data-source')
  const text = document.createElement('span')
  text.textContent = image.alt
  image.replaceWith(text)
  if (target?.type === 'outside') text.title = markdown.outside
  if (target?.type !== 'path') return
  let isOver = false
  ends.push(() => {
    isOver = true
    if (image.src) URL.revokeObjectURL(image.src)
  })
  read(target.keys).then(
    (blob) => {
      if (!blob || isOver) return
      image.src = URL.createObjectURL(blob)
      text.replaceWith(image)
    },
    // The text stays if the image cannot be read.
    () => {},
  )
}

/** Gives a quote that begins with a mark such as `[!NOTE]` a title, as hosts of repositories do. */
function finishAlert(quote: Element): void {
  const paragraph = quote.firstElementChild
  const text = paragraph?.firstChild
  if (paragraph?.localName !== 'p' || !(text instanceof Text)) return
  const [mark = '', kind = ''] = /^\[!([a-z]+)\][ \t]*(?:\n|$)/i.exec(text.data) ?? []
  const title = Object.entries(markdown.alerts).find(([name]) => name === kind.toLowerCase())
  if (!title) return
  text.data = text.data.slice(mark.length)
  const heading = document.createElement('p')
  heading.append(Object.assign(document.createElement('strong'), { textContent: title[1] }))
  quote.prepend(heading)
  quote.setAttribute('data-alert', title[0])
}

function finishCode(code: Element, ends: (() => void)[]): void {
  const name = /^language-(\S+)/.exec(code.className)?.[1]
  const language = name ? languageOf(name) : null
  if (!language) return
  let isOver = false
  ends.push(() => {
    isOver = true
  })
  void tokensOf(language, code.textContent ?? '').then((tokens) => {
    if (!isOver) ends.push(paint(code, tokens))
  })
}
