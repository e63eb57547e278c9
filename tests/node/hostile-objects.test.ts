/** Hostile objects, and replacements of objects. */
import { areRead } from './hostile/asked.ts'

areRead('objects')
