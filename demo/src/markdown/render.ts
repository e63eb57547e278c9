/**
 * Makes elements of the HTML of Markdown. That is hostile: the sanitiser keeps elements that only
 * show something, and addresses are rewritten before anything is in the page.
 */
import createDOMPurify from 'dompurify'
import { AskedWorker } from '../asked-worker'
import { markdown } from '../words/markdown'

const worker = new AskedWorker<string, readonly string[]>(
  () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
)

/** Returns the HTML of Markdown in blocks, which {@link render} makes elements of. */
export async function blocksOf(text: string): Promise<readonly string[]> {
  const blocks = await worker.ask(text)
  if (!blocks) throw new Error(markdown.slow)
  return blocks
}

const ELEMENTS =
  'a abbr b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img input ins ' +
  'kbd li ol p pre q s samp span strong sub summary sup table tbody td tfoot th thead tr u ul var'
const ATTRIBUTES =
  'align alt checked class colspan data-source disabled height href open rowspan start title ' +
  'type width'

const purify = createDOMPurify(window)

/** The browser would load an image as soon as it is in the page. */
purify.addHook('beforeSanitizeAttributes', (node) => {
  if (node.nodeName !== 'IMG') return
  node.setAttribute('data-source', node.getAttribute('src') ?? '')
  node.removeAttribute('src')
})

/** Returns the elements of HTML; those of images have no `src`, but `data-source`. */
export function render(html: string): DocumentFragment {
  const content = purify.sanitize(withoutForbidden(html), {
    ALLOWED_TAGS: ELEMENTS.split(' '),
    ALLOWED_ATTR: ATTRIBUTES.split(' '),
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  })
  for (const input of content.querySelectorAll('input')) {
    if (input.type === 'checkbox') {
      input.disabled = true
      input.ariaLabel = input.parentElement?.textContent?.trim() || markdown.task
    } else input.remove()
  }
  return content
}

/**
 * Renames what the policy of the page forbids: the sanitiser removes it too, but only after the
 * browser has reported it.
 */
function withoutForbidden(html: string): string {
  return html.replaceAll(/<[a-z][^>]*>|<\/style/gi, (tag) =>
    tag
      .replace(/^<(\/?)style/i, '<$1template')
      .replace(/^<base/i, '<span')
      .replaceAll(/([\s"'/])(style|on[a-z]+)(?=\s*=)/gi, '$1data-$2'),
  )
}
