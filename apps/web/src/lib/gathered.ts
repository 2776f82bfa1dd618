export interface Gathered {
  call(): void
  /** What was called for and has not happened yet does not happen any more. */
  stop(): void
}

/** Does it once for all calls of so many milliseconds, after them. */
export function gathered(act: () => void, ms: number): Gathered {
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
