// Gives the search of VitePress the roles that its parts have: a dialog, and options in a list.

/** A part of VPLocalSearchBox.vue, and what replaces it. */
const CHANGES = [
  [
    /role="button"\s+:aria-owns="[^"]*"\s+aria-expanded="true"\s+aria-haspopup="listbox"\s+aria-labelledby="localsearch-label"/,
    'role="dialog" aria-modal="true" aria-label="Search"',
  ],
  [
    /:id="'localsearch-item-' \+ index"\s+:aria-selected="[^"]*"\s+role="option"/,
    'role="presentation"',
  ],
  [
    /:aria-label="\[\.\.\.p\.titles, p\.title\]\.join\(' > '\)"/,
    `:id="'localsearch-item-' + index" :aria-selected="selectedIndex === index" role="option"`,
  ],
  [/<kbd :aria-label/g, '<kbd role="img" :aria-label'],
]

/** A plugin of Vite. It fails where another version of VitePress has other parts. */
export const accessibleSearch = {
  name: 'accessible-search',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/VPLocalSearchBox.vue')) return null
    return CHANGES.reduce((text, [from, to]) => {
      if (text.search(from) < 0) throw new Error(`VPLocalSearchBox.vue has no ${from}`)
      return text.replace(from, to)
    }, code)
  },
}
