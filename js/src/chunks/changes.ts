/** What changed between commits: loaded with the first call. */
export { treeDiff } from '../questions/diff.js'
