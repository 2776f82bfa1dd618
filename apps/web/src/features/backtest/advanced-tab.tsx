import { FILL_TIMINGS, REBALANCE_FREQUENCIES } from '@tradewright/contract/backtests'
import { capitalised } from '../../lib/format.ts'
import { CheckField, NumberField, SelectField, TextField } from '../../ui/form/fields.tsx'
import type { EditProps } from './form/edit-props.ts'
import { portfolioForms } from './portfolios/portfolio-table.ts'
import { FILL_LABELS } from '../../strategy-form/fill-labels.ts'
import classes from '../../strategy-form/setup.module.css'
import { TickerField } from '../../strategy-form/tickers/ticker-field.tsx'
import { WindowFields } from '../../strategy-form/windows/window-fields.tsx'

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
          strategyType === 'ML'
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

function TradingSection({ form, edit }: EditProps) {
  const isAllocation = form.strategyType === 'Asset Allocation'
  const isRules = form.strategyType === 'Rules'
  const hasColumns = portfolioForms(form).length > 0
  return (
    <div className={classes.section}>
      <div className={classes.row}>
        <SelectField
          label="Rebalance"
          term="rebalancing"
          hint={isRules ? 'Each block has its own' : hasColumns ? 'Set for each portfolio' : undefined}
          disabled={isRules || hasColumns}
          value={form.rebalanceFrequency}
          options={REBALANCE_FREQUENCIES.map((value) => ({ value, label: capitalised(value) }))}
          onChange={(rebalanceFrequency) => edit({ rebalanceFrequency })}
        />
        <NumberField
          label="Rebalance band"
          term="rebalance band"
          hint={isRules ? 'Each block has its own' : undefined}
          disabled={isRules}
          unit=" pp"
          placeholder="None"
          value={form.rebalanceBandPct}
          onChange={(rebalanceBandPct) => edit({ rebalanceBandPct })}
        />
      </div>
      <div className={classes.row}>
        <NumberField
          label="Trading cost"
          term="trading cost"
          unit=" bps"
          value={form.tradingCostBps}
          onChange={(tradingCostBps) => edit({ tradingCostBps })}
        />
        <NumberField
          label="Commission per trade"
          prefix="$"
          value={form.commission}
          onChange={(commission) => edit({ commission })}
        />
      </div>
      <div className={classes.row}>
        <NumberField
          label="Half-spread"
          term="half-spread"
          unit=" bps"
          value={form.halfSpreadBps}
          onChange={(halfSpreadBps) => edit({ halfSpreadBps })}
        />
        <NumberField
          label="Market impact"
          term="market impact"
          unit="×"
          value={form.impactFactor}
          onChange={(impactFactor) => edit({ impactFactor })}
        />
      </div>
      <MarginFields form={form} edit={edit} />
      <NumberField
        label="Borrow rate of short positions"
        unit="% a year"
        hint="Allows negative allocations"
        placeholder="None"
        value={form.shortBorrowPct}
        onChange={(shortBorrowPct) => edit({ shortBorrowPct })}
      />
      <SelectField
        label="Order fill"
        term="order fill"
        hint={isAllocation ? 'Asset Allocation trades at closes' : undefined}
        disabled={isAllocation}
        value={form.fillTiming}
        options={FILL_TIMINGS.map((value) => ({ value, label: FILL_LABELS[value] }))}
        onChange={(fillTiming) => edit({ fillTiming })}
      />
      <div className={classes.row}>
        <TickerField
          hasNote={false}
          label="Risk-free ticker"
          term="risk-free rate"
          placeholder="3-month T-bill"
          value={form.riskFreeTicker}
          onChange={(riskFreeTicker) => edit({ riskFreeTicker })}
        />
        <NumberField label="Seed" term="seed" value={form.seed} onChange={(seed) => edit({ seed })} />
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

const MARGIN_CHOICES = [
  { value: 'us', label: 'As at US brokers' },
  { value: 'own', label: 'Own percentage' },
  { value: 'off', label: 'Off' },
]

/** What an account that borrows must cover its positions by. */
function MarginFields({ form, edit }: EditProps) {
  const { maintenanceMargin: margin } = form
  const isOwn = margin !== 'us' && margin !== 'off'
  return (
    <div className={classes.row}>
      <SelectField
        label="Maintenance margin"
        term="maintenance margin"
        value={isOwn ? 'own' : margin}
        options={MARGIN_CHOICES}
        onChange={(choice) => edit({ maintenanceMargin: choice === 'own' ? '30' : choice })}
      />
      <NumberField
        label="Of every position"
        unit="%"
        placeholder={margin === 'us' ? '25' : 'None'}
        disabled={!isOwn}
        value={isOwn ? margin : ''}
        onChange={(pct) => edit({ maintenanceMargin: String(pct) })}
      />
    </div>
  )
}
