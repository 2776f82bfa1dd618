import { CallError } from '../../lib/call-error.ts'

/** Ask the provider again, import a file, or accept real and synthetic prices in one result. */
export type DataAction = 'retry' | 'import' | 'mix'

const OFFERS: Readonly<Record<string, readonly DataAction[]>> = {
  'backtest.no-data': ['retry', 'import'],
  'backtest.mixed-prices': ['retry', 'import', 'mix'],
}

export interface StudioMessage {
  kind: 'error' | 'success' | 'info'
  text: string
  detail?: string | null
  /** An optimized strategy's banner goes by itself. */
  closeAfterMs?: number
  /** What the user may do about data that is missing. */
  offers?: readonly DataAction[]
}

const OPTIMIZED_SHOWN_MS = 5_000

export const FAILED = {
  'load backtest': 'Failed to load saved backtest',
  'delete backtest': 'Failed to delete backtest',
  'load strategy': 'Failed to load strategy details',
  'delete strategy': 'Failed to delete strategy',
  'load strategy results': 'Failed to load strategy results',
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
    const offers = OFFERS[error.code]
    const message = { kind: 'error', text: `Backtest failed: ${status}`, detail: error.serverMessage } as const
    return offers ? { ...message, offers } : message
  }
  const message = error instanceof Error ? error.message.trim() : ''
  return { kind: 'error', text: message || 'Unknown error occurred' }
}

export const CANCELLED: StudioMessage = {
  kind: 'info',
  text: 'The run was cancelled.',
  detail: 'Your settings are kept.',
}

export function optimizedLoaded(name: string): StudioMessage {
  return {
    kind: 'success',
    text: 'Optimized strategy loaded',
    detail: name ? `Every field was filled from “${name}”.` : 'Every field was filled from the optimizer run.',
    closeAfterMs: OPTIMIZED_SHOWN_MS,
  }
}
