import type { StudioResult } from '../../answer/studio-result.ts'
import { MonthlyReturns } from '../monthly-returns.tsx'
import { reasonOf } from '../figures/reason.ts'
import { NoAnalysis } from '../sections/no-analysis.tsx'
import { YearCard } from './year-card.tsx'

interface PeriodCardsProps {
  result: StudioResult
  /** On paper, where nothing can be pressed. */
  isWhole?: boolean
}

export function PeriodCards({ result, isWhole = false }: PeriodCardsProps) {
  return (
    <>
      {result.analysis ? (
        <YearCard result={result} annual={result.analysis.annual} isWhole={isWhole} />
      ) : (
        <NoAnalysis title="Year by year" />
      )}
      <MonthlyReturns
        months={result.monthly_returns}
        years={result.yearly_returns}
        isReal={result.analysis !== null && reasonOf(result, 'analysis.annual.real') === null}
        isWhole={isWhole}
      />
    </>
  )
}
