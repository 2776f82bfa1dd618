import type { Deployment, TradingAccount } from '@tradewright/contract/live-trading-fields'

interface Totals {
  pnl: number
  committed: number
  running: number
  count: number
  /** One entry for each account that a deployment uses. */
  allocated: { name: string; percent: number; kept: number }[]
}

/** Created, running and paused deployments hold capital; a stopped one keeps its result, too. */
export function totalsOf(deployments: readonly Deployment[], accounts: readonly TradingAccount[]): Totals {
  const used = new Set(deployments.map(({ alpaca_account_id }) => alpaca_account_id))
  return {
    pnl: sum(deployments.map(({ total_pnl }) => total_pnl)),
    committed: sum(deployments.map(({ committed_capital }) => committed_capital)),
    running: deployments.filter(({ status }) => status === 'running').length,
    count: deployments.length,
    allocated: accounts
      .filter(({ id }) => used.has(id))
      .map(({ account_name, percent_allocated, percent_kept }) => ({
        name: account_name,
        percent: percent_allocated,
        kept: percent_kept,
      })),
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
