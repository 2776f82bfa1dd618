/** Of the backtests that were not saved, so many of the newest are kept. */
export const MAX_RECENT_RUNS = 50
