import { Problem } from '@tradewright/core/problem'

interface TimeLimit {
  /** Aborted by the asker, or when the time is over: then with a Problem that says this sentence. */
  readonly signal: AbortSignal
  done(): void
}

export function limitTime(stopped: AbortSignal, milliseconds: number, sentence: string): TimeLimit {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(new Problem('unavailable', 'ai.time-out', sentence)), milliseconds)
  return { signal: AbortSignal.any([stopped, over.signal]), done: () => clearTimeout(timer) }
}
