import type { UtcMillis } from '@tradewright/core/time'
import { decidedForOf } from '@tradewright/engine/trading/client-order-id'
import type { Deployment } from '../deployment.ts'

/** Whether this is the decision by which a stopped deployment sells everything. */
export const isLiquidation = (
  { liquidatingSince }: Pick<Deployment, 'liquidatingSince'>,
  decidedFor: UtcMillis | undefined,
): boolean => liquidatingSince !== null && liquidatingSince.getTime() === decidedFor

export const isOfLiquidation = (
  deployment: Pick<Deployment, 'liquidatingSince'>,
  { clientOrderId }: { readonly clientOrderId: string },
): boolean => isLiquidation(deployment, decidedForOf(clientOrderId))
