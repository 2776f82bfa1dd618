/** A list of tickers, or one comma-separated text: trimmed, upper-cased, each once. */
export function tickersOf(tickers: readonly string[] | string | null | undefined): string[] {
  const parts = typeof tickers === 'string' ? [tickers] : (tickers ?? [])
  const words = parts.flatMap((part) => part.split(',')).map((word) => word.trim().toUpperCase())
  return [...new Set(words.filter((word) => word !== ''))]
}
