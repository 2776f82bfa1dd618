import type { ReactNode } from 'react'
import { ChoiceField, TextField } from '../../ui/form/fields.tsx'
import type { EditProps } from './form/edit-props.ts'
import { kindNamed, STRATEGY_TYPES } from '@tradewright/core/strategy-kinds'
import { kindOnScreen } from './kinds.tsx'
import classes from '../../strategy-form/setup.module.css'
import { TickerExamples } from '../../strategy-form/tickers/ticker-examples.tsx'

interface StrategySetupTabProps extends EditProps {
  /** Opens the ready strategies. */
  ready: ReactNode
  onConstruct: () => void
}

export function StrategySetupTab({ form, edit, ready, onConstruct }: StrategySetupTabProps) {
  const hasColumns = kindNamed(form.strategyType).isFixed && form.portfolios !== null
  return (
    <>
      <div className={classes.section}>
        {ready}
        {!hasColumns && (
          <TextField
            label="Strategy name"
            placeholder="Required to save"
            value={form.strategyName}
            onChange={(strategyName) => edit({ strategyName })}
          />
        )}
        <ChoiceField
          label="Strategy type"
          value={form.strategyType}
          options={STRATEGY_TYPES}
          onChange={(strategyType) => edit({ strategyType })}
        />
      </div>
      {kindOnScreen(form.strategyType).setup({ form, edit, onConstruct })}
      <div className={classes.section}>
        <TickerExamples />
      </div>
    </>
  )
}
