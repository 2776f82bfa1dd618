import { Button } from '@mantine/core'
import { IconScale } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ChoiceField, TextField } from '../../ui/form/fields.tsx'
import type { EditProps } from './form/edit-props.ts'
import { STRATEGY_TYPES } from '@tradewright/core/strategy-kinds'
import { ExternalSetup } from './external/external-setup.tsx'
import { AddPortfolio, PortfolioFields } from './portfolios/portfolio-fields.tsx'
import { MlSetup } from './ml-setup.tsx'
import classes from '../../strategy-form/setup.module.css'
import { TickerExamples } from '../../strategy-form/tickers/ticker-examples.tsx'
import { TickerRows } from '../../strategy-form/tickers/ticker-rows.tsx'

interface StrategySetupTabProps extends EditProps {
  /** Opens the ready strategies. */
  ready: ReactNode
  onConstruct: () => void
}

export function StrategySetupTab({ form, edit, ready, onConstruct }: StrategySetupTabProps) {
  const table = form.strategyType === 'Asset Allocation' ? form.portfolios : null
  return (
    <>
      <div className={classes.section}>
        {ready}
        {!table && (
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
      {form.strategyType === 'ML' ? (
        <MlSetup form={form} edit={edit} />
      ) : form.strategyType === 'Rules' ? (
        <p className={classes.beside}>
          The rules are edited as cards under Rules, beside this column or on a phone in its place. Costs and order
          fills are under Advanced.
        </p>
      ) : form.strategyType === 'External signal' ? (
        <ExternalSetup form={form} edit={edit} />
      ) : (
        <div className={classes.section}>
          {table ? (
            <PortfolioFields table={table} form={form} edit={edit} />
          ) : (
            <>
              <TickerRows
                title="Allocation"
                rows={form.allocations}
                onChange={(allocations) => edit({ allocations })}
              />
              <AddPortfolio form={form} edit={edit} />
              <Button
                variant="default"
                size="compact-sm"
                leftSection={<IconScale size={14} aria-hidden />}
                onClick={onConstruct}
              >
                Find better weights
              </Button>
            </>
          )}
        </div>
      )}
      <div className={classes.section}>
        <TickerExamples />
      </div>
    </>
  )
}
