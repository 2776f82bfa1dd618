import type { Broker } from '@tradewright/engine/trading/broker'
import { accountNotVerified, type BrokerageAccount } from './account.ts'
import { findAccount } from './own-accounts.ts'
import type { AccountRows, BrokerFor } from './ports.ts'

interface BrokerForDeps {
  readonly rows: AccountRows
  readonly open: (account: BrokerageAccount) => Broker
}

export const createBrokerFor =
  ({ rows, open }: BrokerForDeps): BrokerFor =>
  async (userId, accountId) => {
    const account = await findAccount({ rows }, userId, accountId)
    if (account.status !== 'verified') throw accountNotVerified(account)
    return open(account)
  }
