import { Problem } from '@tradewright/core/problem'
import { tickerKind } from '@tradewright/core/ticker-kind'
import { tradedAs } from '@tradewright/engine/live/trading-weights'
import type { Broker } from '@tradewright/engine/trading/broker'
import { countsAsAllocated } from '@tradewright/engine/trading/deployment-status'
import { heldByOthers } from '@tradewright/engine/trading/ledger/books'
import { shortedSignals } from './deployable-strategies.ts'
import type { Deployment } from '../deployment.ts'
import type { LiveDatabase } from '../ports/database.ts'
import { tradedTickers } from '../traded-tickers.ts'

type Traded = Pick<Deployment, 'strategy' | 'settings'>

interface TradedTickers {
  readonly all: readonly string[]
  /** The tickers that may be sold short. */
  readonly shorted: readonly string[]
}

/** What a deployment may trade. One whose strategy can no longer be run trades nothing. */
function tradedBy(deployment: Traded): TradedTickers {
  const { strategy, settings } = deployment
  try {
    const shorted = shortedSignals(strategy).flatMap((ticker) => tradedAs(ticker, settings.tickerMapping)?.ticker ?? [])
    return { all: tradedTickers(deployment), shorted }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { all: [], shorted: [] }
  }
}

interface ToCheck extends Traded {
  /** Undefined for one that does not exist yet. */
  readonly id: number | undefined
  readonly accountId: number
}

/**
 * Refuses short positions that the account does not allow or the broker does not lend, and a ticker that one deployment of the
 * account sells short and another one trades: a broker holds one position of a ticker, so one would sell what the other owns.
 */
export async function refuseShorts(
  { database }: { readonly database: LiveDatabase },
  broker: Pick<Broker, 'account' | 'asset'>,
  deployment: ToCheck,
): Promise<void> {
  const { all, shorted: own } = tradedBy(deployment)
  if (own.length > 0) await refuseUnlent(broker, own)
  const { id, accountId } = deployment
  const others = (await database.deployments.onAccount(accountId)).filter((other) => other.id !== id)
  for (const other of others.filter(({ status }) => countsAsAllocated(status))) {
    const theirs = tradedBy(other)
    const shared =
      own.find((ticker) => theirs.all.includes(ticker)) ?? theirs.shorted.find((ticker) => all.includes(ticker))
    if (shared !== undefined)
      throw invalid(`${shared} is traded by "${other.name}" in the same account. ${ONE_POSITION}`)
  }
  const books = await database.books.books(accountId)
  const mixed = own.find((ticker) => heldByOthers(books, id ?? NO_DEPLOYMENT, ticker).isPositive)
  if (mixed !== undefined)
    throw invalid(`The account holds shares of ${mixed} outside of this deployment. ${ONE_POSITION}`)
}

const NO_DEPLOYMENT = 0

const ONE_POSITION =
  'A broker holds one position of a ticker, so it cannot be sold short there. Use another account, or sell the shares first.'

async function refuseUnlent(broker: Pick<Broker, 'account' | 'asset'>, tickers: readonly string[]): Promise<void> {
  const { isShortingAllowed } = await broker.account()
  if (!isShortingAllowed) {
    throw invalid(
      `The strategy sells ${tickers.join(', ')} short, and this account allows no short positions. Choose a margin account ` +
        'in which shorting is enabled, or the built-in paper account.',
    )
  }
  for (const ticker of tickers) {
    const asset = tickerKind(ticker) === 'crypto' ? undefined : await broker.asset(ticker)
    if (!asset?.isShortable) throw invalid(`The strategy sells ${ticker} short, and the broker does not lend it.`)
  }
}

const invalid = (sentence: string) => new Problem('invalid', 'deployment.shorts', sentence)
