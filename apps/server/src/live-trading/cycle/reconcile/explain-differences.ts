import { Decimal } from '@tradewright/core/decimal'
import { usd } from '@tradewright/core/money'
import { type Books, sliceOf, valueOf } from '@tradewright/engine/trading/ledger/books'
import { compareWithBroker, isExplainedBySplit } from '@tradewright/engine/trading/ledger/compare'
import { splitEntries } from '@tradewright/engine/trading/ledger/corrections'
import { flowEntry } from '@tradewright/engine/trading/ledger/flow-entry'
import type { OrderIntent } from '../../decision.ts'
import type { LiveStores } from '../../ports/database.ts'
import { type AccountNews, bookActions } from './book-actions.ts'
import { bookMovements } from './book-movements.ts'
import { bookSaleFee } from './sale-fees.ts'
import { type BrokerSnapshot, sliceAtBroker } from './broker-snapshot.ts'

interface Circumstances {
  readonly prices: ReadonlyMap<string, Decimal>
  readonly at: Date
  readonly open: readonly OrderIntent[]
  readonly splits: ReadonlyMap<string, readonly Decimal[]>
  /** Executions have not been listed for so long that they explain nothing. */
  readonly isLate: boolean
}

interface Explanation {
  readonly disagreement: string | null
  readonly isMoving: boolean
  readonly unexplained: readonly string[]
  readonly news: readonly AccountNews[]
}

/** Books what explains a difference; what remains is a disagreement, or an execution that is not listed yet. */
export async function explainDifferences(
  stores: LiveStores,
  accountId: number,
  snapshot: BrokerSnapshot,
  { prices, at, open, splits, isLate }: Circumstances,
): Promise<Explanation> {
  const { books } = stores
  const broker = sliceAtBroker(snapshot)
  const waiting = new Set(open.map(({ ticker }) => ticker))
  const news = await bookActions(stores, accountId, snapshot, { prices, at })
  await bookMovements(stores, accountId, snapshot, { prices, at, waiting })
  const before = compareWithBroker(await books.books(accountId), broker)
  for (const difference of before.positions) {
    const ratio = splits.get(difference.ticker)?.find((one) => isExplainedBySplit(difference, one))
    if (!ratio) continue
    const on = {
      key: `split:${difference.ticker}:${at.toISOString().slice(0, 10)}`,
      at: at.getTime(),
      note: `Split of ${difference.ticker}, ${String(ratio)} for 1`,
    }
    const booked = await books.post(accountId, splitEntries(await books.books(accountId), difference, on), prices)
    if (booked.length > 0) news.push({ message: `${on.note}.` })
  }
  const own = await books.books(accountId)
  const { positions, cash, overdrawn } = compareWithBroker(own, broker)
  const isExcused = !isLate || !snapshot.isStill
  const strange = positions.filter(({ ticker }) => !isExcused || !waiting.has(ticker))
  // While an order of ours is open, money may have moved for an execution that is not listed yet.
  const isPaying = isExcused && open.length > 0 && !cash.isZero
  const isMoving = positions.length > strange.length || !snapshot.isStill || isPaying
  const isFlow = positions.length === 0 && snapshot.isStill && !isPaying && !cash.isZero
  if (isFlow && !(await bookSaleFee(stores, accountId, snapshot, cash.negated(), { prices, at }))) {
    const key = `flow:${at.toISOString()}:${String(broker.cash)}`
    await books.post(accountId, [flowEntry(key, at.getTime(), cash, 'Money moved at the broker')], prices)
  }
  const sentences = isMoving
    ? isLate && !snapshot.isStill
      ? [RESTLESS]
      : []
    : [
        ...strange.map(
          ({ ticker, broker: held, books: booked }) =>
            `The broker holds ${String(held)} ${ticker}, but the books say ${String(booked)}.`,
        ),
        ...overdrawn.map((ticker) =>
          sliceOf(own, 'unallocated').positions.get(ticker)?.isNegative
            ? `${ticker} that deployments own was sold outside of them.`
            : `${ticker} that deployments are short of was bought outside of them.`,
        ),
        ...shortOfCash(await books.books(accountId), snapshot, prices),
      ]
  return {
    disagreement: sentences.length === 0 ? null : sentences.join(' '),
    isMoving,
    unexplained: strange.map(({ ticker }) => ticker),
    news,
  }
}

const RESTLESS =
  'Executions keep coming in at the broker while the account is read: its cash and positions could not be compared for minutes.'

/** Fees of a few cents come after the fact; a missing sum does not. */
const SHORTAGE_SHARE = Decimal.parse('0.001')
const SMALL_SHORTAGE = Decimal.parse('1')

function shortOfCash(books: Books, { account }: BrokerSnapshot, prices: ReadonlyMap<string, Decimal>): string[] {
  const rest = sliceOf(books, 'unallocated')
  // Where money is lent, what the account itself holds answers for what it owes.
  const isBacked = account.leverageLimit > 1
  const left = isBacked ? valueOf(rest, (ticker) => prices.get(ticker)) : rest.cash
  const share = account.equity.absolute().times(SHORTAGE_SHARE)
  const allowed = share.isBelow(SMALL_SHORTAGE) ? SMALL_SHORTAGE : share
  return left.isNegative && allowed.isBelow(left.absolute())
    ? [`The cash at the broker is ${usd(left.absolute())} short of what the deployments own.`]
    : []
}
