import { MINUTE } from '@tradewright/core/time'
import type { Reconciliation } from '../types.ts'
import type { AccountState } from '../../ports/books.ts'

/** A broker lists an execution within seconds. What it has not listed after this long is a disagreement. */
const MOVING_LIMIT = 5 * MINUTE

type Moving = Pick<AccountState, 'movingSince'>

/** Whether executions that are not listed no longer explain a difference. */
export const isLate = ({ movingSince }: Moving, at: Date): boolean =>
  movingSince !== null && at.getTime() - movingSince.getTime() >= MOVING_LIMIT

/** A disagreement that began as a movement stays late, until books and broker agree. */
export const movingSinceOf = ({ movingSince }: Moving, verdict: Reconciliation['verdict'], at: Date): Date | null =>
  verdict === 'moving' ? (movingSince ?? at) : verdict === 'disagreed' ? movingSince : null
