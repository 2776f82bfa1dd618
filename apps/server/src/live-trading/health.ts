import type { Note } from '@tradewright/core/note'
import { Problem, sentenceFor } from '@tradewright/core/problem'

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
