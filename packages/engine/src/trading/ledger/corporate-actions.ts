import { Decimal } from '@tradewright/core/decimal'
import { apportion, type Usd, usd, usdPerShare } from '@tradewright/core/money'
import { type CashActivity, isStockDividend } from '../account-activity.ts'
import { accountTotal, type Books, post, sliceOf } from './books.ts'
import { deploymentIdOf, type Entry, type Leg, type Party, transfer, USD } from './entry.ts'
import { overdraftCorrection } from './corrections.ts'
import { flowEntry } from './flow-entry.ts'
import { type Holder, holdersOf, inProportion } from './holders.ts'

/** Activities of the broker that together are one corporate action, or one event of an option. */
export interface CorporateAction {
  /** The same however many of its activities are listed yet. */
  readonly key: string
  /** The parts that were not cancelled or replaced. */
  readonly parts: readonly CashActivity[]
  /** Names what is to be booked: another one after a correction. */
  readonly version: string
  /** Ids of all activities, also of those that count no longer. */
  readonly ids: readonly string[]
  /** The broker corrected or cancelled some of it. */
  readonly isChanged: boolean
}

/** AAPL260116C00200000; a digit behind the name marks a contract that a corporate action changed. */
const OPTION = /^([A-Z]{1,6})\d?\d{6}[CP]\d{8}$/

export const isOption = (ticker: string | undefined): boolean => ticker !== undefined && OPTION.test(ticker)

/** Puts together what belongs together: by the broker's group where it names one, else by day, tickers and wording. */
export function corporateActions(activities: readonly CashActivity[]): CorporateAction[] {
  const groups = new Set<CashActivity[]>()
  const groupOf = new Map<CashActivity, CashActivity[]>()
  // Few share a key with an activity: comparing each with all others would take too long for years of options.
  const byKey = new Map<string, CashActivity[]>()
  for (const activity of uniqueParts(activities)) {
    const keys = keysOf(activity)
    const near = keys.flatMap((key) => byKey.get(key) ?? []).filter((other) => belongTogether(activity, other))
    const [own = [], ...others] = new Set(near.map((other) => groupOf.get(other)!))
    own.push(activity, ...others.flat())
    for (const other of others) groups.delete(other)
    for (const part of [activity, ...others.flat()]) groupOf.set(part, own)
    groups.add(own)
    for (const key of keys) {
      const known = byKey.get(key)
      if (known) known.push(activity)
      else byKey.set(key, [activity])
    }
  }
  return paired([...groups]).map(toAction)
}

/** In these, new shares come for old ones. */
const EXCHANGES: ReadonlySet<string> = new Set(['MA', 'NC', 'SC'])

/**
 * The two sides of an exchange that neither a group nor words put together, where no other of the day is like them: the old
 * shares must not count as lost because a description is missing.
 */
function paired(groups: readonly CashActivity[][]): CashActivity[][] {
  const isOpen = (group: readonly CashActivity[]) =>
    group.every((part) => EXCHANGES.has(part.type) && part.group === undefined) && (takes(group) || gives(group))
  const byDay = Map.groupBy(groups.filter(isOpen), ([part]) => `${part!.day} ${part!.type}`)
  const joined = new Map<CashActivity[], CashActivity[] | undefined>()
  for (const [one, other, ...more] of byDay.values()) {
    if (!one || !other || more.length > 0 || takes(one) === takes(other)) continue
    joined.set(one, [...one, ...other]).set(other, undefined)
  }
  return groups
    .flatMap((group) => (joined.has(group) ? [joined.get(group) ?? []] : [group]))
    .filter(({ length }) => length > 0)
}

const moves = (group: readonly CashActivity[]) => group.flatMap(({ quantity }) => quantity ?? [])
const takes = (group: readonly CashActivity[]) => moves(group).length > 0 && moves(group).every((one) => one.isNegative)
const gives = (group: readonly CashActivity[]) => moves(group).length > 0 && moves(group).every((one) => one.isPositive)

/** Activities that belong together have one of them in common. */
const keysOf = (activity: CashActivity): string[] => [
  `id ${activity.id}`,
  ...(activity.replaces === undefined ? [] : [`id ${activity.replaces}`]),
  ...(activity.group === undefined ? [] : [`group ${activity.group}`]),
  `day ${activity.day} ${familyOf(activity)}`,
]

/** The parts of one event may share an id; each part may be listed twice. */
const uniqueParts = (activities: readonly CashActivity[]): CashActivity[] => [
  ...new Map(
    activities.map((one) => [`${one.id} ${one.type} ${one.ticker ?? ''} ${String(one.quantity)}`, one]),
  ).values(),
]

function toAction(group: readonly CashActivity[]): CorporateAction {
  const replaced = new Set(group.map(({ replaces }) => replaces))
  const parts = group.filter(({ id, state }) => state !== 'canceled' && !replaced.has(id))
  const ids = [...new Set(group.map(({ id }) => id))].sort()
  const named = group.find((one) => one.group !== undefined)?.group
  const version = parts.map(partKey).sort().join(', ')
  return { key: named ?? ids[0]!, parts, version, ids, isChanged: group.some(({ state }) => state !== undefined) }
}

/** The same as long as the broker does not change the part. */
export const partKey = ({ id, type, ticker, quantity, netAmount }: CashActivity): string =>
  [id, type, ticker ?? '', String(quantity ?? ''), String(netAmount)].join(' ')

function belongTogether(a: CashActivity, b: CashActivity): boolean {
  if (a.replaces === b.id || b.replaces === a.id || a.id === b.id) return true
  if (a.group !== undefined && b.group !== undefined) return a.group === b.group
  if (a.day !== b.day || familyOf(a) !== familyOf(b)) return false
  return a.ticker === b.ticker || names(a, b) || names(b, a)
}

const familyOf = ({ type }: CashActivity): string => (type.startsWith('OP') ? 'OP' : type)

/** "Target Symbol: CON, Initiating Symbol: SEM", or an option by its underlying. */
const names = ({ description, ticker }: CashActivity, other: CashActivity): boolean =>
  other.ticker !== undefined &&
  (wordsOf(description).has(other.ticker) || OPTION.exec(ticker ?? '')?.[1] === other.ticker)

export const wordsOf = (text: string): Set<string> => new Set(text.replaceAll('.', '-').split(/[^A-Z0-9-]+/))

interface Effect {
  /** By ticker, none of them zero. */
  readonly quantities: ReadonlyMap<string, Decimal>
  readonly cash: Usd
}

export function effectOf({ parts }: Pick<CorporateAction, 'parts'>): Effect {
  const quantities = new Map<string, Decimal>()
  let cash = Decimal.zero
  for (const { ticker, quantity, netAmount } of parts) {
    cash = cash.plus(netAmount)
    if (ticker !== undefined && quantity)
      quantities.set(ticker, (quantities.get(ticker) ?? Decimal.zero).plus(quantity))
  }
  return { quantities: new Map([...quantities].filter(([, quantity]) => !quantity.isZero)), cash }
}

interface Circumstances {
  readonly prices: ReadonlyMap<string, Usd>
  /** What the broker holds less than the books, or more, by ticker: the effect of a split that comes without a number. */
  readonly differences: ReadonlyMap<string, Decimal>
  /** Owners of a ticker whose shares an earlier action took away. */
  readonly former: (ticker: string) => readonly Holder[]
  /** How many times it was booked and taken back before. */
  readonly bookedBefore: number
}

/**
 * Entries of an action, divided among those who held the shares. Undefined where it is not known who did, as of a spin-off
 * that does not name its parent, and where one side of an exchange is missing.
 */
export function actionEntries(
  books: Books,
  action: CorporateAction,
  circumstances: Circumstances,
): Entry[] | undefined {
  const effect = withUnnumberedSplit(action, effectOf(action), circumstances.differences)
  if (!effect || isHalf(action, effect)) return undefined
  if (effect.quantities.size === 0 && effect.cash.isZero) return []
  const details = { action, prices: circumstances.prices, key: `${actionKey(action)}${circumstances.bookedBefore}` }
  if (action.parts.some(({ ticker }) => isOption(ticker))) return optionEntries(books, details, effect)
  const holders = ownersOf(books, action, effect, circumstances)
  const [{ at, description }] = [action.parts[0]!]
  if (holders.length === 0) {
    return effect.quantities.size > 0
      ? undefined
      : [flowEntry(`${details.key}:unallocated`, at, effect.cash, description)]
  }
  const money = effect.cash.isZero
    ? undefined
    : apportion(
        effect.cash,
        holders.map(({ quantity }) => quantity),
      )
  const changes = [...effect.quantities].map(([ticker, quantity]) => partsOf(books, ticker, quantity, holders))
  const entries = holders.flatMap(({ party }, i) => {
    const own = [...effect.quantities.keys()].map((ticker, j) => [ticker, changes[j]![i]!] as const)
    const part: Effect = {
      quantities: new Map(own.filter(([, quantity]) => !quantity.isZero)),
      cash: money?.[i] ?? Decimal.zero,
    }
    return part.quantities.size === 0 && part.cash.isZero ? [] : [entryOf(books, party, details, part)]
  })
  return entries.some((entry) => isOverdrawn(books, entry)) ? undefined : entries
}

/** Shares that an exchange takes, for which nothing is listed yet: booked alone, they would be a loss that is none. */
const isHalf = ({ parts }: CorporateAction, { quantities, cash }: Effect): boolean =>
  quantities.size > 0 &&
  cash.isZero &&
  parts.every(({ type }) => EXCHANGES.has(type)) &&
  [...quantities.values()].every((quantity) => quantity.isNegative)

/** Shares that are taken come from those who have them; what is given goes to the holders in proportion. */
function partsOf(books: Books, ticker: string, quantity: Decimal, holders: readonly Holder[]): Decimal[] {
  if (!quantity.isNegative) return inProportion(quantity, holders)
  const held = holders.map(({ party }) => ({
    party,
    quantity: sliceOf(books, party).positions.get(ticker) ?? Decimal.zero,
  }))
  return held.every((holder) => holder.quantity.isZero) ? inProportion(quantity, holders) : inProportion(quantity, held)
}

/** More than the holders have: some of it is not in the books, and what is taken from them is not known. */
const isOverdrawn = (books: Books, { legs }: Entry): boolean =>
  legs.some(({ party, asset, amount }) => {
    if (party === 'market' || asset === USD) return false
    const held = sliceOf(books, party).positions.get(asset) ?? Decimal.zero
    const after = held.plus(amount)
    return (held.isPositive && after.isNegative) || (held.isNegative && after.isPositive)
  })

/** A paper account lists a split without its shares. Undefined while the positions do not show it. */
function withUnnumberedSplit(
  { parts }: CorporateAction,
  effect: Effect,
  differences: ReadonlyMap<string, Decimal>,
): Effect | undefined {
  const [part] = parts
  const isUnnumbered = part?.type === 'SPLIT' && effect.cash.isZero && !parts.some(({ quantity }) => quantity)
  if (!isUnnumbered || part.ticker === undefined) return effect
  const change = differences.get(part.ticker)
  return change && { ...effect, quantities: new Map([[part.ticker, change]]) }
}

function ownersOf(
  books: Books,
  { parts }: CorporateAction,
  { quantities }: Effect,
  { former }: Circumstances,
): readonly Holder[] {
  const taken = [...quantities].filter(([, quantity]) => quantity.isNegative).map(([ticker]) => ticker)
  const given = [...quantities.keys()].filter((ticker) => !taken.includes(ticker))
  // The parent of a spin-off has parts of its own that add up to nothing, or is named in words.
  const named = parts.flatMap(({ ticker, description }) => [
    ...(ticker === undefined ? [] : [ticker]),
    ...wordsOf(description),
  ])
  const parents = named.filter((name) => !given.includes(name))
  // The shares that an action ends are those it is about: of a short position they come in, and the new ones are owed.
  const total = accountTotal(books).positions
  const ended = given.filter((ticker) => total.get(ticker)?.plus(quantities.get(ticker)!).isZero)
  const isOfDebt = !taken.some((ticker) => total.get(ticker)?.plus(quantities.get(ticker)!).isZero)
  for (const ticker of [...(isOfDebt ? ended : []), ...taken, ...parents, ...given]) {
    const holders = holdersOf(books, ticker)
    if (holders.length > 0) return holders
    // A short of the account's own.
    if (sliceOf(books, 'unallocated').positions.has(ticker)) return [{ party: 'unallocated', quantity: ONE }]
  }
  return [...taken, ...parents].map(former).find((holders) => holders.length > 0) ?? []
}

const ONE = Decimal.parse('1')

interface Details {
  readonly action: CorporateAction
  readonly prices: ReadonlyMap<string, Usd>
  readonly key: string
}

function entryOf(books: Books, party: Party, { action, prices, key }: Details, part: Effect): Entry {
  const legs: Leg[] = [
    ...[...part.quantities].flatMap(([ticker, quantity]) => transfer('market', party, ticker, quantity)),
    ...transfer('market', party, USD, part.cash),
  ]
  const isSplit = part.quantities.size === 1 && action.parts.every((part) => SPLITS.has(kindOf(part)))
  const { given, got } = worthOf(part, prices)
  const deploymentId = deploymentIdOf(party)
  return {
    type: deploymentId === undefined ? 'EXTERNAL_TRADE' : isSplit ? 'SPLIT' : 'CORPORATE_ACTION',
    key: `${key}:${party}`,
    at: action.parts[0]!.at,
    deploymentId,
    legs,
    // A split changes no value; fractions may be paid out.
    amount: isSplit ? part.cash.absolute() : got.isZero ? given : got,
    direction: got.isZero ? 'out' : given.isZero ? 'in' : 'none',
    note: sentenceOf(action, part, (ticker) => sliceOf(books, party).positions.get(ticker)),
  }
}

/** What the keys of an action's entries begin with. */
export const actionKey = ({ key }: Pick<CorporateAction, 'key'>): string => `action:${key}:`

function worthOf({ quantities, cash }: Effect, prices: ReadonlyMap<string, Usd>): { given: Usd; got: Usd } {
  let [given, got] = cash.isNegative ? [cash.negated(), Decimal.zero] : [Decimal.zero, cash]
  for (const [ticker, quantity] of quantities) {
    const worth = quantity.absolute().times(prices.get(ticker) ?? Decimal.zero)
    if (quantity.isNegative) given = given.plus(worth)
    else got = got.plus(worth)
  }
  return { given, got }
}

/**
 * Contracts belong to the account, and so does what they bring. Shares of deployments that are called away are sold by them,
 * at what the assignment paid.
 */
function optionEntries(books: Books, details: Details, effect: Effect): Entry[] {
  const own = entryOf(books, 'unallocated', details, effect)
  const [ticker, quantity] = [...effect.quantities].find(([name]) => !isOption(name)) ?? []
  if (ticker === undefined || !quantity?.isNegative) return [own]
  const price = effect.cash.dividedBy(quantity.absolute())
  const on = { key: details.key, at: own.at, note: '' }
  const sales = overdraftCorrection(post(books, own), ticker, price, on).map((entry): Entry => {
    const sold = entry.legs.find((leg) => leg.party === 'unallocated' && leg.asset === ticker)!.amount
    const contract = details.action.parts.find((part) => isOption(part.ticker))!.ticker!
    const note = `Sold ${String(sold)} ${ticker} at ${usdPerShare(price)}: called away by the assignment of ${contract}.`
    return Object.assign(entry, { type: 'TRADE_SELL' as const, note })
  })
  return [own, ...sales]
}

const SPLITS = new Set(['SPLIT', 'stock dividend'])

const kindOf = (part: CashActivity): string => (isStockDividend(part) ? 'stock dividend' : part.type)

const LABELS: Readonly<Record<string, string>> = {
  SPLIT: 'Split',
  'stock dividend': 'Stock dividend',
  MA: 'Merger',
  NC: 'Symbol change',
  SC: 'Symbol change',
  SPIN: 'Spin-off',
  REORG: 'Reorganisation',
  VOF: 'Voluntary offer',
  OPASN: 'Option assigned',
  OPEXC: 'Option exercised',
  OPXRC: 'Option exercised',
  OPEXP: 'Option expired',
  OPCA: 'Option changed by a corporate action',
  OPCSH: 'Option settled in cash',
  OPTRD: 'Option delivered',
}

/** "Merger: 20 AAA became 10 BBB and $58.70." */
function sentenceOf(
  { parts }: Pick<CorporateAction, 'parts'>,
  { quantities, cash }: Effect,
  heldOf: (ticker: string) => Decimal | undefined,
): string {
  // An event of an option is named by the option, not by the delivery of its shares.
  const kinds = parts.map(kindOf)
  const kind = kinds.find((one) => one !== 'OPTRD') ?? kinds[0]!
  const label = LABELS[kind] ?? 'Corporate action'
  const [only] = [...quantities]
  if (SPLITS.has(kind) && quantities.size === 1 && only) {
    const before = heldOf(only[0]) ?? Decimal.zero
    const paid = cash.isZero ? '' : ` and ${usd(cash.absolute())}`
    return `${label} of ${only[0]}: ${String(before)} shares became ${String(before.plus(only[1]))}${paid}.`
  }
  const isEnded = ([ticker]: readonly [string, Decimal]) => isOption(ticker) && kind !== 'OPCA'
  const moved = [...quantities].filter((one) => !isEnded(one))
  const contracts = [...quantities].filter(isEnded).map(textOf)
  const exchange = exchangeOf({ quantities: new Map(moved), cash })
  return `${label}: ${[...(contracts.length > 0 ? [listOf(contracts)] : []), ...exchange].join('; ')}.`
}

const textOf = ([ticker, quantity]: readonly [string, Decimal]): string => `${String(quantity.absolute())} ${ticker}`

/** "20 AAA became 10 BBB and $58.70"; nothing where nothing moved. */
function exchangeOf({ quantities, cash }: Effect): string[] {
  const amounts = [
    ...[...quantities].map((one) => [one[1], textOf(one)] as const),
    ...(cash.isZero ? [] : [[cash, usd(cash.absolute())] as const]),
  ]
  const given = listOf(amounts.filter(([amount]) => amount.isNegative).map(([, text]) => text))
  const got = listOf(amounts.filter(([amount]) => !amount.isNegative).map(([, text]) => text))
  if (given === '') return got === '' ? [] : [`${got} received`]
  return [got === '' ? `${given} removed` : `${given} became ${got}`]
}

const listOf = (texts: readonly string[]): string => texts.join(' and ')
