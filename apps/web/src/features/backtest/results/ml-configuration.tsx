import type { AllocationRow } from '@tradewright/contract/setting-schemas'
import type { StudioResult } from '../answer/studio-result.ts'
import { formatNumber } from '../../../lib/format.ts'
import { formatDateRange } from '../../../lib/format-time.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { Fact, Facts } from '../../../ui/table/figure.tsx'
import classes from './results.module.css'

export function MlConfiguration({ result }: { result: StudioResult }) {
  const { ml_config: config, train_period, test_period, target } = result
  if (!config) return null
  return (
    <Card title="ML Configuration" folds>
      <div className={classes.body}>
        <Facts>
          <Fact label="Model" note={paramsOf(result.ml_params)}>
            {config.model_type}
          </Fact>
          <Fact label="Split" note={config.walk_forward && 'Walk-forward windows were used instead'}>
            {percent(config.train_size)} train / {percent(config.test_size)} test
          </Fact>
          {config.walk_forward && (
            <Fact label="Windows">
              {percent(config.walk_forward.train_window_pct)} train / {percent(config.walk_forward.test_window_pct)}{' '}
              test, step{' '}
              {config.walk_forward.step_size_pct === null ? 'automatic' : percent(config.walk_forward.step_size_pct)}
            </Fact>
          )}
          {train_period && (
            <Fact label="Train window">{formatDateRange(train_period.start_date, train_period.end_date)}</Fact>
          )}
          {test_period && (
            <Fact label="Test window">{formatDateRange(test_period.start_date, test_period.end_date)}</Fact>
          )}
          <Fact label="Buy signal (1)">{rowsText(config.signal1_allocations)}</Fact>
          <Fact label="Sell signal (0)">{rowsText(config.signal0_allocations)}</Fact>
          {target && <Fact label="Target">{target.name}</Fact>}
          <Fact label="Features" note={revisedFeatures(result)} isWide>
            {(result.features ?? []).map(({ name }) => name).join(', ') || 'None'}
          </Fact>
        </Facts>
      </div>
    </Card>
  )
}

const percent = (value: number) => formatNumber(value, { decimals: 2, minDecimals: 0, suffix: '%' })

function rowsText(rows: readonly AllocationRow[]): string {
  return rows.map(({ ticker, allocation }) => `${ticker} ${percent(allocation)}`).join(', ') || 'Cash'
}

/** Names features that may know more than was known at the time. */
function revisedFeatures({ features }: StudioResult): string | null {
  const revised = (features ?? []).filter(({ uses_revised_values }) => uses_revised_values)
  return revised.length === 0
    ? null
    : `Made from values that may be later revisions: ${revised.map(({ name }) => name).join(', ')}`
}

function paramsOf(params: StudioResult['ml_params']): string | null {
  if (!params) return null
  return Object.entries(params)
    .map(([name, value]) => `${name === 'n_estimators' ? 'trees' : name.replaceAll('_', ' ')} ${value}`)
    .join(', ')
}
