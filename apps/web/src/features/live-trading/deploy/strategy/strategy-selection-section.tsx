import type { DeployableStrategy } from '@tradewright/contract/live-trading-fields'
import { formatSignedPercent } from '../../../../lib/format.ts'
import { SelectField } from '../../../../ui/form/fields.tsx'
import { LinkButton } from '../../../../ui/form/buttons.tsx'
import classes from '../deploy-form.module.css'
import { choosingStrategy } from '../draft.ts'
import { FormSection } from '../form-section.tsx'
import type { SectionProps } from '../section-props.ts'

interface StrategySelectionProps extends SectionProps {
  strategies: readonly DeployableStrategy[]
  isLoading: boolean
}

export function StrategySelectionSection(props: StrategySelectionProps) {
  return (
    <FormSection title="Strategy Selection">
      <StrategyField {...props} />
    </FormSection>
  )
}

export function StrategyField({ chosen, edit, strategies, isLoading }: StrategySelectionProps) {
  const hasNone = strategies.length === 0 && !isLoading
  return (
    <>
      <SelectField
        label="Strategy"
        value={chosen.strategy ? chosen.form.strategyId : ''}
        options={[
          { value: '', label: isLoading ? 'Loading...' : 'Select a strategy' },
          ...strategies.map((strategy) => ({ value: String(strategy.id), label: optionText(strategy) })),
        ]}
        onChange={(strategyId) => edit(choosingStrategy(strategyId))}
      />
      {hasNone && (
        <>
          <p className={classes.note}>No saved strategies yet. Build one in Backtest Studio and save it.</p>
          <div className={classes.checks}>
            <LinkButton to="/backtest">Create Strategy</LinkButton>
          </div>
        </>
      )}
    </>
  )
}

/** `Core · ML · +12.3% total return`: name, type and latest total return. */
function optionText({ name, strategy_type, latest_performance }: DeployableStrategy): string {
  const performance = latest_performance
    ? `${formatSignedPercent(latest_performance.total_return)} total return${
        latest_performance.spliced_tickers.length > 0 ? ' with fallback prices' : ''
      }`
    : 'No data'
  return `${name} · ${strategy_type} · ${performance}`
}
