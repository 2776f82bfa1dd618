import type { Broker } from '@tradewright/engine/trading/broker'
import { brokerIds } from '@tradewright/core/broker-catalogue'
import { accountNotVerified, type BrokerageAccount, brokerUnknown } from './account.ts'
import { withoutOrders } from './paper-only.ts'
import { findAccount } from './own-accounts.ts'
import type { AccountRows, BrokerFor } from './ports.ts'

interface BrokerForDeps {
  readonly rows: AccountRows
  readonly open: (account: BrokerageAccount) => Broker
  /** Orders of accounts with real money are refused. */
  readonly isPaperOnly?: boolean
}

export const createBrokerFor =
  ({ rows, open, isPaperOnly = false }: BrokerForDeps): BrokerFor =>
  async (userId, accountId) => {
    const account = await findAccount({ rows }, userId, accountId)
    if (account.status !== 'verified') throw accountNotVerified(account)
    if (!brokerIds.includes(account.broker)) throw brokerUnknown(account)
    return isPaperOnly && !account.isPaper ? withoutOrders(open(account)) : open(account)
  }
