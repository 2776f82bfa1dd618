import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import type { EpochDay } from '@tradewright/core/time'
import { type CashActivity, isCorporateAction } from '../account-activity.ts'
import { type CorporateAction, corporateActions, effectOf, isOption, wordsOf } from '../ledger/corporate-actions.ts'
import { isFee } from '../ledger/fees.ts'
import type { LotEvent } from './lot-event.ts'

interface Movement extends CashActivity {
  readonly ticker: string
  readonly quantity: Decimal
}

interface Movements {
  readonly events: LotEvent[]
  /** The last day of splits that came without a number of shares, by ticker. */
  readonly unnumberedSplits: ReadonlyMap<string, EpochDay>
}

/** Shares that moved without a trade, and payments that lower their cost. */
export function movementEvents(
  activities: readonly CashActivity[],
  averagePriceOf: (ticker: string) => Usd | undefined,
): Movements {
  const actions = joined(corporateActions(activities.filter(isCorporateAction)))
  const unnumbered = actions.filter(({ parts }) => parts.length > 0 && parts.every(isUnnumberedSplit))
  const others = activities.filter((activity) => !isCorporateAction(activity) && !isFee(activity))
  const moved = others.filter((each): each is Movement => each.ticker !== undefined && each.quantity !== undefined)
  const returned = others.flatMap(({ id, type, ticker, day, netAmount }): LotEvent[] =>
    type === 'DIVROC' && ticker !== undefined && netAmount.isPositive
      ? [{ kind: 'return-of-capital', id, ticker, day, amount: netAmount }]
      : [],
  )
  return {
    events: inOrderOfDay([
      ...actions.flatMap(actionEvents),
      ...moved.map((movement) => transferEvent(movement, averagePriceOf)),
      ...returned,
    ]),
    unnumberedSplits: new Map(unnumbered.map(({ parts: [part] }) => [part!.ticker!, part!.day])),
  }
}

/** What happens to shares on the day that they get another name happens to the new ones, where it is told of these. */
function inOrderOfDay(events: readonly LotEvent[]): LotEvent[] {
  const renamed = new Set(
    events.flatMap((event) => (event.kind === 'exchange' ? nameOn(event.day, event.into.ticker) : [])),
  )
  const rank = (event: LotEvent): number => {
    if (event.kind === 'exchange') return 1
    if (event.kind === 'spin-off') return 3
    return event.kind === 'opening' || !renamed.has(nameOn(event.day, event.ticker)) ? 0 : 2
  }
  return events.toSorted((a, b) => a.day - b.day || rank(a) - rank(b))
}

const nameOn = (day: EpochDay, ticker: string): string => `${day} ${ticker}`

const isUnnumberedSplit = ({ type, ticker, quantity, netAmount }: CashActivity): boolean =>
  type === 'SPLIT' && ticker !== undefined && quantity === undefined && netAmount.isZero

type Action = Pick<CorporateAction, 'key' | 'parts'>

/**
 * Old shares and new ones that nothing ties together belong together where they are the only ones of their kind and day:
 * brokers leave out names.
 */
function joined(actions: readonly Action[]): Action[] {
  const rest: Action[] = []
  const oneSided = new Map<string, { outs: Action[]; ins: Action[] }>()
  for (const action of actions) {
    const changes = [...effectOf(action).quantities.values()]
    const [part] = action.parts
    if (part === undefined) continue
    const isOneSided = changes.length === 1 && !action.parts.some(({ type }) => KEEPS_NAME.has(type))
    if (!isOneSided || isOption(part.ticker) || part.type.startsWith('DIV')) {
      rest.push(action)
      continue
    }
    const key = `${part.type} ${part.day}`
    const sides = oneSided.get(key) ?? { outs: [], ins: [] }
    oneSided.set(key, sides)
    ;(changes[0]!.isNegative ? sides.outs : sides.ins).push(action)
  }
  for (const { outs, ins } of oneSided.values()) {
    const [out, into] = [outs[0], ins[0]]
    if (out && into && outs.length === 1 && ins.length === 1) {
      rest.push({ key: out.key, parts: [...out.parts, ...into.parts] })
    } else rest.push(...outs, ...ins)
  }
  return rest
}

/** Kinds of actions that never exchange shares for those of another ticker. */
const KEEPS_NAME = new Set(['SPLIT', 'SPIN'])

/** Changes of name and of symbol. */
const RENAMES = new Set(['NC', 'SC'])

function actionEvents(action: Action): LotEvent[] {
  const { parts, key: id } = action
  const [part] = parts
  if (part === undefined) return []
  const { quantities, cash } = effectOf(action)
  const { day } = part
  if (parts.some(({ ticker }) => isOption(ticker))) return optionEvents({ id, day, quantities, cash })
  const outs = [...quantities].filter(([, quantity]) => quantity.isNegative)
  const ins = [...quantities].filter(([, quantity]) => quantity.isPositive)
  const paid = (ticker: string | undefined): LotEvent[] =>
    ticker === undefined || !cash.isPositive
      ? []
      : [{ kind: 'return-of-capital', id: `${id}:cash`, ticker, day, amount: cash }]
  if (quantities.size === 0) return paid(part.ticker)
  const [out] = outs
  const [into, ...more] = ins
  const isSplit =
    quantities.size === 1 &&
    (part.type === 'SPLIT' || part.type.startsWith('DIV') || parts.filter(({ quantity }) => quantity).length > 1)
  if (isSplit) {
    const [ticker, change] = out ?? into!
    return [{ kind: 'split', ticker, day, change }, ...paid(ticker)]
  }
  if (out && into && outs.length === 1) {
    const [[ticker, given], [name, got]] = [out, into]
    const isRename = RENAMES.has(part.type)
    return [
      { kind: 'exchange', id, ticker, day, quantity: given.negated(), into: { ticker: name, quantity: got }, isRename },
      // How the cost is divided among several is not known: it stays with the first.
      ...more.map(([other, quantity]) => newShares(id, day, other, quantity, [name])),
      ...paid(name),
    ]
  }
  const isSale = cash.isPositive || parts.some(({ description }) => /worthless/i.test(description))
  const named = parts.flatMap(({ ticker = '', description }) => [ticker].concat([...wordsOf(description)]))
  const parents = [...new Set(named)].filter((name) => !quantities.has(name))
  return [
    ...outs.map(([ticker, change], i): LotEvent => {
      const quantity = change.negated()
      if (!isSale) return { kind: 'removal', ticker, day, quantity }
      const amount = i === 0 ? cash : Decimal.zero
      return { kind: 'trade', id, orderId: id, ticker, day, side: 'sell', quantity, amount }
    }),
    ...ins.map(([ticker, quantity]) => newShares(id, day, ticker, quantity, parents)),
    ...(outs.length === 0 ? paid(into?.[0]) : []),
  ]
}

const newShares = (
  id: string,
  day: EpochDay,
  ticker: string,
  quantity: Decimal,
  parents: readonly string[],
): LotEvent => ({ kind: 'spin-off', id: `${id}:${ticker}`, ticker, day, quantity, parents })

/** Exercised and assigned options deliver shares; others expire or are settled in cash; some are changed into others. */
function optionEvents(of: {
  id: string
  day: EpochDay
  quantities: ReadonlyMap<string, Decimal>
  cash: Usd
}): LotEvent[] {
  const { id, day, quantities, cash } = of
  const contracts = [...quantities].filter(([ticker]) => isOption(ticker))
  const delivered = [...quantities].filter(([ticker]) => !isOption(ticker))
  const trade = (ticker: string, change: Decimal, amount: Usd) => ({
    ticker,
    side: change.isNegative ? ('sell' as const) : ('buy' as const),
    quantity: change.absolute(),
    amount: amount.absolute(),
  })
  const out = contracts.find(([, change]) => change.isNegative)
  const into = contracts.find(([, change]) => change.isPositive)
  if (contracts.length === 2 && delivered.length === 0 && out && into) {
    const given = { ticker: out[0], quantity: out[1].negated() }
    return [{ kind: 'exchange', id, day, ...given, into: { ticker: into[0], quantity: into[1] } }]
  }
  const [first, ...others] = contracts
  const [shares, ...moreShares] = delivered
  const alone = (first && shares ? [...others, ...moreShares] : [...contracts, ...delivered]).map(
    ([ticker, change], i): LotEvent => {
      const money = i === 0 && !(first && shares) ? cash : Decimal.zero
      return Object.assign(trade(ticker, change, money), {
        kind: 'trade' as const,
        id: `${id}:${ticker}`,
        orderId: id,
        day,
      })
    },
  )
  if (!first || !shares) return alone
  const [ticker, change] = first
  return [{ kind: 'delivery', id, ticker, day, change, shares: trade(shares[0], shares[1], cash) }, ...alone]
}

function transferEvent(
  { id, ticker, day, quantity, netAmount }: Movement,
  averagePriceOf: (ticker: string) => Usd | undefined,
): LotEvent {
  if (quantity.isNegative) return { kind: 'removal', ticker, day, quantity: quantity.negated() }
  const average = averagePriceOf(ticker)
  const basis = average ? quantity.times(average) : netAmount
  const origin = basis.isPositive ? 'transfer' : 'unknown'
  return { kind: 'opening', id, ticker, day, quantity, basis, origin }
}
