/** The cost of a trade besides its price. `quantity` is negative for a sale. */
export type FeeModel = (quantity: number, price: number) => number

/** The price a trade gets when `price` is quoted: worse, if anything. */
export type SlippageModel = (quantity: number, price: number) => number

/** Basis points of the traded value, and a fixed amount in dollars per order. */
interface PlainCosts {
  readonly points: number
  readonly commission: number
}

export interface TradingCosts {
  readonly fee: FeeModel
  readonly slippage: SlippageModel
  /** Where the price is the quoted one and the fee is made of these: loops use the numbers, which is faster than calls. */
  readonly plain?: PlainCosts
}

const noFee: FeeModel = () => 0

/** A share of the traded value in basis points. */
export const basisPoints =
  (points: number): FeeModel =>
  (quantity, price) =>
    shareOfValue(quantity, price, points)

const shareOfValue = (quantity: number, price: number, points: number): number =>
  (Math.abs(quantity) * price * points) / 10_000

/** A fixed amount in dollars per order. */
export const fixedCommission =
  (amount: number): FeeModel =>
  (quantity) =>
    quantity === 0 ? 0 : amount

export const sumOfFees =
  (...fees: readonly FeeModel[]): FeeModel =>
  (quantity, price) =>
    fees.reduce((sum, fee) => sum + fee(quantity, price), 0)

export const noSlippage: SlippageModel = (_, price) => price

export const DEFAULT_COST_BPS = 1

/** What a paper account charges for borrowed shares unless told otherwise, in percent a year: above what easily lent ones cost. */
export const DEFAULT_BORROW_PCT = 1

/** The costs of the form: basis points of traded value, and a commission per order if there is one. */
export function tradingCosts(costBps: number = DEFAULT_COST_BPS, commission = 0): TradingCosts {
  const proportional = basisPoints(costBps)
  return {
    fee: commission === 0 ? proportional : sumOfFees(proportional, fixedCommission(commission)),
    slippage: noSlippage,
    plain: { points: costBps, commission },
  }
}

export const freeOfCosts: TradingCosts = { fee: noFee, slippage: noSlippage, plain: { points: 0, commission: 0 } }

/** What a trade pays per share at a quoted price. */
export const paidPrice = ({ slippage, plain }: TradingCosts, quantity: number, quoted: number): number =>
  plain ? quoted : slippage(quantity, quoted)

/** The fee of a trade at the price it pays. */
export const feeOf = ({ fee, plain }: TradingCosts, quantity: number, price: number): number =>
  plain ? shareOfValue(quantity, price, plain.points) + plain.commission : fee(quantity, price)

/** The whole cost of a trade at a quoted price: its fee and its slippage. */
export const costOf = (costs: TradingCosts, quantity: number, quoted: number): number => {
  const paid = paidPrice(costs, quantity, quoted)
  return feeOf(costs, quantity, paid) + quantity * (paid - quoted)
}
