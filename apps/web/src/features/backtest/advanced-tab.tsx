import type { SettingName } from '@tradewright/core/backtest-settings'
import { kindNamed, strategyKindOf } from '@tradewright/core/strategy-kinds'
import { OtherSettings, SettingField } from '../../strategy-form/setting-field.tsx'
import classes from '../../strategy-form/setup.module.css'
import { WindowFields } from '../../strategy-form/windows/window-fields.tsx'
import { CheckField, TextField } from '../../ui/form/fields.tsx'
import type { EditProps } from './form/edit-props.ts'
import { portfolioForms } from './portfolios/portfolio-table.ts'

export function AdvancedTab({ form, edit }: EditProps) {
  return (
    <>
      <WalkForwardSection form={form} edit={edit} />
      <TradingSection form={form} edit={edit} />
    </>
  )
}

function WalkForwardSection({ form, edit }: EditProps) {
  const { walkForwardEnabled: isOn, strategyType } = form
  return (
    <div className={classes.section}>
      <CheckField
        label="Walk-forward analysis"
        term="walk-forward"
        hint={
          kindNamed(strategyType).learns
            ? 'Train on past data, then test on the period that follows.'
            : 'Used by ML strategies only.'
        }
        checked={isOn}
        onChange={(walkForwardEnabled) => edit({ walkForwardEnabled })}
      />
      <WindowFields
        form={form}
        edit={edit}
        hint="Percentages of the usable rows. Step size 1 to 100; leave empty for automatic."
      />
    </div>
  )
}

/** Side by side. */
const COSTS = [
  ['tradingCostBps', 'commission'],
  ['halfSpreadBps', 'impactFactor'],
] as const
const BORROWING = ['maintenanceMargin', 'shortBorrowPct'] as const
const PLACED: readonly SettingName[] = [
  ...COSTS.flat(),
  ...BORROWING,
  ...(['rebalanceFrequency', 'rebalanceBandPct', 'fillTiming', 'riskFreeTicker', 'seed'] as const),
]

function TradingSection({ form, edit }: EditProps) {
  const kind = strategyKindOf(form.strategyType)
  const { isFixed = false, hasBlocks = false } = kindNamed(form.strategyType)
  const hasColumns = portfolioForms(form).length > 0
  return (
    <div className={classes.section}>
      <div className={classes.row}>
        <SettingField
          name="rebalanceFrequency"
          form={form}
          edit={edit}
          hint={hasBlocks ? 'Each block has its own' : hasColumns ? 'Set for each portfolio' : undefined}
          disabled={hasBlocks || hasColumns}
        />
        <SettingField
          name="rebalanceBandPct"
          form={form}
          edit={edit}
          hint={hasBlocks ? 'Each block has its own' : undefined}
          disabled={hasBlocks}
        />
      </div>
      {COSTS.map((row) => (
        <div key={row[0]} className={classes.row}>
          {row.map((name) => (
            <SettingField key={name} name={name} form={form} edit={edit} />
          ))}
        </div>
      ))}
      {BORROWING.map((name) => (
        <SettingField key={name} name={name} form={form} edit={edit} />
      ))}
      <OtherSettings section="trading" kind={kind} placed={PLACED} form={form} edit={edit} />
      <SettingField
        name="fillTiming"
        form={form}
        edit={edit}
        hint={isFixed ? 'Asset Allocation trades at closes' : undefined}
        disabled={isFixed}
      />
      <div className={classes.row}>
        <SettingField name="riskFreeTicker" form={form} edit={edit} />
        <SettingField name="seed" form={form} edit={edit} />
      </div>
      <TextField
        label="Data as of"
        type="date"
        hint="What the data store held at the end of that day (UTC). Empty: the data of today."
        value={form.dataAsOf}
        onChange={(dataAsOf) => edit({ dataAsOf })}
      />
    </div>
  )
}
