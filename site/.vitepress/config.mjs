// Settings of VitePress. The pages are in target/site; docs/README.md has the groups of the sidebar.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitepress'
import { inRoot, targetDir } from '../../scripts/lib/paths.mjs'
import { sidebar, sitePages, slugOf } from '../../scripts/lib/site/pages.mjs'
import { accessibleSearch } from './accessible-search.mjs'
import { accessible, linked } from './markdown.mjs'

const api = {
  text: 'API',
  link: '/api/',
  items: [
    { text: 'packlens', link: '/api/packlens/' },
    { text: 'packlens/isomorphic-git', link: '/api/isomorphic-git/' },
  ],
}
const groups = sidebar()
// Within the page, because the path of the site is known only when it is built.
const icon = encodeURIComponent(readFileSync(inRoot('demo', 'src', 'icon.svg'), 'utf8'))
const nav = [...groups.slice(0, 4), api].map(({ text, items }) => ({ text, link: items[0].link }))

export default defineConfig({
  title: 'packlens',
  description: 'Reads git repositories in browsers, workers and Node',
  lang: 'en-US',
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${icon}` }]],
  srcDir: path.join(targetDir, 'site', 'pages'),
  cacheDir: path.join(targetDir, 'site', 'cache'),
  // The index of the search is larger than 500 KB, and loaded when it is opened.
  vite: { plugins: [accessibleSearch], build: { chunkSizeWarningLimit: 1000 } },
  markdown: {
    anchor: { slugify: slugOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (markdown) => markdown.use(linked, sitePages()).use(accessible),
  },
  themeConfig: {
    nav,
    sidebar: groups.toSpliced(4, 0, api),
    search: { provider: 'local' },
    outline: { level: [2, 3] },
  },
})
