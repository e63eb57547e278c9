/** Checks, indexes and plans, which few pages need: loaded with the first call. */
export { checkPack, checkPackWith } from './check-pack.js'
export { fsck } from './fsck.js'
export { indexAny, indexPackWith } from './index-pack.js'
export { RefPlan } from './ref-plan.js'
export { planned } from './ref-planner.js'
export { storage } from './storage.js'
