import { useState } from 'preact/hooks'

/** Keeps a choice of the user for later visits. */
export function useStored<T extends string>(name: string, first: T): [T, (value: T) => void] {
  const [value, setValue] = useState(() => (stored(name) as T | null) ?? first)
  const change = (next: T) => {
    setValue(next)
    store(name, next)
  }
  return [value, change]
}

export function store(name: string, value: string): void {
  try {
    localStorage.setItem(name, value)
  } catch {
    // The browser keeps nothing for this page: the choice lasts until it is closed.
  }
}

export function stored(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}
