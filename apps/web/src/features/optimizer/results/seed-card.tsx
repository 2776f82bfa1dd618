import type { OptimizationResults } from '@tradewright/contract/optimization-results'
import { formatCount } from '../../../lib/format.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { Fact, Facts } from '../../../ui/table/facts.tsx'
import { Delta } from '../../../ui/table/figure.tsx'
import { formatFitness } from '../form/fitness.ts'
import classes from './results.module.css'

export function SeedCard({ results, measure }: { results: OptimizationResults; measure: string }) {
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
