import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { tickerKind } from '@tradewright/core/ticker-kind'
import type { EpochDay } from '@tradewright/core/time'
import { inProportion } from '../ledger/holders.ts'
import { type Disposal, isLongTerm, type Lot, type LotMethod, type Wash } from './lot.ts'
import type { OpeningEvent, TradeEvent } from './lot-event.ts'

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

/** The lots of one ticker, oldest first, and the losses of late that a purchase may still wash. */
export class TickerLots {
  readonly ticker: string
  readonly disposals: OwnDisposal[] = []
  readonly #hasWashSales: boolean
  #lots: OwnLot[] = []
  /** Of the sales of a day, which are looked at together: shares sold with them replace nothing. */
  #newLosses: OpenLoss[] = []
  #openLosses: OpenLoss[] = []
  /** Counts lots that were cut, for their ids. */
  #splits = 0

  constructor(ticker: string) {
    this.ticker = ticker
    // The rule is about stock and securities; coins are neither (Notice 2014-21).
    this.#hasWashSales = tickerKind(ticker) !== 'crypto'
  }

  get lots(): readonly Lot[] {
    return this.#lots
  }

  open({ id, day, quantity, basis, origin }: OpeningEvent): void {
    this.settleLosses()
    this.#lots.push(this.#newLot({ id, orderId: id, day, quantity, basis, origin }))
  }

  buy({ id, orderId, day, quantity, amount }: TradeEvent): void {
    this.settleLosses()
    const rest = this.#cover(id, day, quantity, amount)
    if (rest.quantity.isZero) return
    const lot = this.#newLot({ id, orderId, day, quantity: rest.quantity, basis: rest.amount, origin: 'trade' })
    this.#lots.push(lot)
    this.#openLosses = this.#openLosses.filter(({ disposal }) => disposal.soldOn >= day - WASH_DAYS)
    // Older lots were looked at when the shares were sold.
    let free: OwnLot | undefined = lot
    for (const loss of this.#openLosses) {
      if (!free) break
      if (free.orderId !== loss.orderId) free = this.#adjust(free, loss)
    }
    this.#openLosses = this.#openLosses.filter(isOpen)
  }

  sell({ id, orderId, day, quantity, amount }: TradeEvent, method: LotMethod, choices: readonly LotChoice[]): void {
    if (this.#newLosses.some(({ disposal }) => disposal.soldOn !== day)) this.settleLosses()
    let left = { quantity, amount }
    for (const { lot, quantity: taken } of this.#chosen(quantity, method, choices)) {
      const proceeds = proportion(left.amount, taken, left.quantity)
      left = { quantity: left.quantity.minus(taken), amount: left.amount.minus(proceeds) }
      this.#dispose(lot, taken, { id, day, proceeds })
    }
    this.#dropEmpty()
    if (left.quantity.isZero) return
    const short = { id, orderId, day, quantity: left.quantity.negated(), basis: left.amount.negated() }
    this.#lots.push(this.#newLot({ ...short, origin: 'trade' }))
  }

  split(change: Decimal): void {
    this.settleLosses()
    const held = this.#lots.filter(({ quantity }) => quantity.isPositive)
    if (held.length === 0) return
    const before = sum(held.map(({ quantity }) => quantity))
    const parts = inProportion(change, held.map(asHolder))
    for (const [i, lot] of held.entries()) lot.quantity = lot.quantity.plus(parts[i]!)
    for (const loss of this.#openLosses) {
      loss.quantity = loss.quantity.plus(proportion(change, loss.quantity, before))
    }
    this.#dropEmpty()
  }

  /** Without a sale: their cost goes with them. */
  remove(quantity: Decimal, method: LotMethod): Pick<Lot, 'quantity' | 'basis' | 'openedOn' | 'heldSince'>[] {
    this.settleLosses()
    const removed = this.#chosen(quantity, method, []).map(({ lot, quantity: taken }) => {
      const { openedOn, heldSince } = lot
      return { quantity: taken, basis: take(lot, taken), openedOn, heldSince }
    })
    this.#dropEmpty()
    return removed
  }

  /** Lots of another ticker that became shares of this one. */
  receive(id: string, lots: readonly Pick<Lot, 'quantity' | 'basis' | 'openedOn' | 'heldSince'>[]): void {
    for (const [i, { quantity, basis, openedOn, heldSince }] of lots.entries()) {
      const lot = { id: `${id}/${i + 1}`, orderId: id, day: openedOn, quantity, basis, origin: 'trade' as const }
      this.#lots.push({ ...this.#newLot(lot), heldSince })
    }
    this.#lots.sort((a, b) => a.openedOn - b.openedOn)
  }

  /** What exceeds the cost of a lot is a gain of its own. */
  returnCapital(id: string, day: EpochDay, amount: Usd): void {
    this.settleLosses()
    const held = this.#lots.filter(({ quantity }) => quantity.isPositive)
    if (held.length === 0) return
    const parts = inProportion(amount, held.map(asHolder))
    for (const [i, lot] of held.entries()) {
      const basis = lot.basis.isBelow(parts[i]!) ? lot.basis : parts[i]!
      lot.basis = lot.basis.minus(basis)
      const excess = parts[i]!.minus(basis)
      if (excess.isPositive) this.#record(lot, Decimal.zero, { id, day, proceeds: excess, basis: Decimal.zero })
    }
  }

  /** Losses of the sales of a day, against what was bought before them and is still held. */
  settleLosses(): void {
    for (const loss of this.#newLosses) this.#replace(loss)
    this.#openLosses.push(...this.#newLosses.filter(isOpen))
    this.#newLosses = []
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
    return { ...common, ...days, washAdjustment: Decimal.zero, isReplacement: false }
  }

  /** A purchase ends what was sold short first. */
  #cover(id: string, day: EpochDay, quantity: Decimal, amount: Usd): { quantity: Decimal; amount: Usd } {
    let left = { quantity, amount }
    for (const lot of this.#lots) {
      if (!lot.quantity.isNegative || left.quantity.isZero) break
      const covered = minimum(left.quantity, lot.quantity.absolute())
      const cost = proportion(left.amount, covered, left.quantity)
      const proceeds = take(lot, covered.negated()).negated()
      left = { quantity: left.quantity.minus(covered), amount: left.amount.minus(cost) }
      // Delivered with the purchase: the gain is short-term however long that took.
      this.#record({ ...lot, heldSince: day }, covered, { id, day, proceeds, basis: cost })
    }
    this.#dropEmpty()
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
    while (left.isPositive) {
      const lot = nextOf(this.#lots, method, (each) => taken.get(each)?.equals(each.quantity) ?? false)
      if (!lot) break
      takeFrom(lot, left)
    }
    return [...taken].map(([lot, part]) => ({ lot, quantity: part }))
  }

  #dispose(lot: OwnLot, quantity: Decimal, sale: { id: string; day: EpochDay; proceeds: Usd }): void {
    const basis = take(lot, quantity)
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
    const first = this.#lots.findLastIndex(({ openedOn }) => openedOn < soldOn - WASH_DAYS) + 1
    const replacing = this.#lots.slice(first).filter(
      (lot) =>
        // The rest of a purchase does not replace a part of it (Revenue Ruling 56-602).
        lot.orderId !== loss.orderId && lot.origin === 'trade' && lot.quantity.isPositive && !lot.isReplacement,
    )
    for (const lot of replacing) if (isOpen(loss)) this.#adjust(lot, loss)
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
    lot.isReplacement = true
    lot.basis = lot.basis.plus(disallowed)
    lot.washAdjustment = lot.washAdjustment.plus(disallowed)
    lot.heldSince = lot.openedOn - (disposal.soldOn - disposal.heldSince)
    return rest
  }

  /** What a lot has beyond the quantity becomes a lot of its own, behind it. */
  #splitOff(lot: OwnLot, quantity: Decimal): OwnLot | undefined {
    const rest = lot.quantity.minus(quantity)
    if (rest.isZero) return undefined
    this.#splits += 1
    const basis = take(lot, rest)
    const split = { ...lot, id: `${lot.purchaseId}/${this.#splits}`, quantity: rest, basis }
    this.#lots.splice(this.#lots.lastIndexOf(lot) + 1, 0, split)
    return split
  }

  #dropEmpty(): void {
    this.#lots = this.#lots.filter(({ quantity }) => !quantity.isZero)
  }
}

const isOpen = ({ quantity }: OpenLoss): boolean => quantity.isPositive

const asHolder = ({ quantity }: OwnLot) => ({ party: 'unallocated' as const, quantity })

const minimum = (a: Decimal, b: Decimal): Decimal => (b.isBelow(a) ? b : a)

const sum = (amounts: readonly Decimal[]): Decimal => amounts.reduce((total, each) => total.plus(each), Decimal.zero)

/** Down to a billionth; the caller keeps the rest, so that the parts add up. */
const proportion = (amount: Decimal, part: Decimal, whole: Decimal): Decimal =>
  part.equals(whole) ? amount : new Decimal((amount.billionths * part.billionths) / whole.billionths)

/** Takes shares out of a lot; what they cost. */
function take(lot: OwnLot, quantity: Decimal): Usd {
  const basis = proportion(lot.basis, quantity, lot.quantity)
  lot.quantity = lot.quantity.minus(quantity)
  lot.basis = lot.basis.minus(basis)
  return basis
}

function nextOf(lots: readonly OwnLot[], method: LotMethod, isTaken: (lot: OwnLot) => boolean): OwnLot | undefined {
  const isFree = (lot: OwnLot) => lot.quantity.isPositive && !isTaken(lot)
  if (method === 'lifo') return lots.findLast(isFree)
  if (method !== 'highest-cost') return lots.find(isFree)
  let dearest: OwnLot | undefined
  for (const lot of lots) if (isFree(lot) && (!dearest || byUnitCost(lot, dearest) < 0)) dearest = lot
  return dearest
}

/** Highest first, compared without dividing. */
function byUnitCost(a: OwnLot, b: OwnLot): number {
  const [left, right] = [a.basis.billionths * b.quantity.billionths, b.basis.billionths * a.quantity.billionths]
  return left === right ? 0 : left > right ? -1 : 1
}
