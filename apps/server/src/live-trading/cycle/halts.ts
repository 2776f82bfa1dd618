import { tickerKind } from '@tradewright/core/ticker-kind'
import { MINUTE, SECOND } from '@tradewright/core/time'
import type { Broker, TradableAsset } from '@tradewright/engine/trading/broker'
import type { Decision, OrderIntent } from '../decision.ts'
import type { Deployment } from '../deployment.ts'
import type { Halt } from '../ports/books.ts'
import type { AccountSnapshot, DeploymentDeps } from './types.ts'

/** A market order in an open market is filled within seconds. One that is not filled at all for so long rests. */
const RESTS_AFTER = 90 * SECOND
/** An order for a ticker that did not trade is not tried again before, whatever its quotes say. */
const MIN_PAUSE = 5 * MINUTE
/** How long a ticker pauses at a broker that offers no quotes. */
const PAUSE_WITHOUT_QUOTES = 15 * MINUTE
const FRESH = MINUTE

type Halts = ReadonlyMap<string, Halt>

/** Orders have the time of this machine's clock. */
const ownTime = ({ now, skew }: Pick<AccountSnapshot['time'], 'now' | 'skew'>): number => now.getTime() - skew

/** Taken by the broker, in an open market, and not filled: as in a trading halt. */
export function isResting(
  { state, orderType, timeInForce, ticker, filledQuantity, sentAt }: OrderIntent,
  { time, reconciliation: { account } }: Pick<AccountSnapshot, 'time' | 'reconciliation'>,
): boolean {
  const isTaken = state === 'accepted' || state === 'pending'
  const isForNow = orderType === 'market' && timeInForce === 'day' && tickerKind(ticker) !== 'crypto'
  const isOld = sentAt !== null && ownTime(time) - sentAt.getTime() >= RESTS_AFTER
  return time.isOpen && !account.ordersAwaitPrices && isTaken && isForNow && filledQuantity.isZero && isOld
}

/**
 * Notes tickers that do not trade, by orders that rest, and those that trade again, by orders that were filled. What rests
 * when the time of its decision is over is cancelled.
 */
export async function watchHalts(
  deps: DeploymentDeps,
  deployment: Deployment,
  decision: Decision,
  intents: readonly OrderIntent[],
  snapshot: AccountSnapshot,
): Promise<void> {
  const { broker, time } = snapshot
  const { halts } = snapshot.reconciliation
  const { books } = deps.database
  const { accountId } = deployment
  for (const intent of intents) {
    const { ticker, side, sentAt, brokerOrderId } = intent
    const halt = halts.get(ticker)
    if (halt && sentAt && sentAt >= halt.triedAt && intent.filledQuantity.isPositive)
      await endHalt(deps, deployment, ticker)
    if (!isResting(intent, snapshot)) continue
    if (halt?.triedAt.getTime() !== sentAt!.getTime()) {
      await books.noteHalt(accountId, ticker, { since: halt?.since ?? sentAt!, triedAt: sentAt! })
      const sentence =
        `${ticker} does not trade: the order to ${side} it has rested at the broker for 90 seconds without a fill, as in a trading halt. ` +
        'Its part is left as it is, the rest is traded, and it is tried again when it trades.'
      await deps.note({ code: 'ticker-halted', level: 'warning', sentence })
    }
    if (ownTime(time) < decision.expiresAt.getTime() || brokerOrderId === null) continue
    // It has ended by itself meanwhile: the next poll says how.
    await deps.database.orders.askCancel(accountId, [brokerOrderId], deps.clock.now())
    await broker
      .cancel(brokerOrderId)
      .catch((error: unknown) => deps.log.debug({ err: error, ticker }, 'cancel refused'))
  }
}

async function endHalt({ database, note }: DeploymentDeps, { accountId }: Deployment, ticker: string): Promise<void> {
  await database.books.endHalt(accountId, ticker)
  await note({ code: 'ticker-trades-again', level: 'info', sentence: `${ticker} trades again.` })
}

/** Before a decision: tickers whose quotes are fresh again are tried once more. Answers the others. */
export async function endHalts(
  deps: DeploymentDeps,
  deployment: Deployment,
  tickers: ReadonlySet<string>,
  { broker, assets, time, reconciliation: { halts } }: AccountSnapshot,
): Promise<Halts> {
  const left = new Map(halts)
  for (const [ticker, { triedAt }] of halts) {
    const pause = ownTime(time) - triedAt.getTime()
    if (!tickers.has(ticker) || pause < MIN_PAUSE) continue
    if ((await assets.asset(ticker))?.isTradable === false) continue
    const isOver = broker.quote ? await hasFreshQuote(broker, ticker, time.now) : pause >= PAUSE_WITHOUT_QUOTES
    if (!isOver) continue
    left.delete(ticker)
    await endHalt(deps, deployment, ticker)
  }
  return left
}

/** Notes what the broker says cannot be traded, once. */
export async function noteUntradable(
  { database, note }: DeploymentDeps,
  { accountId }: Deployment,
  assets: ReadonlyMap<string, TradableAsset>,
  halts: Halts,
  now: Date,
): Promise<void> {
  for (const { ticker, isTradable } of assets.values()) {
    if (isTradable || halts.has(ticker)) continue
    await database.books.noteHalt(accountId, ticker, { since: now, triedAt: now })
    const sentence =
      `${ticker} cannot be traded at the broker, by its own list of assets. ` +
      'Its part is left as it is, the rest is traded, and it is tried again when it can be traded.'
    await note({ code: 'ticker-halted', level: 'warning', sentence })
  }
}

async function hasFreshQuote(broker: Broker, ticker: string, now: Date): Promise<boolean> {
  const newest = await broker.quote!(ticker).catch(() => undefined)
  return newest?.bid !== undefined && newest.ask !== undefined && now.getTime() - newest.at < FRESH
}

/** Nothing is ordered of what does not trade. */
export const withoutHalted = (assets: ReadonlyMap<string, TradableAsset>, halts: Halts): Map<string, TradableAsset> =>
  new Map([...assets].map(([ticker, asset]) => [ticker, halts.has(ticker) ? { ...asset, isTradable: false } : asset]))

/** As the health of a deployment says it. */
export const haltSentences = (halts: Halts, tickers: ReadonlySet<string>): string[] =>
  [...halts].flatMap(([ticker, { since }]) =>
    tickers.has(ticker)
      ? [`${ticker} has not traded at the broker since ${since.toISOString().slice(0, 16).replace('T', ' ')} UTC.`]
      : [],
  )
