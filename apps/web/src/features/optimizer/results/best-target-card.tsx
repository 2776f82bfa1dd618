import type { OptimizationResults } from '@tradewright/contract/optimization-results'
import { formatCount } from '../../../lib/format.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { Fact, Facts } from '../../../ui/table/facts.tsx'
import { firstThree } from '../tickers.ts'
import classes from './results.module.css'

export function BestTargetCard({ results }: { results: OptimizationResults }) {
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
