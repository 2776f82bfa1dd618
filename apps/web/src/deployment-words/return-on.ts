import type { Deployment } from '@tradewright/contract/live-trading-fields'

/** As a fraction of what was paid in; null while nothing was. */
export function returnOn({ total_pnl, net_contributions }: Deployment): number | null {
  return net_contributions > 0 ? total_pnl / net_contributions : null
}
