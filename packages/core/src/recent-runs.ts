/** Backtests that were not saved and are kept all the same: the newest. */
export const MAX_RECENT_RUNS = 50
