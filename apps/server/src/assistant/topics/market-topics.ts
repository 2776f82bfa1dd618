import type { QuickAction, Topic } from '../area.ts'
import type { Caller } from '../tool.ts'
import type { MarketTools } from '../tools/market-tools.ts'
import type { PriceFacts } from '../tools/price-facts.ts'
import { chart, date, paragraphs, percent, plain, price, ratio, signedPercent, syntheticNote, table } from '../words.ts'
import { dateOf } from '@tradewright/core/time'
import { SAME_DATE_DAYS } from '../tools/common-period.ts'
import { tickersIn } from './tickers-in.ts'

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
