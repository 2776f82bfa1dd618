/** The width of an importance bar in percent: at least 1, so that every bar can be seen, and at most 100. */
export function barWidth(importance: number): number {
  return Math.min(100, Math.max(1, importance * 100))
}
