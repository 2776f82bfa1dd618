/** How the figures of a deployment come to be. docs/method.md has the same with sources. */
export const HOW = {
  value: 'The deployment’s cash plus its share of each position of the account, at the last prices that are known.',
  pnl: 'Value minus net contributions: what was paid in, less what was withdrawn or given back. Fees and dividends are in it.',
  drift:
    'After each session the deployment is replayed as a backtest over the same days. The drift is the live growth of one ' +
    'dollar minus the replayed growth at the last day that both have, in percentage points. Its causes stand below as ' +
    'lines that add up to it; it does not say which of the two was better.',
} as const
