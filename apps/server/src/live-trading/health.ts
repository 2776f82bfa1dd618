import type { Note } from '@tradewright/core/note'
import { Problem, sentenceFor } from '@tradewright/core/problem'
import { MINUTE } from '@tradewright/core/time'
import type { DeploymentStatus } from '@tradewright/engine/trading/deployment-status'
import type { AccountState } from './ports/books.ts'

export const DISAGREEMENT = 'deployment.disagreement'

export const disagreement = (sentence: string): Problem =>
  new Problem('conflict', DISAGREEMENT, `Broker and books disagree; nothing is traded until they agree. ${sentence}`)

/** Why a deployment does not trade, by the failure that keeps it from trading. */
export const healthProblemOf = (error: unknown): Note => ({
  code: error instanceof Problem ? error.code : 'unexpected',
  level: 'error',
  sentence: sentenceFor(error),
})

const ACCOUNT_UNUSABLE = 'account.unusable'

/** The same for a failure of the account, which none of its deployments can use. */
export const accountProblemOf = (error: unknown): Note => ({
  code: ACCOUNT_UNUSABLE,
  level: 'error',
  sentence: `The brokerage account cannot be used: ${sentenceFor(error)}`,
})

/** Whether a problem is over as soon as the account was read and agrees with the books. */
export const isAboutAccount = ({ code }: Note): boolean => code === DISAGREEMENT || code === ACCOUNT_UNUSABLE

/** How often an account is compared in which a deployment runs, and one in which none does. */
export const COMPARE_INTERVAL_MS = MINUTE
export const IDLE_COMPARE_INTERVAL_MS = 15 * MINUTE
/** The same for one in which a deployment runs while its exchange is closed and nothing is open. */
export const CLOSED_COMPARE_INTERVAL_MS = 8 * MINUTE

/** The light says nothing good about an account that was not compared for so long. */
const MAX_COMPARISON_AGE_MS = CLOSED_COMPARE_INTERVAL_MS + 2 * COMPARE_INTERVAL_MS
const MAX_IDLE_COMPARISON_AGE_MS = 2 * IDLE_COMPARE_INTERVAL_MS

/** Why the last comparison of an account says little about this instant, as sentences. */
export function staleComparison(
  status: DeploymentStatus,
  state: Pick<AccountState, 'comparedAt'> | undefined,
  now: Date,
): string[] {
  const comparedAt = state?.comparedAt
  if (!comparedAt) return ['The books have not been compared with the broker yet.']
  const maxAge = status === 'running' ? MAX_COMPARISON_AGE_MS : MAX_IDLE_COMPARISON_AGE_MS
  const isStale = now.getTime() - comparedAt.getTime() > maxAge
  const when = `${comparedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return isStale
    ? [`The books were last compared with the broker at ${when}. What happened there since is not known.`]
    : []
}
