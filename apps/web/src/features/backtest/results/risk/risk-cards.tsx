import type { StudioResult } from '../../answer/studio-result.ts'
import { ReferenceFigures, RiskFigures } from '../figures/more-figures.tsx'
import results from '../results.module.css'
import { RollingSharpeCard } from '../curve/rolling-sharpe-card.tsx'
import { NoAnalysis } from '../sections/no-analysis.tsx'
import { ContributionTable } from './contribution-table.tsx'
import { CorrelationTable } from './correlation-table.tsx'
import { DrawdownTable } from './drawdown-table.tsx'
import { FactorCard } from './factor-card.tsx'
import { RollingCard } from './rolling-card.tsx'

interface RiskCardsProps {
  result: StudioResult
  /** On paper, where no figure can be chosen. */
  isWhole?: boolean
  /** Where the result is kept; left out where nothing can be asked about it. */
  resultId?: number
}

export function RiskCards({ result, isWhole = false, resultId }: RiskCardsProps) {
  const { analysis } = result
  return (
    <>
      <RiskFigures result={result} />
      <ReferenceFigures result={result} />
      {analysis ? (
        <>
          <DrawdownTable drawdowns={analysis.drawdowns} />
          <div className={results.pair}>
            <ContributionTable contributions={analysis.contributions} />
            <CorrelationTable correlations={analysis.correlations} />
          </div>
          <RollingCard result={result} barsPerYear={analysis.bars_per_year} />
        </>
      ) : (
        <NoAnalysis title="Drawdowns, contributions and correlation" />
      )}
      {resultId !== undefined && <FactorCard key={resultId} resultId={resultId} tickers={plainTickers(result)} />}
      {(isWhole || !analysis) && <RollingSharpeCard result={result} />}
    </>
  )
}

/** Traded tickers that have prices of their own to explain. */
const plainTickers = ({ series_sources }: StudioResult): string[] =>
  series_sources.flatMap(({ ticker, used_for }) => (used_for === 'traded' ? [ticker] : []))
