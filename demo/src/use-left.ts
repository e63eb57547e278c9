import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

/** Aborted once the user has left the page for the next one, which is still being read. */
const Left = createContext<AbortSignal>(new AbortController().signal)

export const LeftProvider = Left.Provider

/** Returns the signal of the page: what goes on reading for long ends with it. */
export const useLeft = () => useContext(Left)
