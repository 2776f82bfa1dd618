import { Problem } from '@tradewright/core/problem'
import { paperOnly } from '../../brokerage/paper-only.ts'
import type { LiveDeps } from '../deps.ts'

interface GoingLive {
  readonly name: string
  readonly isPaper: boolean
}

/**
 * Orders with real money need the deployment's name, typed by the user who starts them, and an operator who does not allow
 * paper alone.
 */
export function assertMayBegin(
  { isPaperOnly = false }: Pick<LiveDeps, 'isPaperOnly'>,
  { name, isPaper }: GoingLive,
  confirmation: string | undefined,
): void {
  if (isPaperOnly && !isPaper) throw paperOnly()
  if (isPaper || confirmation?.trim() === name) return
  const sentence = `“${name}” trades real money. Type its name to confirm (confirmation: the deployment's name).`
  throw new Problem('invalid', 'deployment.confirmation', sentence)
}
