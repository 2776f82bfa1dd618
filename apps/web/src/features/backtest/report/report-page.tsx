import { Button } from '@mantine/core'
import { IconArrowLeft, IconPrinter } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { StudioResult } from '../answer/studio-result.ts'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { AllocationCard } from '../results/allocation-card.tsx'
import { ChartCredit } from '../results/curve/chart-credit.tsx'
import { CurveChart } from '../results/curve/curve-chart.tsx'
import { RulesCard } from '../results/decisions/decisions-section.tsx'
import { FeatureImportances } from '../results/feature-importances.tsx'
import { HonestyCard } from '../results/honesty/honesty-card.tsx'
import { MetricsBox } from '../results/figures/metrics-box.tsx'
import { MlConfiguration } from '../results/ml-configuration.tsx'
import { MoreFigures, TradingFigures } from '../results/figures/more-figures.tsx'
import { NotesCard } from '../results/honesty/notes-card.tsx'
import { ReferenceCard } from '../results/figures/reference-card.tsx'
import { UNNAMED } from '../kept/names.ts'
import { IncludesSpliced } from '../../../strategy-form/data/spliced-days.tsx'
import { ResultSource } from '../../../strategy-form/data/result-source.tsx'
import { periodOf } from '../results/result-head.tsx'
import { PeriodCards } from '../results/periods/period-cards.tsx'
import { RiskCards } from '../results/risk/risk-cards.tsx'
import { ResultSection } from '../results/sections/result-section.tsx'
import { SectionNavigation } from '../results/sections/section-navigation.tsx'
import { startSentence } from '../results/start-sentence.ts'
import { viewOf } from '../results/view.ts'
import { WalkForwardCard } from '../results/curve/walk-forward-card.tsx'
import classes from './report-page.module.css'

interface ReportPageProps {
  result: StudioResult
  /** Left out where the report is all there is. */
  onClose?: () => void
  /** Stands above the title. */
  note?: string
  /** Buttons that stand beside Print. */
  actions?: ReactNode
  /** More cards, at the end. */
  children?: ReactNode
}

/** The result on paper: figures and charts without the tables that only a screen can page through. */
export function ReportPage({ result, onClose, note, actions, children }: ReportPageProps) {
  const view = viewOf(result, 'overall')
  return (
    <article className={classes.report} aria-labelledby="report-title">
      <div className={classes.actions}>
        {onClose && (
          <Button variant="default" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={onClose}>
            Back to the Studio
          </Button>
        )}
        {note && <p className={classes.start}>{note}</p>}
        {actions}
        <Button leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
          Print
        </Button>
      </div>
      <header className={classes.head}>
        <h1 id="report-title">{result.strategy || UNNAMED}</h1>
        <p className={classes.facts}>
          <Tag tone="plain">{result.strategy_type}</Tag>
          <span>{periodOf(result)}</span>
          <ResultSource result={result} otherwise={[result.data_sources.simulation, result.data_sources.features]} />
        </p>
        <p className={classes.start}>{startSentence(result)}</p>
      </header>
      <SectionNavigation tradeCount={result.metrics.number_of_trades} />
      <ResultSection name="overview">
        <section className={classes.main} aria-label="Performance">
          <MetricsBox result={result} view={view} />
          <CurveChart result={result} view={view} choice="overall" />
        </section>
        <NotesCard notes={result.notes} />
        {result.reference_backtest_name !== null && <ReferenceCard result={result} />}
        <MoreFigures result={result} />
        {result.allocation && <AllocationCard allocation={result.allocation} />}
        {result.rules && <RulesCard rules={result.rules} />}
        <MlConfiguration result={result} />
        <WalkForwardCard result={result} isWhole />
        <FeatureImportances result={result} />
        <HonestyCard result={result} />
      </ResultSection>
      <ResultSection name="risk">
        <IncludesSpliced spliced={result.spliced_tickers} dates={result.test_dates} />
        <RiskCards result={result} isWhole />
      </ResultSection>
      <ResultSection name="periods">
        <IncludesSpliced spliced={result.spliced_tickers} dates={result.test_dates} />
        <PeriodCards result={result} isWhole />
      </ResultSection>
      <ResultSection name="trades">
        <IncludesSpliced spliced={result.spliced_tickers} dates={result.test_dates} />
        <TradingFigures result={result} />
      </ResultSection>
      <ResultSection name="data">
        {children}
        <ChartCredit />
      </ResultSection>
    </article>
  )
}
