/** Common names, with their tickers. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/\bbitcoin\b|\bBTC\b(?!-)/i, 'BTC-USD'],
  [/\bether(eum)?\b|\bETH\b(?!-)/i, 'ETH-USD'],
  [/\bs&p( ?500)?\b/i, 'SPY'],
  [/\bnasdaq\b/i, 'QQQ'],
]

/** Upper-case words of a question that are no tickers. */
const WORDS: ReadonlySet<string> = new Set(
  'AI ML ETF ETFS CAGR USD US USA RSI SMA EMA MACD ATR CSV API PM AM ET UTC OK VS AND OR THE MY IS IT WHAT HOW WHY I A'.split(
    ' ',
  ),
)

/** Tickers of a question: those in capitals, and a few that have a name. */
export function tickersIn(question: string): string[] {
  const named = NAMES.filter(([name]) => name.test(question)).map(([, ticker]) => ticker)
  const written = question.match(/\b[A-Z][A-Z0-9]{0,9}(?:-(?:USD|FR|OI|LS|LIQ))?\b/g) ?? []
  const tickers = written.filter((word) => word.length > 1 && !WORDS.has(word) && word !== 'BTC' && word !== 'ETH')
  return [...new Set([...tickers, ...named])]
}

interface Weight {
  readonly ticker: string
  readonly percent: number
}

/** `60% SPY and 40% TLT`, `SPY 60 TLT 40`, `SPY: 60 %`; tickers in capitals. */
export function weightsIn(question: string): Weight[] {
  const before = [...question.matchAll(/(\d+(?:\.\d+)?)\s*%\s*(?:in |of )?([A-Z][A-Z0-9.-]{1,11})\b/g)]
  const after = [...question.matchAll(/\b([A-Z][A-Z0-9.-]{1,11})[\s:=]+(\d+(?:\.\d+)?)\s*%?(?!\d|-)/g)]
  const found =
    before.length > 0 ? before.map(([, percent, ticker]) => [ticker, percent]) : after.map(([, ...pair]) => pair)
  return found.flatMap(([ticker = '', percent]) => (WORDS.has(ticker) ? [] : [{ ticker, percent: Number(percent) }]))
}
