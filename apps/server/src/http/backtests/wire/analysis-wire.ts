import type { Analysis as WireAnalysis } from '@tradewright/contract/backtest-analysis'
import type { AnnualReturns } from '@tradewright/engine/backtest/analysis'
import type { Contribution } from '@tradewright/engine/backtest/contributions'
import type { BacktestReport } from '../../../backtests/report.ts'
import { drawdownToWire } from './metrics-wire.ts'

export function analysisToWire(report: BacktestReport): WireAnalysis {
  const { analysis } = report.result
  const { correlations, contributions: parts } = analysis
  return {
    bars_per_year: analysis.barsPerYear,
    drawdowns: analysis.drawdowns.map(({ days, ...dates }) => ({ ...drawdownToWire(dates), days })),
    correlations: correlations ? { tickers: [...correlations.tickers], matrix: correlations.matrix } : null,
    contributions: {
      assets: parts.assets.map((part) => ({ ticker: part.ticker, ...contributionToWire(part) })),
      rest: contributionToWire(parts.rest),
      total: contributionToWire(parts.total),
    },
    annual: annualToWire(analysis.annual, referenceYears(report)),
  }
}

/** Why a column of the years is empty, by its path. */
export function annualNotes(report: BacktestReport): Record<string, string> {
  const { analysis } = report.result
  const reference = referenceYears(report)
  const unadjusted = 'the run did not adjust for inflation; turn on “Adjust for inflation” and run it again'
  const missing = report.result.reference || report.comparison ? ANOTHER_BASIS : 'no reference was chosen'
  return {
    ...(!analysis.annual.real && { 'analysis.annual.real': unadjusted }),
    ...(!reference.nominal && { 'analysis.annual.reference_nominal': missing }),
    ...(!reference.real && { 'analysis.annual.reference_real': analysis.annual.real ? missing : unadjusted }),
  }
}

const ANOTHER_BASIS = 'the reference was computed in other dollars, or before years were kept; run it again'

type Years = Partial<Record<keyof AnnualReturns, AnnualReturns['nominal'] | undefined>>

const referenceYears = ({ result, comparison }: BacktestReport): Years =>
  result.reference?.annual ?? comparison?.annual ?? {}

function annualToWire(own: AnnualReturns, reference: Years): WireAnalysis['annual'] {
  const at = (years: Years[keyof Years], year: number) => years?.find((one) => one.year === year)?.return ?? null
  return own.nominal.map(({ year, return: nominal }) => ({
    year,
    nominal,
    real: at(own.real, year),
    reference_nominal: at(reference.nominal, year),
    reference_real: at(reference.real, year),
  }))
}

const contributionToWire = ({ toReturn, toVolatility }: Contribution) => ({
  to_return: toReturn,
  to_volatility: toVolatility,
})
