import { Problem } from '@tradewright/core/problem'

/** How far a run has come, in the words of the screen. */
export type BacktestProgress =
  | { readonly stage: 'features'; readonly done: number; readonly total: number }
  | { readonly stage: 'training'; readonly done: number; readonly total: number }
  | { readonly stage: 'simulation' }

/** Polled between two steps; an AbortSignal is one, and so is a flag that threads share. */
export interface Cancellation {
  readonly aborted: boolean
}

/** Progress reports and cancellation of a run. */
export interface RunControl {
  readonly onProgress: (progress: BacktestProgress) => void
  /** Aborted: the run ends with a Problem at its next step. */
  readonly signal: Cancellation | undefined
}

export const uncontrolled: RunControl = { onProgress: () => undefined, signal: undefined }

export function stopIfCancelled({ signal }: RunControl): void {
  if (signal?.aborted) throw new Problem('conflict', 'backtest.cancelled', 'The backtest was cancelled.')
}
