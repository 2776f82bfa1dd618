import { Problem } from '@tradewright/core/problem'
import { listed } from '@tradewright/engine/backtest/provenance'
import { createHash } from 'node:crypto'
import type { Deployment } from '../../deployment.ts'
import type { CycleDeps } from '../types.ts'

export const checksumOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** One that has traded and lost its models is not given another: the next decision refuses to go on without it. */
export const isModelLost = async (
  { database }: Pick<CycleDeps, 'database'>,
  deployment: Deployment,
): Promise<boolean> => deployment.lastTrade !== undefined && !(await database.models.hasAny(deployment.id))

/** Made-up prices never move real money. */
export function refuseSynthetic({ mayTradeSynthetic }: Deployment, synthetic: readonly string[]): void {
  if (synthetic.length > 0 && !mayTradeSynthetic)
    throw new Problem(
      'conflict',
      'deployment.synthetic',
      `Prices of ${listed(synthetic)} are synthetic. A brokerage account is never traded on synthetic prices.`,
    )
}
