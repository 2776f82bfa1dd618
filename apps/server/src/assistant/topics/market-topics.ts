import { dateOf } from '@tradewright/core/time'
import type { QuickAction, Topic, Caller } from '../action.ts'
import { type MarketTools, SAME_DATE_DAYS, type PriceFacts, type DataQualityTools } from '../tools/market-tools.ts'
import {
  chart,
  date,
  paragraphs,
  percent,
  plain,
  price,
  ratio,
  signedPercent,
  syntheticNote,
  table,
  count,
  SYNTHETIC_NOTE,
} from '../words.ts'

/** Shares, bonds, gold and the largest coin: enough for an overview. */
const OVERVIEW = ['SPY', 'QQQ', 'TLT', 'GLD', 'BTC-USD']
const HISTORY_FROM = 365

export function marketTopics(
  tools: MarketTools,
  daysAgo: (days: number) => string,
): { topics: Topic[]; analysis: QuickAction } {
  const overview = (caller: Caller) => marketWords(tools, caller)
  return {
    topics: [
      {
        example: 'How are SPY and TLT correlated?',
        matches: (words) => /correlat/.test(words) && !/\blead/.test(words),
        answer: (caller, question) => correlationWords(tools, caller, tickersIn(question)),
      },
      {
        example: 'How is the market?',
        // Not market data, market orders and market hours, nor which markets can be traded.
        matches: (words) => /\bmarkets?\b(?! (?:data|hours|impact|orders?)\b)/.test(words) && !/\bcan\b/.test(words),
        answer: overview,
      },
      {
        example: 'What is the price of GLD?',
        matches: (words, question) =>
          /\b(?:prices?|quotes?) (?:of|for)\b|^(?:what(?: is|s|'s|’s) the )?(?:prices?|quotes?)\b/.test(words) ||
          (tickersIn(question).length > 0 &&
            /\b(prices?|quotes?|worth|trading|history|performance|how (is|are|did|does))\b/.test(words)),
        answer: (caller, question) => quoteWords(tools, caller, tickersIn(question), daysAgo(HISTORY_FROM)),
      },
    ],
    analysis: {
      type: 'market_analysis',
      label: 'Market Analysis',
      prompt: `Give a short market analysis from the quotes of ${OVERVIEW.join(', ')}: what rose, what fell, how calm it is, how they are correlated.`,
      answer: overview,
    },
  }
}

async function marketWords(tools: MarketTools, caller: Caller): Promise<string> {
  const {
    quotes,
    missing,
    common_end_date: end,
    limited_by,
  } = await tools.compareQuotes.run(caller, { tickers: OVERVIEW })
  if (quotes.length === 0) return noPrices(missing)
  // What is made up has nothing in common with a real market.
  const real = quotes.filter(({ synthetic }) => !synthetic)
  const byMonth = (real.length > 0 ? real : quotes).filter(({ change_1_month }) => change_1_month !== null)
  const sorted = byMonth.toSorted((a, b) => b.change_1_month! - a.change_1_month!)
  const [strongest, weakest] = [sorted[0], sorted.at(-1)]
  return paragraphs(
    strongest && weakest && strongest !== weakest
      ? `Over the ${limited_by.length > 0 ? `month to ${date(end!)}` : 'last month'} **${strongest.ticker}** was strongest (${signedPercent(strongest.change_1_month)}) and **${weakest.ticker}** weakest (${signedPercent(weakest.change_1_month)}).`
      : undefined,
    quoteTable(quotes),
    commonEndWords(end, limited_by),
    notes(quotes, missing),
  )
}

/** Why figures end before today. */
export const commonEndWords = (end: string | null, limitedBy: readonly string[]): string =>
  end === null || limitedBy.length === 0
    ? ''
    : `All figures end on ${date(end)}, the last date that all have: there are no newer prices of ${limitedBy.map(plain).join(', ')}.`

async function quoteWords(
  tools: MarketTools,
  caller: Caller,
  tickers: readonly string[],
  from: string,
): Promise<string> {
  if (tickers.length === 0) return 'Which ticker do you mean? Write it in capitals, for example SPY or BTC-USD.'
  const { quotes, missing } = await tools.getQuotes.run(caller, { tickers: tickers.slice(0, 12) })
  const [only] = quotes
  if (!only) return noPrices(missing)
  const history =
    quotes.length === 1 ? await tools.getPriceHistory.run(caller, { ticker: only.ticker, start_date: from }) : undefined
  return paragraphs(
    quoteTable(quotes),
    history && chart({ title: `${only.ticker}, last 12 months`, points: history.values, synthetic: history.synthetic }),
    differentDates(quotes) && 'The newest dates differ: each change ends at its own date, so they are not comparable.',
    notes(quotes, missing),
  )
}

/** Whether newest dates are further apart than a weekend and holidays explain. */
function differentDates(quotes: readonly PriceFacts[]): boolean {
  const days = quotes.map((quote) => dateOf(quote.date))
  return Math.max(...days) - Math.min(...days) > SAME_DATE_DAYS
}

const quoteTable = (quotes: readonly PriceFacts[]): string =>
  table(
    ['Ticker', 'Last', 'Date', '1 day', '1 month', '1 year', 'Volatility', 'From 1-year high'],
    quotes.map((quote) => [
      plain(quote.ticker),
      price(quote.value),
      date(quote.date),
      signedPercent(quote.change_1_day),
      signedPercent(quote.change_1_month),
      signedPercent(quote.change_1_year),
      percent(quote.volatility_1_year),
      percent(quote.below_1_year_high),
    ]),
  )

async function correlationWords(tools: MarketTools, caller: Caller, tickers: readonly string[]): Promise<string> {
  if (tickers.length < 2) return 'Name at least two tickers in capitals, for example: how are SPY and TLT correlated?'
  const { pairs, missing, synthetic_tickers, days, end_date } = await tools.getCorrelations.run(caller, {
    tickers: tickers.slice(0, 10),
    days: HISTORY_FROM,
  })
  if (pairs.length === 0) return noPrices(missing)
  return paragraphs(
    table(
      ['Pair', 'Correlation', 'Days'],
      pairs.map(({ first, second, correlation, days: shared }) => [
        `${plain(first)} and ${plain(second)}`,
        ratio(correlation),
        String(shared),
      ]),
    ),
    `Of daily returns over the ${days} days to ${date(end_date!)}.`,
    syntheticNote(tickers.map((ticker) => ({ ticker, synthetic: synthetic_tickers.includes(ticker) }))),
    missingWords(missing),
  )
}

type Missing = readonly { ticker: string; reason: string }[]

const notes = (quotes: readonly PriceFacts[], missing: Missing): string =>
  paragraphs(
    syntheticNote(quotes),
    'Changes include dividends. Volatility is of daily returns over a year.',
    missingWords(missing),
  )

const missingWords = (missing: Missing): string => missing.map(({ reason }) => `- ${plain(reason)}`).join('\n')

const noPrices = (missing: Missing): string =>
  paragraphs(
    'There are no prices to answer with.',
    missingWords(missing),
    'Collect some in the [Data Collector](/data-collector).',
  )

const MAX_ROWS = 10

export const dataQualityTopic = (tools: DataQualityTools): Topic => ({
  example: 'How good is my stored data?',
  matches: (words) =>
    /data quality|\bgaps?\b|\bstale\b|missing data|stored data|(good|clean|complete).*\bdata\b/.test(words),
  async answer(caller) {
    const { store, series, total } = await tools.getDataQuality.run(caller, {})
    if (total === 0)
      return `The store **${plain(store)}** is empty. Collect prices in the [Data Collector](/data-collector), or run a backtest, which fetches what it needs.`
    const faulty = series.filter(
      (one) => one.missing_rows + one.suspicious_jumps + one.contradictions > 0 || one.is_stale,
    )
    return paragraphs(
      faulty.length === 0
        ? `No faults were found in the ${count(total)} series of **${plain(store)}**.`
        : `${count(faulty.length)} of the ${count(total)} series in **${plain(store)}** ${faulty.length === 1 ? 'needs' : 'need'} a look:`,
      table(
        ['Ticker', 'Rows', 'From', 'To', 'Missing', 'Jumps', 'Stale'],
        (faulty.length > 0 ? faulty : series)
          .slice(0, MAX_ROWS)
          .map((one) => [
            `${plain(one.ticker)} (${one.granularity})`,
            count(one.rows),
            one.first ? date(one.first) : '',
            one.last ? date(one.last) : '',
            count(one.missing_rows),
            count(one.suspicious_jumps),
            one.is_stale ? 'yes' : 'no',
          ]),
      ),
      series.some(({ synthetic }) => synthetic) && SYNTHETIC_NOTE,
      '[Data Collector](/data-collector)',
    )
  },
})

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
