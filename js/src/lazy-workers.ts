/** Loads what starts workers, with the first repository that has any. */
import { lazy } from './base/lazy.js'

export const workers = () => lazy('workers', () => import('./chunks/workers.js'))
