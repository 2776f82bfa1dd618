import { type FactorReport, factorReport, type FactorRequest } from '@tradewright/engine/backtest/factor-report'

/** A compute task: a regression and its rolling loadings, well below a second. */
export const run = (request: FactorRequest): FactorReport | { readonly notAvailable: string } => factorReport(request)
