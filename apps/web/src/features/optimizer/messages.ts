import { CallError, serverMessageOr, unreachableHint } from '../../lib/call-error.ts'
import type { MessageContent } from '../../ui/feedback/banner.tsx'

export type Message = Omit<MessageContent, 'action'> & { closeAfterMs?: number }

const FAILED = {
  'delete run': 'Failed to delete optimization run',
  'delete all runs': 'Failed to delete all optimization runs',
  'load run': 'Failed to load optimization run',
  'load seeds': 'Failed to load seed features from optimization run',
  'cancel run': 'Failed to cancel optimization run',
  'pause run': 'Failed to pause optimization run',
  'resume run': 'Failed to resume optimization run',
  rerun: 'Failed to rerun optimization',
  'delete list': 'Failed to delete list',
}

export function failedTo(what: keyof typeof FAILED, error: unknown): Message {
  return { kind: 'error', text: FAILED[what], detail: error instanceof Error ? error.message : null }
}

export const refused = (text: string): Message => ({ kind: 'error', text })
export const told = (text: string, detail?: string): Message => ({ kind: 'info', text, detail })

/** The form is beside the button that filled it in, and most of it is out of sight. */
export const EXAMPLE_FILLED_IN = told(
  'The example is filled in: does SPY rise the next day?',
  'Press “Run optimization”. Everything in the form can be changed before.',
)

/** A run that could not be started, or whose end reached this page through the call alone. */
export function runFailed(error: unknown): Message {
  if (error instanceof CallError) {
    return { kind: 'error', text: serverMessageOr(error, 'Optimization failed'), detail: unreachableHint(error) }
  }
  return { kind: 'error', text: 'Unknown error occurred' }
}

/** A run whose status is `failed`. */
export const failedRunText = (errorMessage: string | null): string =>
  `Optimization failed: ${errorMessage || 'Unknown error'}`

/** The server's own sentence says it all; without one it is at least said what was tried. */
export function listNotSaved(what: 'create' | 'update', error: unknown): Message {
  const said = error instanceof CallError ? error.serverMessage : null
  return said
    ? { kind: 'error', text: said }
    : { kind: 'error', text: 'Failed to save ticker list', detail: `Failed to ${what} list` }
}

/** Beyond the error itself: what the catalogue's own form of a feature or target did not allow to read. */
export function catalogueFailed(what: 'feature' | 'target', error: unknown): string {
  const isShape = error instanceof CallError && error.code === 'answer.shape'
  return isShape
    ? `Error loading ${what} parameters. Please check the ${what} configuration.`
    : `The ${what}s could not be loaded. Reload the page to try again.`
}
