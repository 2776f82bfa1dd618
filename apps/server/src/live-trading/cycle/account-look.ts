import type { Broker } from '@tradewright/engine/trading/broker'
import type { Decision } from '../decision.ts'
import { remembered } from '../remembered.ts'
import type { MarketTime } from './market-time.ts'
import type { Reconciliation } from './reconcile.ts'

/** One look at an account, for all of its deployments that have something to do now. */
export interface AccountLook {
  readonly broker: Broker
  readonly assets: Assets
  readonly time: MarketTime
  readonly reconciliation: Reconciliation
  /** Decisions that were being carried out when it began, by deployment. */
  readonly atWork: ReadonlyMap<number, Decision>
}

export type Assets = Pick<Broker, 'asset'>

/** What a broker says of an asset holds for everybody who decides in one look: it is asked once. */
export function askedOnce(broker: Assets): Assets {
  const known = remembered<Awaited<ReturnType<Broker['asset']>>>()
  return { asset: (ticker) => known(ticker, () => broker.asset(ticker)) }
}
