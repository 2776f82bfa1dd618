import type {
  OptimizationResults,
  Judged,
  LuckReport,
  ChosenFeature,
  OptimizationWindow,
  NestedWalkForward,
} from '@tradewright/contract/optimization-results'
import type { OptimizationRun, OptimizationRunItem } from '@tradewright/contract/optimization-run'
import { Fragment, lazy, Suspense, useMemo } from 'react'
import { DataProblems } from '../../../strategy-form/data/data-problems.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { measureOf, formatFitness, fitnessFormula, measureWord, firstThree, isTickerParameter } from '../form/form.ts'
import { DataSplitCard, Headline, Verdict, ResultHead } from './result-head.tsx'
import { EvolutionChart, GenerationsCard } from './generations.tsx'
import { HoldingCard, HoldingTable, PeriodRow, curveLines } from './holding-card.tsx'
import classes from './results.module.css'
import {
  formatCount,
  formatPercent,
  formatNumber,
  formatQuantity,
  formatRatio,
  formatSignedPercent,
} from '../../../lib/format.ts'
import { Fact, Facts, Delta } from '../../../ui/table/figure.tsx'
import { type CheckEntry, CheckList } from '../../../ui/form/check-list.tsx'
import { HOW_LUCK } from './explanations.ts'
import { formatDuration } from '../queries.ts'
import { numeric, Table, secondary } from '../../../ui/table/table.tsx'
import featuresCardClasses from './features-card.module.css'
import { formatDate, formatDateRange } from '../../../lib/format-time.ts'
import { SplicedNote, splicedDays } from '../../../strategy-form/data/spliced-days.tsx'
import nestedCardClasses from './nested-card.module.css'

const LineChart = lazy(() => import('../../../ui/chart/line-chart.tsx'))

const HEIGHT = 240

/** The stitched curve of a search that was repeated before each window; nothing where it was not asked for. */
function NestedCard({ results }: { results: OptimizationResults }) {
  const { nested_walk_forward: nested, synthetic, spliced_tickers } = results
  const drawing = useMemo(
    () =>
      nested && {
        lines: curveLines(nested.curve, 'Nested walk-forward'),
        format: (value: number) => `${formatRatio(value)}×`,
        baseline: 1,
        watermark: synthetic ? 'Synthetic sample data' : null,
        isLogScale: false,
        shadedUntil: splicedDays(spliced_tickers, nested.curve.dates[0])?.until,
      },
    [nested, synthetic, spliced_tickers],
  )
  if (!nested || !drawing) return null
  return (
    <Card title="Nested walk-forward" hint={hintOf(nested)}>
      <HoldingTable label="Nested walk-forward and buy and hold" own="Nested">
        <PeriodRow period="All windows" own={nested.performance} held={nested.buy_and_hold} />
        {nested.windows.map((window) => (
          <Fragment key={window.test_start}>
            <PeriodRow
              period={
                <span className={nestedCardClasses.dates}>{formatDateRange(window.test_start, window.test_end)}</span>
              }
              own={window.performance}
              held={window.buy_and_hold}
            />
            <tr className={nestedCardClasses.chosen}>
              <td colSpan={6}>
                {window.target_asset} by {window.features.join(', ')}
              </td>
            </tr>
          </Fragment>
        ))}
      </HoldingTable>
      <Verdict {...nested} />
      <div className={nestedCardClasses.chart}>
        <Suspense fallback={<div style={{ height: HEIGHT + 24 }} />}>
          <LineChart
            drawing={drawing}
            height={HEIGHT}
            summary="What one dollar became by searching again before each window, and with buy and hold; the table above has the figures."
          />
        </Suspense>
        <SplicedNote spliced={splicedDays(spliced_tickers, nested.curve.dates[0])} />
      </div>
    </Card>
  )
}

function hintOf({ planned_windows: planned, windows }: NestedWalkForward): string {
  const searches = `The whole search, repeated before each of ${formatCount(windows.length)} windows on the data before it`
  const sets = windows.reduce((sum, { evaluations }) => sum + evaluations, 0)
  const tried = `${formatCount(sets)} feature sets tried`
  return windows.length === planned ? `${searches}; ${tried}` : `${searches} (${planned} were asked for); ${tried}`
}

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

function SeedCard({ results, measure }: { results: OptimizationResults; measure: string }) {
  const { used_seed, seed_features_count, seed_fitness, improvement_over_seed: gain } = results.seed_info
  return (
    <Card title="Seed feature performance">
      <div className={classes.body}>
        <Facts>
          <Fact label="Seed used">{used_seed ? 'Yes' : 'No'}</Fact>
          <Fact label="Seed features">{formatCount(seed_features_count)}</Fact>
          {used_seed && (
            <>
              <Fact label="Seed fitness">{formatFitness(measure, seed_fitness)}</Fact>
              <Fact label="Improvement over seed">
                <Delta value={gain} withArrow>
                  {gain !== null && gain >= 0 ? '+' : ''}
                  {formatFitness(measure, gain)}
                </Delta>
              </Fact>
            </>
          )}
        </Facts>
      </div>
    </Card>
  )
}

/** How much of the winner is luck, each figure with its verdict in words. */
function OverfittingCard({ luck, metric }: { luck: LuckReport; metric: string }) {
  return (
    <Card
      title="How much of this is luck?"
      hint="Enough trials always find something: these four checks help to tell luck from skill"
    >
      <CheckList checks={checksOf(luck, metric)} />
      <details className={classes.how}>
        <summary>How are these computed?</summary>
        {Object.values(HOW_LUCK).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </details>
    </Card>
  )
}

function checksOf(luck: LuckReport, metric: string): CheckEntry[] {
  const percent = (value: number) => formatPercent(value)
  return [
    checkOf('Hold-out score', luck.hold_out, (value) => formatFitness(metric, value)),
    checkOf('Deflated Sharpe', luck.deflated_sharpe, percent),
    checkOf('Probability of overfitting', luck.overfitting_probability, percent),
    checkOf('Feature stability', luck.feature_stability, percent),
  ]
}

function checkOf(title: string, judged: Judged, format: (value: number) => string): CheckEntry {
  const { value, verdict, verdict_text, sentence } = judged
  const figure = value === null ? {} : { figure: format(value) }
  return { title, term: title, tone: verdict, word: verdict_text, sentence, ...figure }
}

/** How the search was set up and how it went. */
function SearchCard({ run, results }: { run: OptimizationRunItem; results: OptimizationResults }) {
  const { ga_parameters: ga, optimization_config: config } = run
  const { early_stopping: stopping } = results
  return (
    <Card title="Genetic algorithm configuration">
      <div className={classes.body}>
        <Facts>
          <Fact label="Population size">{formatCount(ga.population_size)}</Fact>
          <Fact label="Generations">{formatCount(ga.generations)}</Fact>
          <Fact label="Mutation rate">{formatQuantity(ga.mutation_rate)}</Fact>
          <Fact label="Max features">{formatCount(ga.max_features)}</Fact>
          <Fact label="Evaluation metric">{measureWord(ga.evaluation_metric)}</Fact>
          {config.walk_forward_enabled && <Fact label="Fitness mode">{fitnessFormula(config.wf_fitness_mode)}</Fact>}
          <Fact
            label="Early stopping"
            note={
              stopping.enabled &&
              `Patience ${stopping.patience_generations} generations, min improvement ${formatQuantity(stopping.min_improvement)}`
            }
          >
            {stopping.enabled ? 'On' : 'Off'}
          </Fact>
          <Fact label="Stopped at generation" note={results.stopped_early ? 'Stopped early' : 'Not stopped early'}>
            {formatCount(results.stopped_at_generation)}
          </Fact>
          <Fact label="Best generation">{formatCount(results.best_generation)}</Fact>
          <Fact label="Evaluations" note={perSecond(results.evaluations_per_second)}>
            {formatCount(results.total_evaluations)}
          </Fact>
          <Fact label="Runtime">{formatDuration(results.runtime_seconds)}</Fact>
          <Fact label="Seed" note="Same seed and data, same winner">
            {config.seed}
          </Fact>
          <Fact label="Data fingerprint">
            <span title={results.data_fingerprint}>{results.data_fingerprint.slice(0, 12)}</span>
          </Fact>
        </Facts>
      </div>
    </Card>
  )
}

const perSecond = (value: number | null) =>
  value === null ? null : `${formatNumber(value, { decimals: value < 10 ? 1 : 0 })} per second`

/** The winner's features, and how sure the search was of each. */
function FeaturesCard({ results }: { results: OptimizationResults }) {
  const stability = new Map(results.luck.feature_stability.features.map((one) => [one.label, one]))
  const leftOut = results.left_out_features.length
  return (
    <Card
      title="Optimal features"
      hint={
        `${results.best_features.length} of ${formatCount(results.candidate_features)} candidates` +
        (leftOut > 0 ? `; ${leftOut} had no values over the period and were left out` : '')
      }
    >
      <Table label="Optimal features">
        <thead>
          <tr>
            <th>Feature</th>
            <th className={numeric} title="Share of what the model relied on, averaged over the windows">
              Importance
            </th>
            <th className={numeric} title="Share of all generations whose best individual had it">
              Generations
            </th>
            <th className={numeric} title="Share of the windows in which the model relied on it">
              Windows
            </th>
          </tr>
        </thead>
        <tbody>
          {results.best_features.map(({ label, name, params }) => {
            const one = stability.get(label)
            return (
              <tr key={label}>
                <td>
                  <span className={featuresCardClasses.name}>{name}</span>
                  <span className={featuresCardClasses.params}>{paramsText(params)}</span>
                </td>
                <td className={numeric}>{formatPercent(one?.importance)}</td>
                <td className={numeric}>{formatPercent(one?.generation_share, 0)}</td>
                <td className={numeric}>{formatPercent(one?.window_share, 0)}</td>
              </tr>
            )
          })}
        </tbody>
      </Table>
    </Card>
  )
}

/** Tickers first: `ticker SPY, window 14, lag 0`. */
function paramsText(params: ChosenFeature['params']): string {
  const tickersFirst = Object.entries(params).toSorted(
    ([a], [b]) => Number(isTickerParameter(b)) - Number(isTickerParameter(a)),
  )
  return tickersFirst.map(([name, value]) => `${name} ${value}`).join(', ')
}

const NO_DETAILS = 'Walk-forward details not available for this run. New runs will include per-window metrics.'

function WalkForwardCard({ results, isEnabled }: { results: OptimizationResults; isEnabled: boolean }) {
  const walkForward = results.best_performance.walk_forward
  if (!walkForward) {
    return (
      <Card title="Walk-forward windows">
        <p className={classes.note}>
          {NO_DETAILS} {!isEnabled && 'Walk-forward was off: this run has one test period.'}
        </p>
      </Card>
    )
  }
  return (
    <Card title="Walk-forward windows" hint={`${formatCount(walkForward.window_count)} windows of the winner`}>
      <Table label="Walk-forward windows">
        <thead>
          <tr>
            <th>Window</th>
            <th className={`${numeric} ${secondary}`}>Test start</th>
            <th className={numeric}>Test end</th>
            <th className={`${numeric} ${secondary}`}>Test rows</th>
            <th className={numeric}>Accuracy</th>
            <th className={numeric}>CAGR</th>
            <th className={`${numeric} ${secondary}`}>Buy and hold CAGR</th>
            <th className={`${numeric} ${secondary}`}>Sharpe</th>
          </tr>
        </thead>
        <tbody>
          {walkForward.windows.map((window) => (
            <WindowRow key={window.window_num} window={window} />
          ))}
        </tbody>
      </Table>
    </Card>
  )
}

function WindowRow({ window }: { window: OptimizationWindow }) {
  // Half right counts as good, so the middle is where colour and arrow turn.
  const edge = window.accuracy === null ? null : window.accuracy - 0.5
  return (
    <tr>
      <td className="tabular">{window.window_num}</td>
      <td className={`${numeric} ${secondary}`}>{formatDate(window.test_start)}</td>
      <td className={numeric}>{formatDate(window.test_end)}</td>
      <td className={`${numeric} ${secondary}`}>{formatCount(window.test_rows)}</td>
      <td className={numeric}>
        <Delta value={edge} withArrow>
          {window.accuracy === null ? 'n/a' : formatPercent(window.accuracy)}
        </Delta>
      </td>
      <td className={numeric}>
        <Delta value={window.cagr}>{window.cagr === null ? 'n/a' : formatSignedPercent(window.cagr)}</Delta>
      </td>
      <td className={`${numeric} ${secondary}`}>
        {typeof window.buy_and_hold?.cagr === 'number' ? formatSignedPercent(window.buy_and_hold.cagr) : 'n/a'}
      </td>
      <td className={`${numeric} ${secondary}`}>{window.sharpe === null ? 'n/a' : formatRatio(window.sharpe)}</td>
    </tr>
  )
}
