import { useEffect, useRef, useState } from 'react'

/**
 * Runs `onEnd` after `milliseconds`, not counting the time during which the pointer or the focus is on the element
 * that takes the returned handlers. Null never ends.
 */
export function usePausableTimeout(milliseconds: number | null, onEnd: () => void) {
  const [isPaused, setPaused] = useState(false)
  const left = useRef(milliseconds)
  const end = useRef(onEnd)
  useEffect(() => {
    end.current = onEnd
  })

  useEffect(() => {
    if (left.current === null || isPaused) return undefined
    const started = performance.now()
    const timer = setTimeout(() => end.current(), left.current)
    return () => {
      clearTimeout(timer)
      left.current = Math.max(0, (left.current ?? 0) - (performance.now() - started))
    }
  }, [isPaused])

  return {
    onPointerEnter: () => setPaused(true),
    onPointerLeave: () => setPaused(false),
    onFocus: () => setPaused(true),
    onBlur: () => setPaused(false),
  }
}
