/** Checks, indexes and plans, which few pages need: loaded with the first call. */
export { fetching } from '../opening/missing.js'
export { checkPack, checkPackWith } from '../packs/check-pack.js'
export { indexAny, indexPackWith } from '../packs/index-pack.js'
export { fsck } from '../questions/fsck.js'
export { RefPlan } from '../questions/ref-plan.js'
export { planned } from '../questions/ref-planner.js'
export { storage } from '../questions/storage.js'
