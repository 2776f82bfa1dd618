/** Text as the ticker fields have it: split on commas, trimmed, upper-cased, each once. */
export function parseTickers(text: string): string[] {
  const tickers = text.split(',').map((part) => part.trim().toUpperCase())
  return [...new Set(tickers.filter((ticker) => ticker !== ''))]
}

export const tickersText = (tickers: readonly string[]): string => tickers.join(', ')

/** `SPY, QQQ, TLT +2 more`. */
export function firstThree(tickers: readonly string[]): string {
  const rest = tickers.length - 3
  return rest > 0 ? `${tickers.slice(0, 3).join(', ')} +${rest} more` : tickers.join(', ')
}
