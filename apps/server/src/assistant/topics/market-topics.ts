import type { QuickAction, Topic } from '../area.ts'
import type { Caller } from '../tool.ts'
import type { MarketTools } from '../tools/market-tools.ts'
import type { PriceFacts } from '../tools/price-facts.ts'
import {
  chart,
  date,
  paragraphs,
  percent,
  plain,
  price,
  ratio,
  signedPercent,
  SYNTHETIC_NOTE,
  table,
} from '../words.ts'
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
        matches: (words) => /\bmarkets?\b/.test(words),
        answer: overview,
      },
      {
        example: 'What is the price of GLD?',
        matches: (words) =>
          /\b(price|quote|quotes|worth|trading|history|performance|how (is|are|did|does))\b/.test(words),
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
  const { quotes, missing } = await tools.getQuotes.run(caller, { tickers: OVERVIEW })
  if (quotes.length === 0) return noPrices(missing)
  const byMonth = quotes.filter(({ change_1_month }) => change_1_month !== null)
  const sorted = byMonth.toSorted((a, b) => b.change_1_month! - a.change_1_month!)
  const [strongest, weakest] = [sorted[0], sorted.at(-1)]
  return paragraphs(
    strongest && weakest && strongest !== weakest
      ? `Over the last month **${strongest.ticker}** was strongest (${signedPercent(strongest.change_1_month)}) and **${weakest.ticker}** weakest (${signedPercent(weakest.change_1_month)}).`
      : undefined,
    quoteTable(quotes),
    notes(quotes, missing),
  )
}

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
    notes(quotes, missing),
  )
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
  const { pairs, missing, synthetic, days } = await tools.getCorrelations.run(caller, {
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
    `Of daily returns over the last ${days} days.`,
    synthetic && SYNTHETIC_NOTE,
    missingWords(missing),
  )
}

type Missing = readonly { ticker: string; reason: string }[]

const notes = (quotes: readonly PriceFacts[], missing: Missing): string =>
  paragraphs(
    quotes.some(({ synthetic }) => synthetic) && SYNTHETIC_NOTE,
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
