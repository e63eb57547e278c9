/** Hostile refs, names and reflogs. */
import { areRead } from './hostile/asked.ts'

areRead('refs')
