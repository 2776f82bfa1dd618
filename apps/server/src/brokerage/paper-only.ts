import { Problem } from '@tradewright/core/problem'
import type { Broker } from '@tradewright/engine/trading/broker'

const PAPER_ONLY_REASON = 'this instance trades paper accounts only'

export const paperOnly = (): Problem =>
  new Problem(
    'denied',
    'broker.paper-only',
    'This instance trades paper accounts only. Its operator has set PAPER_ONLY.',
  )

/** An account with real money, as an instance sees it that may not trade it: read and cancelled is as ever. */
export const withoutOrders = (broker: Broker): Broker => ({
  ...broker,
  account: async () => {
    const account = await broker.account()
    return { ...account, blockedBecause: account.blockedBecause ?? PAPER_ONLY_REASON }
  },
  place: () => Promise.reject(paperOnly()),
})
