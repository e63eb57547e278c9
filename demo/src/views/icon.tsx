/** Draws the icons before names, in the color of the surrounding text. */
export type IconName = 'folder' | 'file' | 'program' | 'link' | 'module'

const PATHS: Readonly<Record<IconName, string>> = {
  folder: 'M1.5 4a1 1 0 0 1 1-1h3.3l1.5 1.7h6.2a1 1 0 0 1 1 1V12a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1z',
  file: 'M3.5 2a.8.8 0 0 1 .8-.8h5l3.2 3.2V14a.8.8 0 0 1-.8.8H4.3a.8.8 0 0 1-.8-.8zM9 1.5V5h3.3',
  program:
    'M1.5 3.5a1 1 0 0 1 1-1h11a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1zM4 6l2.3 2L4 10M8 10.5h3.5',
  link: 'M9 3.5h3.5V7M12.3 3.7 7 9M7 4H3.5v8.5H12V9',
  module: 'M8 1.5 14 4.8v6.4L8 14.5l-6-3.3V4.8zM2.2 4.9 8 8l5.8-3.1M8 8v6.3',
}

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
