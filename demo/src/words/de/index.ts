/** All text in German, loaded only by pages in German. */
export { errors } from './errors'
export { first } from './first'
export { pages } from './pages'
export { markdown, work, zip } from './rest'
