import { useDeferredValue } from 'react'

/**
 * False in the first rendering, true in one that follows it and can be interrupted: what waits for it does not hold up
 * the heading of a screen that was just opened.
 */
export const useAfterFirstPaint = () => useDeferredValue(true, false)
