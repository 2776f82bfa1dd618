import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { tickerKind } from '@tradewright/core/ticker-kind'
import type { EpochDay } from '@tradewright/core/time'
import { inProportion } from '../ledger/holders.ts'
import { type Disposal, isLongTerm, type Lot, type LotMethod, type Wash } from './lot.ts'
import { DearestFirst } from './dearest-first.ts'
import type { OpeningEvent, TradeEvent } from './lot-event.ts'
import { Sequence } from './sequence.ts'

/** Shares of a purchase that were chosen for a sale. */
export interface LotChoice {
  readonly purchaseId: string
  readonly quantity: Decimal
}

/** Publication 550, "Wash sales": bought within 30 days before or after the sale. */
const WASH_DAYS = 30

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] }

interface OwnLot extends Writable<Lot> {
  /** A share replaces one sold share, once (Treasury Regulation 1.1091-1(e)). */
  isReplacement: boolean
  /** The lot's place in line, and among the parts of a lot that was cut. */
  order: number
  cut: number
}

interface OwnDisposal extends Writable<Disposal> {
  washes: Wash[]
}

/** The part of a loss that no replacing share has taken yet. */
interface OpenLoss {
  readonly disposal: OwnDisposal
  readonly orderId: string
  quantity: Decimal
  loss: Usd
}

/** Shares on their way to another ticker, with all that they keep. */
export type MovedShares = Omit<OwnLot, 'id' | 'ticker' | 'order' | 'cut'>

/**
 * The lots of one ticker, oldest first, and the losses of late that a purchase may still wash. No purchase or sale looks
 * at more lots than it changes: active accounts have tens of thousands of them.
 */
export class TickerLots {
  readonly ticker: string
  readonly disposals: OwnDisposal[] = []
  readonly #hasWashSales: boolean
  #lots = new Sequence<OwnLot>()
  /** Made when the first sale asks for it. */
  #dearest: DearestFirst<OwnLot> | undefined
  /** Purchases of the last 30 days that replace no shares yet. */
  #free = new Sequence<OwnLot>()
  /** Losses of one day's sales, which are looked at together: shares sold with them replace nothing. */
  #newLosses: OpenLoss[] = []
  readonly #openLosses = new Sequence<OpenLoss>()
  /** Counts lots, for their place in line, and those that were cut, for their ids. */
  #count = 0
  #splits = 0

  constructor(ticker: string) {
    this.ticker = ticker
    // The rule is about stock and securities; coins are neither (Notice 2014-21).
    this.#hasWashSales = tickerKind(ticker) !== 'crypto'
  }

  get lots(): readonly Lot[] {
    return [...this.#lots]
  }

  /** What is held; else what is sold short. */
  get isLong(): boolean {
    return this.#lots.first?.quantity.isPositive ?? false
  }

  get isShort(): boolean {
    return this.#lots.first?.quantity.isNegative ?? false
  }

  open({ id, day, quantity, basis, origin }: OpeningEvent): void {
    this.settleLosses()
    this.#add(this.#newLot({ id, orderId: id, day, quantity, basis, origin }))
  }

  buy({ id, orderId, day, quantity, amount }: TradeEvent): void {
    this.settleLosses()
    const rest = this.#cover(id, day, quantity, amount)
    if (rest.quantity.isZero) return
    const lot = this.#newLot({ id, orderId, day, quantity: rest.quantity, basis: rest.amount, origin: 'trade' })
    this.#add(lot)
    // Older lots were looked at when the shares were sold.
    let free: OwnLot | undefined = lot
    for (const loss of this.#openLosses) {
      const isTooOld = loss.disposal.soldOn < day - WASH_DAYS
      if (!isTooOld && free.orderId !== loss.orderId) free = this.#adjust(free, loss)
      if (isTooOld || !isOpen(loss)) this.#openLosses.delete(loss)
      if (!free) return
    }
    if (this.#hasWashSales) this.#free.add(free)
  }

  sell({ id, orderId, day, quantity, amount }: TradeEvent, method: LotMethod, choices: readonly LotChoice[]): void {
    if (this.#newLosses[0]?.disposal.soldOn !== day) this.settleLosses()
    let left = { quantity, amount }
    for (const { lot, quantity: taken } of this.#chosen(quantity, method, choices)) {
      const proceeds = proportion(left.amount, taken, left.quantity)
      left = { quantity: left.quantity.minus(taken), amount: left.amount.minus(proceeds) }
      this.#dispose(lot, taken, { id, day, proceeds })
    }
    if (left.quantity.isZero) return
    const short = { id, orderId, day, quantity: left.quantity.negated(), basis: left.amount.negated() }
    this.#add(this.#newLot({ ...short, origin: 'trade' }))
  }

  /** What comes without a lot that it belongs to has an unknown basis. */
  split(day: EpochDay, change: Decimal): void {
    this.settleLosses()
    const held = this.#held()
    if (held.length === 0) {
      const shares = { id: `split:${this.ticker}:${day}`, ticker: this.ticker, day, quantity: change }
      if (change.isPositive) this.open({ kind: 'opening', ...shares, basis: Decimal.zero, origin: 'unknown' })
      return
    }
    const before = sum(held.map(({ quantity }) => quantity))
    const parts = inProportion(change, held.map(asHolder))
    for (const [i, lot] of held.entries()) {
      lot.quantity = lot.quantity.plus(parts[i]!)
      if (lot.quantity.isZero) this.#drop(lot)
    }
    for (const loss of this.#openLosses) {
      loss.quantity = loss.quantity.plus(proportion(change, loss.quantity, before))
    }
    this.#dearest = undefined
  }

  /** Takes shares out without a sale: their cost goes with them. Of shares sold short, what is no longer owed. */
  remove(quantity: Decimal, method: LotMethod): MovedShares[] {
    this.settleLosses()
    const chosen = this.isShort ? this.#owed(quantity) : this.#chosen(quantity, method, [])
    return chosen.map(({ lot, quantity: taken }) => {
      const moved = sharesOf(lot)
      const washAdjustment = proportion(lot.washAdjustment, taken, lot.quantity)
      return Object.assign(moved, { quantity: taken, washAdjustment, basis: this.#take(lot, taken) })
    })
  }

  /** Describes the held shares as they would move to another ticker, without taking them. */
  heldShares(): MovedShares[] {
    this.settleLosses()
    return this.#held().map(sharesOf)
  }

  /** Lots of another ticker that became shares of this one. */
  receive(id: string, shares: readonly MovedShares[]): void {
    this.settleLosses()
    const received = shares.map((moved, i) => ({
      ...moved,
      id: `${id}/${i + 1}`,
      ticker: this.ticker,
      order: 0,
      cut: 0,
    }))
    const lots = [...this.#lots, ...received].sort((a, b) => a.openedOn - b.openedOn)
    this.#count = 0
    for (const lot of lots) lot.order = this.#count++
    this.#lots = new Sequence(lots)
    this.#dearest = undefined
    const isFree = (lot: OwnLot) => lot.origin === 'trade' && lot.quantity.isPositive && !lot.isReplacement
    this.#free = new Sequence(this.#hasWashSales ? lots.filter(isFree) : [])
  }

  /** Losses of late on shares that have this name now, `got` of them for `given`: a purchase of these washes them. */
  moveLosses(from: TickerLots, got: Decimal, given: Decimal): void {
    from.settleLosses()
    for (const loss of from.#openLosses) {
      from.#openLosses.delete(loss)
      loss.quantity = proportion(got, loss.quantity, given)
      if (this.#hasWashSales && isOpen(loss)) this.#openLosses.add(loss)
    }
  }

  /** What exceeds the cost of a lot is a gain of its own; money for shares that are gone has no cost that is known. */
  returnCapital(id: string, day: EpochDay, amount: Usd): void {
    this.settleLosses()
    const held = this.#held().filter(({ quantity }) => quantity.isPositive)
    if (held.length === 0) {
      const gone = { id, orderId: id, day, quantity: Decimal.zero, basis: Decimal.zero, origin: 'unknown' } as const
      this.#record(this.#newLot(gone), Decimal.zero, { id, day, proceeds: amount, basis: Decimal.zero })
      return
    }
    const parts = inProportion(amount, held.map(asHolder))
    for (const [i, lot] of held.entries()) {
      const basis = lot.basis.isBelow(parts[i]!) ? lot.basis : parts[i]!
      lot.basis = lot.basis.minus(basis)
      const excess = parts[i]!.minus(basis)
      if (excess.isPositive) this.#record(lot, Decimal.zero, { id, day, proceeds: excess, basis: Decimal.zero })
    }
    this.#dearest = undefined
  }

  /** Losses of the sales of a day, against what was bought before them and is still held. */
  settleLosses(): void {
    for (const loss of this.#newLosses) {
      this.#replace(loss)
      if (isOpen(loss)) this.#openLosses.add(loss)
    }
    this.#newLosses = []
  }

  #held(): OwnLot[] {
    const lots = [...this.#lots]
    const long = lots.filter(({ quantity }) => quantity.isPositive)
    return long.length > 0 ? long : lots
  }

  #add(lot: OwnLot): void {
    this.#lots.add(lot)
    this.#dearest?.put(lot)
  }

  #drop(lot: OwnLot): void {
    this.#lots.delete(lot)
    this.#free.delete(lot)
  }

  /** Takes shares out of a lot; what they cost. */
  #take(lot: OwnLot, quantity: Decimal): Usd {
    const basis = proportion(lot.basis, quantity, lot.quantity)
    lot.washAdjustment = lot.washAdjustment.minus(proportion(lot.washAdjustment, quantity, lot.quantity))
    lot.quantity = lot.quantity.minus(quantity)
    lot.basis = lot.basis.minus(basis)
    if (lot.quantity.isZero) this.#drop(lot)
    else this.#dearest?.put(lot)
    return basis
  }

  #owed(quantity: Decimal): { lot: OwnLot; quantity: Decimal }[] {
    const owed: { lot: OwnLot; quantity: Decimal }[] = []
    let left = quantity
    for (const lot of this.#lots) {
      if (!left.isPositive) break
      const part = minimum(left, lot.quantity.absolute())
      owed.push({ lot, quantity: part.negated() })
      left = left.minus(part)
    }
    return owed
  }

  #newLot(from: {
    id: string
    orderId: string
    day: EpochDay
    quantity: Decimal
    basis: Usd
    origin: Lot['origin']
  }): OwnLot {
    const { id, orderId, day, quantity, basis, origin } = from
    const days = { openedOn: day, heldSince: day }
    const common = { id, purchaseId: id, orderId, ticker: this.ticker, quantity, basis, origin }
    const place = { order: this.#count++, cut: 0 }
    return { ...common, ...days, ...place, washAdjustment: Decimal.zero, isReplacement: false }
  }

  /** A purchase ends what was sold short first. */
  #cover(id: string, day: EpochDay, quantity: Decimal, amount: Usd): { quantity: Decimal; amount: Usd } {
    let left = { quantity, amount }
    for (const lot of this.#lots) {
      if (!lot.quantity.isNegative || left.quantity.isZero) break
      const covered = minimum(left.quantity, lot.quantity.absolute())
      const cost = proportion(left.amount, covered, left.quantity)
      const proceeds = this.#take(lot, covered.negated()).negated()
      left = { quantity: left.quantity.minus(covered), amount: left.amount.minus(cost) }
      // Delivered with the purchase: the gain is short-term however long that took.
      this.#record({ ...lot, heldSince: day }, covered, { id, day, proceeds, basis: cost })
    }
    return left
  }

  #chosen(quantity: Decimal, method: LotMethod, choices: readonly LotChoice[]): { lot: OwnLot; quantity: Decimal }[] {
    const taken = new Map<OwnLot, Decimal>()
    let left = quantity
    const takeFrom = (lot: OwnLot, most: Decimal): Decimal => {
      const already = taken.get(lot) ?? Decimal.zero
      const part = minimum(minimum(most, left), lot.quantity.minus(already))
      if (!part.isPositive) return Decimal.zero
      taken.set(lot, already.plus(part))
      left = left.minus(part)
      return part
    }
    if (method === 'specific') {
      for (const choice of choices) {
        let wanted = choice.quantity
        for (const lot of this.#lots) {
          if (lot.purchaseId === choice.purchaseId) wanted = wanted.minus(takeFrom(lot, wanted))
        }
      }
    }
    if (!left.isPositive) return chosenOf(taken)
    for (const lot of this.#inLine(method)) {
      takeFrom(lot, left)
      // Before the next one is asked for, which would leave its line.
      if (!left.isPositive) break
    }
    return chosenOf(taken)
  }

  *#inLine(method: LotMethod): Generator<OwnLot> {
    if (method === 'lifo') yield* this.#lots.backwards()
    else if (method !== 'highest-cost') yield* this.#lots
    else {
      this.#dearest ??= new DearestFirst(this.#lots, (a, b) => a.order - b.order || a.cut - b.cut)
      for (let lot = this.#dearest.take(); lot; lot = this.#dearest.take()) yield lot
    }
  }

  #dispose(lot: OwnLot, quantity: Decimal, sale: { id: string; day: EpochDay; proceeds: Usd }): void {
    const basis = this.#take(lot, quantity)
    const disposal = this.#record(lot, quantity, { ...sale, basis })
    const loss = basis.minus(sale.proceeds)
    const counts = this.#hasWashSales && lot.origin !== 'unknown' && loss.isPositive
    if (counts) this.#newLosses.push({ disposal, orderId: lot.orderId, quantity, loss })
  }

  #record(
    { purchaseId, openedOn, heldSince, origin }: OwnLot,
    quantity: Decimal,
    { id, day, proceeds, basis }: { id: string; day: EpochDay; proceeds: Usd; basis: Usd },
  ): OwnDisposal {
    const term = isLongTerm(heldSince, day) ? 'long' : 'short'
    const shares = { saleId: id, purchaseId, ticker: this.ticker, quantity, openedOn, heldSince, soldOn: day, origin }
    const money = { proceeds, basis, term, disallowed: Decimal.zero, gain: proceeds.minus(basis) } as const
    const disposal = { ...shares, ...money, washes: [] }
    this.disposals.push(disposal)
    return disposal
  }

  /** Earliest purchase first (Treasury Regulation 1.1091-1(b)). */
  #replace(loss: OpenLoss): void {
    const { soldOn } = loss.disposal
    for (const lot of this.#free) {
      if (!isOpen(loss)) return
      if (lot.openedOn < soldOn - WASH_DAYS) this.#free.delete(lot)
      // The rest of a purchase does not replace a part of it (Revenue Ruling 56-602).
      else if (lot.orderId !== loss.orderId) this.#adjust(lot, loss)
    }
  }

  /** The part of the lot that is left for another loss. */
  #adjust(lot: OwnLot, open: OpenLoss): OwnLot | undefined {
    const quantity = minimum(lot.quantity, open.quantity)
    const disallowed = proportion(open.loss, quantity, open.quantity)
    open.quantity = open.quantity.minus(quantity)
    open.loss = open.loss.minus(disallowed)
    const { disposal } = open
    disposal.washes.push({ purchaseId: lot.purchaseId, boughtOn: lot.openedOn, quantity, disallowed })
    disposal.disallowed = disposal.disallowed.plus(disallowed)
    disposal.gain = disposal.gain.plus(disallowed)
    const rest = this.#splitOff(lot, quantity)
    this.#free.delete(lot)
    lot.isReplacement = true
    lot.basis = lot.basis.plus(disallowed)
    lot.washAdjustment = lot.washAdjustment.plus(disallowed)
    lot.heldSince = lot.openedOn - (disposal.soldOn - disposal.heldSince)
    this.#dearest?.put(lot)
    return rest
  }

  /** What a lot has beyond the quantity becomes a lot of its own, behind it. */
  #splitOff(lot: OwnLot, quantity: Decimal): OwnLot | undefined {
    const rest = lot.quantity.minus(quantity)
    if (rest.isZero) return undefined
    this.#splits += 1
    const basis = this.#take(lot, rest)
    const split = { ...lot, id: `${lot.purchaseId}/${this.#splits}`, quantity: rest, basis, cut: this.#splits }
    this.#lots.addBehind(lot, split)
    if (this.#free.has(lot)) this.#free.addBehind(lot, split)
    this.#dearest?.put(split)
    return split
  }
}

const sharesOf = (lot: OwnLot): MovedShares => ({
  purchaseId: lot.purchaseId,
  orderId: lot.orderId,
  quantity: lot.quantity,
  basis: lot.basis,
  openedOn: lot.openedOn,
  heldSince: lot.heldSince,
  washAdjustment: lot.washAdjustment,
  origin: lot.origin,
  isReplacement: lot.isReplacement,
})

const chosenOf = (taken: ReadonlyMap<OwnLot, Decimal>) => [...taken].map(([lot, quantity]) => ({ lot, quantity }))

const isOpen = ({ quantity }: OpenLoss): boolean => quantity.isPositive

const asHolder = ({ quantity }: OwnLot) => ({ party: 'unallocated' as const, quantity })

const minimum = (a: Decimal, b: Decimal): Decimal => (b.isBelow(a) ? b : a)

const sum = (amounts: readonly Decimal[]): Decimal => amounts.reduce((total, each) => total.plus(each), Decimal.zero)

/** Down to a billionth; the caller keeps the rest, so that the parts add up. */
const proportion = (amount: Decimal, part: Decimal, whole: Decimal): Decimal =>
  part.equals(whole) ? amount : new Decimal((amount.billionths * part.billionths) / whole.billionths)
