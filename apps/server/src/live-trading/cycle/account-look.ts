import type { Broker } from '@tradewright/engine/trading/broker'
import type { Decision } from '../decision.ts'
import { remembered } from '../remembered.ts'
import type { MarketTime } from './market-time.ts'
import type { Reconciliation } from './reconcile.ts'

/** A snapshot of an account, for all of its deployments that have something to do now. */
export interface AccountLook {
  readonly broker: Broker
  readonly assets: Assets
  readonly time: MarketTime
  readonly reconciliation: Reconciliation
  /** Decisions that were being carried out when it began, by deployment. */
  readonly atWork: ReadonlyMap<number, Decision>
}

export type Assets = Pick<Broker, 'asset'>

/** Memoized: a broker's answer about an asset holds for all decisions of one poll. */
export function askedOnce(broker: Assets): Assets {
  const known = remembered<Awaited<ReturnType<Broker['asset']>>>()
  return { asset: (ticker) => known(ticker, () => broker.asset(ticker)) }
}
