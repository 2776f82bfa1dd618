import type { Deployment } from '@tradewright/contract/live-trading-fields'
import { nextCheckText } from '../../../deployment-words/next-check.ts'

const MAX_ROWS = 5
const ORDER: readonly Deployment['status'][] = ['running', 'paused', 'created', 'stopped']

/** The running ones first, then by age, newest first, as the list came. */
export const listedDeployments = <D extends Pick<Deployment, 'status'>>(deployments: readonly D[]): D[] =>
  deployments.toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status)).slice(0, MAX_ROWS)

const WITHOUT_CHECK = { created: 'After Start', paused: 'After Resume', stopped: 'None, it is stopped' } as const

export function checkText({ status, next_run_at }: Pick<Deployment, 'status' | 'next_run_at'>, now: Date): string {
  if (status !== 'running') return WITHOUT_CHECK[status]
  return next_run_at ? nextCheckText(next_run_at, now) : 'Not scheduled yet'
}
