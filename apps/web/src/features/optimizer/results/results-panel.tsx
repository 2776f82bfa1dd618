import type { OptimizationResults } from '@tradewright/contract/optimization-results'
import type { OptimizationRun } from '@tradewright/contract/optimization-run'
import { DataProblems } from '../../../strategy-form/data/data-problems.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { measureOf } from '../form/fitness.ts'
import { DataSplitCard } from './data-split-card.tsx'
import { EvolutionChart } from './evolution-chart.tsx'
import { FeaturesCard } from './features-card.tsx'
import { GenerationsCard } from './generations-card.tsx'
import { Headline } from './headline.tsx'
import { HoldingCard } from './holding-card.tsx'
import { NestedCard } from './nested-card.tsx'
import { OverfittingCard } from './overfitting-card.tsx'
import { ResultHead } from './result-head.tsx'
import classes from './results.module.css'
import { SearchCard } from './search-card.tsx'
import { SeedCard } from './seed-card.tsx'
import { WalkForwardCard } from './walk-forward-card.tsx'
import { formatCount } from '../../../lib/format.ts'
import { Fact, Facts } from '../../../ui/table/facts.tsx'
import { firstThree } from '../form/tickers.ts'

interface ResultsPanelProps {
  run: OptimizationRun
  results: OptimizationResults
  onRerun: () => void
  isRerunning: boolean
}

export function ResultsPanel({ run, results, onRerun, isRerunning }: ResultsPanelProps) {
  const measure = measureOf({ ...run.ga_parameters, ...run.optimization_config })
  const inBanner = new Set(results.data_problems.map(({ sentence }) => sentence))
  const notes = results.notes.filter((note) => !inBanner.has(note))
  return (
    <div className={classes.panel}>
      <section className={classes.main} aria-labelledby="optimizer-result-title">
        <ResultHead run={run} results={results} onRerun={onRerun} isRerunning={isRerunning} />
        <Headline run={run} results={results} measure={measure} />
      </section>
      <DataProblems problems={results.data_problems} isRunning={isRerunning} onRetry={onRerun} />
      <HoldingCard results={results} />
      <NestedCard results={results} />
      <OverfittingCard luck={results.luck} metric={run.ga_parameters.evaluation_metric} />
      <div className={classes.pair}>
        <FeaturesCard results={results} />
        <BestTargetCard results={results} />
      </div>
      <Card title="Evolution" hint="Best and average fitness per generation">
        <EvolutionChart
          history={run.generation_history}
          generations={results.stopped_at_generation}
          measure={measure}
          bestGeneration={results.best_generation}
        />
      </Card>
      <DataSplitCard results={results} />
      <WalkForwardCard results={results} isEnabled={run.optimization_config.walk_forward_enabled} />
      <div className={classes.pair}>
        <SearchCard run={run} results={results} />
        <SeedCard results={results} measure={measure} />
      </div>
      <GenerationsCard run={run} measure={measure} />
      {notes.length > 0 && (
        <Card title="Notes">
          <div className={classes.body}>
            <ul className={classes.list}>
              {notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </div>
        </Card>
      )}
    </div>
  )
}

function BestTargetCard({ results }: { results: OptimizationResults }) {
  const { best_target: target, optimized_strategy: strategy } = results
  return (
    <Card title="Best target" hint={`Of ${formatCount(results.targets_considered)} considered`}>
      <div className={classes.body}>
        <Facts>
          <Fact label="Target">{target.target_label}</Fact>
          <Fact label="Asset">{target.target_asset}</Fact>
          <Fact label="Related assets">
            <span title={target.related_assets.join(', ')}>{firstThree(target.related_assets) || 'None'}</span>
          </Fact>
          <Fact label="Buy (signal 1)">{allocationText(strategy.signal1_allocations)}</Fact>
          <Fact label="Sell (signal 0)">{allocationText(strategy.signal0_allocations)}</Fact>
          <Fact label="Risk-free rate">{results.risk_free}</Fact>
        </Facts>
      </div>
    </Card>
  )
}

const allocationText = (rows: OptimizationResults['optimized_strategy']['signal1_allocations']): string =>
  rows.map(({ ticker, allocation }) => `${ticker} ${allocation}%`).join(', ') || 'Cash'
