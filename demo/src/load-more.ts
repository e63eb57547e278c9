import { loadPart } from './load-part'
import styles from './styles/more.css?url'

/** The views that the first page, a folder, does not need. */
export type MoreViews = typeof import('./views/more')

/** Loads the views that the first page does not need, with their styles. */
export function loadMore(): Promise<MoreViews> {
  return loadPart(async () => {
    const [views] = await Promise.all([import('./views/more'), loadStyles()])
    return views
  })
}

let loading: Promise<void> | null = null

/** The next call tries again after a failure. */
function loadStyles(): Promise<void> {
  loading ??= new Promise<void>((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = styles
    link.onload = () => resolve()
    link.onerror = () => {
      loading = null
      link.remove()
      reject(new Error(link.href))
    }
    document.head.append(link)
  })
  return loading
}
