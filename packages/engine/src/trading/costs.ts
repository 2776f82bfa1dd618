/** The cost of a trade besides its price. `quantity` is negative for a sale. */
export type FeeModel = (quantity: number, price: number) => number

/** The price a trade gets when `price` is quoted: worse, if anything. */
export type SlippageModel = (quantity: number, price: number) => number

export interface TradingCosts {
  readonly fee: FeeModel
  readonly slippage: SlippageModel
  /** Where the cost is so many basis points of the value and nothing else: loops use the number, which is faster than calls. */
  readonly points?: number
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
    ...(commission === 0 && { points: costBps }),
  }
}

export const freeOfCosts: TradingCosts = { fee: noFee, slippage: noSlippage, points: 0 }

/** The whole cost of a trade at a quoted price: its fee and its slippage. */
export const costOf = ({ fee, slippage, points }: TradingCosts, quantity: number, price: number): number => {
  if (points !== undefined) return shareOfValue(quantity, price, points)
  const paid = slippage(quantity, price)
  return fee(quantity, paid) + quantity * (paid - price)
}
