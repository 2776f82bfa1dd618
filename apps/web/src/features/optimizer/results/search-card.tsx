import type { OptimizationResults } from '@tradewright/contract/optimization-results'
import type { OptimizationRunItem } from '@tradewright/contract/optimization-run'
import { formatCount, formatNumber, formatQuantity } from '../../../lib/format.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { Fact, Facts } from '../../../ui/table/facts.tsx'
import { fitnessFormula, measureWord } from '../form/fitness.ts'
import { formatDuration } from '../run-status.ts'
import classes from './results.module.css'

/** How the search was set up and how it went. */
export function SearchCard({ run, results }: { run: OptimizationRunItem; results: OptimizationResults }) {
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
