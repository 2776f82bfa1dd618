/** Backtests that were not saved: so many of the newest are kept. */
export const RECENT_RUNS_KEPT = 50
