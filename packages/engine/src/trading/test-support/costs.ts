import type { FeeModel, SlippageModel } from '../costs.ts'

export const noSlippage: SlippageModel = (_, price) => price

export const perShare =
  (amount: number): FeeModel =>
  (quantity) =>
    Math.abs(quantity) * amount

/** Buys that many basis points above the quoted price and sells as many below it. */
export const proportionalSlippage =
  (points: number): SlippageModel =>
  (quantity, price) =>
    price * (1 + (Math.sign(quantity) * points) / 10_000)
