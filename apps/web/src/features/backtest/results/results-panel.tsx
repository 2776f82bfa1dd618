import type { StudioResult } from '../answer/studio-result.ts'
import type { KeptProps } from '../kept/kept-run.ts'
import { AllocationCard } from './allocation-card.tsx'
import { ChartCredit } from './curve/chart-credit.tsx'
import { CompareCard } from './figures/compare-card.tsx'
import { CurveChart } from './curve/curve-chart.tsx'
import { DataProblems } from '../../../strategy-form/data/data-problems.tsx'
import { IncludesSpliced } from '../../../strategy-form/data/spliced-days.tsx'
import { DecisionsSection } from './decisions/decisions-section.tsx'
import { EndedTickers } from './honesty/ended-tickers.tsx'
import { FeatureImportances } from './feature-importances.tsx'
import { FullResults } from './full-results.tsx'
import { HonestyCard } from './honesty/honesty-card.tsx'
import { MetricsBox } from './figures/metrics-box.tsx'
import { MlConfiguration } from './ml-configuration.tsx'
import { MoreFigures, TradingFigures } from './figures/more-figures.tsx'
import { PeriodCards } from './periods/period-cards.tsx'
import { RiskCards } from './risk/risk-cards.tsx'
import { RobustnessSection } from './robustness/robustness-section.tsx'
import { ResultSection } from './sections/result-section.tsx'
import { SectionNavigation } from './sections/section-navigation.tsx'
import { NotesCard } from './honesty/notes-card.tsx'
import { ReferenceCard } from './figures/reference-card.tsx'
import { ResultHead } from './result-head.tsx'
import { RevisedData } from './honesty/revised-data.tsx'
import classes from './results.module.css'
import { TradesCard } from './trades-card.tsx'
import { viewOf, type WindowChoice } from './view.ts'
import { WalkForwardCard } from './curve/walk-forward-card.tsx'
import { WindowSelector } from './curve/window-selector.tsx'
import { useState } from 'react'
import { useSearchParams } from 'react-router'

interface ResultsPanelProps extends KeptProps {
  result: StudioResult
  /** The whole result as JSON. */
  file: Blob
  isStale: boolean
  onReport: () => void
  onDuplicate: () => void
  onConstruct: () => void
  /** Runs again and asks data providers that could not be reached. */
  onRetry: () => void
  /** Runs again with the data of today. */
  onRunAgain: () => void
  onEndedToCash: () => void
  onEndedToTicker: () => void
}

/** A new result is a new panel: the choice of a window starts again at Overall. */
export function ResultsPanel({
  result,
  kept,
  file,
  isStale,
  onReport,
  onKept,
  onDuplicate,
  onConstruct,
  onRetry,
  onRunAgain,
  onEndedToCash,
  onEndedToTicker,
}: ResultsPanelProps) {
  const [choice, setChoice] = useWindowInAddress(result)
  const view = viewOf(result, choice)
  const windows = result.walk_forward_windows ?? []
  return (
    <div className={classes.panel} data-stale={isStale} inert={isStale}>
      <SectionNavigation tradeCount={result.trades.length} />
      <ResultSection name="overview">
        <section className={classes.main} aria-labelledby="result-title">
          <ResultHead
            result={result}
            kept={kept}
            file={file}
            onReport={onReport}
            onKept={onKept}
            onDuplicate={onDuplicate}
            onConstruct={onConstruct}
          />
          <MetricsBox result={result} view={view} />
          {windows.length > 0 && <WindowSelector windows={windows} choice={choice} onChange={setChoice} />}
          <CurveChart result={result} view={view} choice={choice} />
        </section>
        <DataProblems problems={result.data_problems} isRunning={isStale} onRetry={onRetry} />
        <RevisedData resultId={kept.id} result={result} isRunning={isStale} onRunAgain={onRunAgain} />
        <EndedTickers result={result} isRunning={isStale} onCash={onEndedToCash} onReplace={onEndedToTicker} />
        <NotesCard notes={withoutProblems(result)} />
        {result.reference_backtest_name !== null && <ReferenceCard result={result} />}
        <WalkForwardCard result={result} />
        <div className={classes.pair}>
          <FeatureImportances result={result} />
          <HonestyCard result={result} />
        </div>
        <MlConfiguration result={result} />
        {result.allocation && <AllocationCard allocation={result.allocation} onConstruct={onConstruct} />}
        <MoreFigures result={result} />
        <CompareCard shownId={kept.id} />
      </ResultSection>
      <ResultSection name="risk">
        <IncludesSpliced spliced={result.spliced_tickers} dates={result.test_dates} />
        <RiskCards result={result} resultId={kept.id} />
      </ResultSection>
      <ResultSection name="periods">
        <IncludesSpliced spliced={result.spliced_tickers} dates={result.test_dates} />
        <PeriodCards result={result} />
      </ResultSection>
      <ResultSection name="robustness">
        <IncludesSpliced spliced={result.spliced_tickers} dates={result.test_dates} />
        <RobustnessSection id={kept.id} synthetic={result.synthetic} />
      </ResultSection>
      <ResultSection name="trades">
        <IncludesSpliced spliced={result.spliced_tickers} dates={result.test_dates} />
        {result.rules && <DecisionsSection rules={result.rules} />}
        <TradingFigures result={result} />
        <TradesCard trades={result.trades} />
      </ResultSection>
      <ResultSection name="data">
        <FullResults result={result} />
        <ChartCredit />
      </ResultSection>
    </div>
  )
}

/** What the banner says is not said again among the notes. */
const withoutProblems = ({ notes, data_problems }: StudioResult): string[] =>
  notes.filter((note) => !data_problems.some(({ sentence }) => sentence === note))

/** The walk-forward window on show lives in the address; Overall needs no word. */
function useWindowInAddress({ walk_forward_windows }: StudioResult) {
  const [query, setQuery] = useSearchParams()
  const asked = Number(query.get('window'))
  const isThere = walk_forward_windows?.some(({ window_num }) => window_num === asked) ?? false
  const [choice, choose] = useState<WindowChoice>(isThere ? asked : 'overall')
  const setChoice = (next: WindowChoice) => {
    choose(next)
    setQuery(
      (before) => {
        const changed = new URLSearchParams(before)
        if (next === 'overall') changed.delete('window')
        else changed.set('window', String(next))
        return changed
      },
      { replace: true, preventScrollReset: true },
    )
  }
  return [choice, setChoice] as const
}
