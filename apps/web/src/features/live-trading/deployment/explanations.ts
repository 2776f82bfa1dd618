/** How the figures of a deployment come to be. docs/method.md has the same with sources. */
export const HOW = {
  value: 'The deployment’s cash plus its part of each position in the account, at the last known prices.',
  pnl:
    'Value minus net contributions: what was paid in, less what was withdrawn or returned. Fees and dividends are ' +
    'included.',
  drift:
    'After each session, the deployment is replayed as a backtest over the same days. The drift is the live growth ' +
    'of one dollar minus the replayed growth on the last day that both have, in percentage points. The lines below ' +
    'are its causes and add up to it; the drift does not say which of the two was better.',
} as const
