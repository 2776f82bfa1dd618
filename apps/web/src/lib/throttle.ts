interface Throttled {
  call(): void
  /** Cancels the pending call. */
  stop(): void
}

/** Trailing throttle: all calls within `ms` milliseconds run `act` once, at their end. */
export function throttle(act: () => void, ms: number): Throttled {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    call: () => {
      timer ??= setTimeout(() => {
        timer = undefined
        act()
      }, ms)
    },
    stop: () => clearTimeout(timer),
  }
}
