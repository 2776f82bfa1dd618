import type {
  CONTROL_ACTIONS,
  CONTRIBUTION_TYPES,
  Deployment,
  STOPPED_POSITIONS,
} from '@tradewright/contract/live-trading-fields'
import { formatMoment } from '../../lib/format-time.ts'
import { CallError, serverMessageOr } from '../../lib/call-error.ts'
import type { MessageContent } from '../../ui/feedback/banner.tsx'
import { moneyIn } from '../../deployment-words/money-in.ts'
import { percentText } from './deployment-words.ts'

export type ControlAction = (typeof CONTROL_ACTIONS)[number]
export type StoppedPositions = (typeof STOPPED_POSITIONS)[number]
export type ContributionType = (typeof CONTRIBUTION_TYPES)[number]

/** Shows the messages of an action that was tried. */
export type Tell = (...messages: MessageContent[]) => void

export const succeeded = (text: string, detail?: string | null): MessageContent => ({ kind: 'success', text, detail })
export const failedWith = (text: string, detail?: string | null): MessageContent => ({ kind: 'error', text, detail })

/** `Failed to start deployment: …`, with the server's sentence or why there is none. */
export function failedTo(verb: ControlAction | 'delete' | 'load' | 'create' | 'update', error: unknown) {
  return failedWith(`Failed to ${verb} deployment: ${sentenceOf(error)}`)
}

export const controlled = (action: ControlAction, positions?: StoppedPositions) =>
  succeeded(
    `Deployment ${action} successful`,
    positions === 'sell' ? 'Everything it holds is sold; its activity says when that is done.' : null,
  )
/** One that runs is checked by its schedule, the first time too. */
export const created = ({ status, next_run_at }: Pick<Deployment, 'status' | 'next_run_at'>) =>
  succeeded(
    'Deployment created successfully!',
    status === 'running' && next_run_at !== null
      ? `The first check is on ${formatMoment(next_run_at)}. Check now on its card makes one at once.`
      : null,
  )
export const UPDATED = succeeded('Deployment updated successfully!')
export const STRATEGY_UNKNOWN: MessageContent = {
  kind: 'info',
  text: 'The strategy to deploy was not found.',
  detail: 'It may have been deleted. Choose another one under Deploy New Strategy.',
}

/** Positions that other deployments own already are named; they come beside the error. */
export function createFailed(error: unknown): MessageContent {
  const symbols = conflictingSymbols(error)
  if (symbols.length === 0) return failedTo('create', error)
  return failedWith(
    `Cannot contribute positions: ${symbols.join(', ')} are already allocated to other deployments. ` +
      `Please deselect these positions or choose different ones. ${sentenceOf(error)}`,
  )
}

function conflictingSymbols(error: unknown): string[] {
  const answer = error instanceof CallError ? error.answer : null
  if (typeof answer !== 'object' || answer === null || !('conflicts' in answer)) return []
  if (!Array.isArray(answer.conflicts)) return []
  const conflicts: unknown[] = answer.conflicts
  return conflicts.flatMap((conflict) =>
    typeof conflict === 'object' && conflict !== null && 'symbol' in conflict ? [String(conflict.symbol)] : [],
  )
}

export const recorded = (type: ContributionType) =>
  succeeded(type === 'CONTRIBUTION' ? 'Contribution recorded successfully.' : 'Withdrawal recorded successfully.')
export const contributionFailed = (error: unknown) =>
  failedWith(serverMessageOr(error, 'Failed to record contribution'))
export const disallocationFailed = (error: unknown) =>
  failedWith(serverMessageOr(error, 'Failed to record disallocation'))

interface DisallocationSummary {
  disallocation_pct: number
  disallocation_amount: number
  new_total: number
}

export function disallocated(summary: DisallocationSummary, currency: string): MessageContent {
  const { disallocation_pct, disallocation_amount, new_total } = summary
  return succeeded(
    `Disallocation recorded: ${percentText(disallocation_pct)} (${moneyIn(currency, disallocation_amount)}) ` +
      `removed from current capital. New total: ${moneyIn(currency, new_total)}.`,
  )
}

/** Answered without a reason, or not answered at all. */
export function detailsFailed(error: unknown): string {
  const isAnswered = error instanceof CallError && error.status >= 400
  return serverMessageOr(error, isAnswered ? 'Unable to load capital details' : 'Failed to load capital details')
}

export const sentenceOf = (error: unknown): string =>
  error instanceof Error && error.message ? error.message : 'Unknown error'
