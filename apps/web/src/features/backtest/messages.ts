import { CallError } from '../../lib/call-error.ts'
import { type DataAction, dataActionsFor } from '../../strategy-form/data/data-actions.tsx'

export interface StudioMessage {
  kind: 'error' | 'success' | 'info'
  text: string
  detail?: string | null
  /** An optimized strategy's banner goes by itself. */
  closeAfterMs?: number
  /** Takes back what the message tells of. */
  undo?: () => void
  /** What the user may do about data that is missing. */
  offers?: readonly DataAction[]
}

const OPTIMIZED_SHOWN_MS = 5_000

export const FAILED = {
  'load backtest': 'Failed to load saved backtest',
  'delete backtest': 'Failed to delete backtest',
  'load strategy': 'Failed to load strategy details',
  'delete strategy': 'Failed to delete strategy',
  'save result': 'Failed to save the result',
  'rename result': 'Failed to rename the result',
  'load strategies': 'Failed to load strategies',
  'load strategy results': 'Failed to load strategy results',
}

/** The server's code for a backtest that does not exist or was deleted. */
const BACKTEST_MISSING = 'backtest.missing'

/** A link may outlive what it leads to: nothing failed. */
export function backtestNotLoaded(error: unknown): StudioMessage {
  if (!(error instanceof CallError) || error.code !== BACKTEST_MISSING) return failedTo('load backtest', error)
  return {
    kind: 'info',
    text: 'This backtest was deleted.',
    detail: 'The link leads to a result that is no longer saved. Choose another saved backtest, or run a new one.',
  }
}

export function failedTo(what: keyof typeof FAILED, error: unknown): StudioMessage {
  return { kind: 'error', text: FAILED[what], detail: error instanceof Error ? error.message : null }
}

/** The answer of a run was no JSON; `text` is what came instead. */
export class InvalidJsonError extends Error {
  override readonly name = 'InvalidJsonError'

  constructor(text: string) {
    super(`Backtest returned invalid JSON (first 300 chars): ${text.slice(0, 300)}`)
  }
}

/** The status text, or the code where HTTP/2 sends no text; the server's own reason is the second sentence. */
export function backtestFailed(error: unknown): StudioMessage {
  if (error instanceof CallError && error.status >= 400) {
    const status = error.statusText || String(error.status)
    const offers = dataActionsFor(error.code)
    const detail = error.serverMessage ?? adviceFor(error.status)
    const message = { kind: 'error', text: `Backtest failed: ${status}`, detail } as const
    return offers ? { ...message, offers } : message
  }
  const message = error instanceof Error ? error.message.trim() : ''
  return { kind: 'error', text: message || 'Unknown error occurred' }
}

/** A proxy in front of a server that is starting or overloaded gives no reason of its own. */
const adviceFor = (status: number): string =>
  status >= 502 && status <= 504
    ? 'The server is starting or busy. Your settings are kept: wait a minute, then run the backtest again.'
    : 'The server gave no reason. Your settings are kept: run the backtest again, and see System Health in Settings if it fails once more.'

export const CANCELLED: StudioMessage = {
  kind: 'info',
  text: 'The run was cancelled.',
  detail: 'Your settings are kept.',
}

export const PORTFOLIOS_CANCELLED: StudioMessage = {
  kind: 'info',
  text: 'The run was cancelled.',
  detail: 'Your settings are kept. Portfolios that had finished are under Recent runs.',
}

/** Why a portfolio has no result, in one line of its column. */
export function failureSentence(error: unknown): string {
  const { text, detail } = backtestFailed(error)
  return detail ? detail : text
}

export function optimizedLoaded(name: string): StudioMessage {
  return {
    kind: 'success',
    text: 'Optimized strategy loaded',
    detail: name ? `Every field was filled from “${name}”.` : 'Every field was filled from the optimizer run.',
    closeAfterMs: OPTIMIZED_SHOWN_MS,
  }
}

export const startedOver = (undo: () => void): StudioMessage => ({
  kind: 'info',
  text: 'The form was cleared.',
  detail: 'Earlier results stay under Recent runs.',
  undo,
})

export const replacedBy = (name: string, undo: () => void): StudioMessage => ({
  kind: 'info',
  text: `The form was replaced by “${name}”.`,
  detail: 'Undo brings back what was in it; results stay under Recent runs.',
  undo,
})

export const numbersUsed = (undo: () => void): StudioMessage => ({
  kind: 'success',
  text: 'The numbers of the study were put into the rules.',
  detail: 'Run the backtest to see the result in full.',
  undo,
})

export const weightsUsed = (method: string, undo: () => void): StudioMessage => ({
  kind: 'success',
  text: `The weights of ${method} were put into the allocation.`,
  detail: 'They are those of today: a backtest of them over the past is in sample. Save the strategy to deploy it.',
  undo,
})

export const tickersTaken = (undo: () => void): StudioMessage => ({
  kind: 'success',
  text: 'The tickers and the period of the result were put into the form.',
  detail: 'Choose methods and press Find weights. Your own weights, if there are any, are included in the comparison.',
  undo,
})

export const rulesNotReadable = (name: string): StudioMessage => ({
  kind: 'error',
  text: `The rules of “${name}” cannot be shown.`,
  detail: 'They were saved by another version of the program. They are kept as they are.',
})

export const duplicated = (name: string): StudioMessage => ({
  kind: 'success',
  text: 'The settings of this result are in the form.',
  detail: name ? `Their new name is “${name}”.` : 'Give them a name to save them.',
  closeAfterMs: OPTIMIZED_SHOWN_MS,
})
