import type { BrokerId } from '@tradewright/core/broker-catalogue'
import type { Broker } from '@tradewright/engine/trading/broker'
import type { BrokerageAccount } from './account.ts'
import type { CheckKeys } from './ports.ts'

/** What the server does with the accounts of one broker. */
export interface BrokerDefinition {
  /** Present where the broker has credentials. */
  readonly checkKeys?: CheckKeys
  open(account: BrokerageAccount): Broker
  /**
   * Signals that something may have happened in an account; answers how to stop it. `find` is asked at every connection,
   * since keys may be replaced. Left out where the broker does not tell.
   */
  watch?(find: () => Promise<BrokerageAccount | undefined>, onNews: () => void): () => void
  /** The broker's host where it is not the real one. */
  customHost?(account: BrokerageAccount): string | undefined
}

export type Brokers = Readonly<Record<BrokerId, BrokerDefinition>>
