import { CASHFLOW_FREQUENCIES, CASHFLOW_KINDS, STUDIO_PROVIDERS } from '@tradewright/contract/backtests'
import { CheckField, NumberField, SelectField, TextField } from '../../ui/form/fields.tsx'
import type { EditProps } from './form/edit-props.ts'
import { portfolioForms } from './portfolios/portfolio-table.ts'
import { useAllBacktests } from './queries.ts'
import classes from '../../strategy-form/setup.module.css'
import { EndedTickerFields } from '../../strategy-form/tickers/ended-ticker-fields.tsx'
import { MixedPricesField } from '../../strategy-form/data/mixed-prices-field.tsx'
import { TickerField, TickerNote } from '../../strategy-form/tickers/ticker-field.tsx'

const GRANULARITIES = ['daily', 'hourly', '15minute', '5minute', 'minute']

export function BacktestConfigTab({ form, edit }: EditProps) {
  const hasColumns = portfolioForms(form).length > 0
  return (
    <>
      <MoneySection form={form} edit={edit} />
      <ReferenceSection form={form} edit={edit} />
      <div className={classes.section}>
        <div className={classes.row}>
          <SelectField
            label="Data provider"
            term="data provider"
            value={form.dataProvider}
            options={withCurrent(STUDIO_PROVIDERS, form.dataProvider)}
            onChange={(dataProvider) => edit({ dataProvider })}
          />
          <SelectField
            label="Data granularity"
            term="granularity"
            value={form.dataGranularity}
            options={GRANULARITIES}
            onChange={(dataGranularity) => edit({ dataGranularity })}
          />
        </div>
        <EndedTickerFields form={form} edit={edit} />
        <MixedPricesField checked={form.allowMixedPrices} onChange={(allowMixedPrices) => edit({ allowMixedPrices })} />
      </div>
      <div className={classes.section}>
        {hasColumns && <p className={classes.hint}>Portfolios side by side are saved from their results.</p>}
        <CheckField
          label="Save strategy"
          disabled={hasColumns}
          checked={form.saveStrategy}
          onChange={(saveStrategy) => edit({ saveStrategy })}
        />
        <CheckField
          label="Save backtest"
          disabled={hasColumns}
          checked={form.saveBacktest}
          onChange={(saveBacktest) => edit({ saveBacktest })}
        />
        <TextField
          label="Backtest name (optional)"
          hint={form.saveBacktest ? undefined : 'Used when the backtest is saved'}
          value={form.backtestName}
          onChange={(backtestName) => edit({ backtestName })}
        />
      </div>
    </>
  )
}

/** A saved strategy may use a provider that the form itself does not offer. */
const withCurrent = (options: readonly string[], current: string) =>
  options.includes(current) ? options : [...options, current]

function MoneySection({ form, edit }: EditProps) {
  return (
    <div className={classes.section}>
      <div className={classes.row}>
        <TextField
          label="Start date"
          type="date"
          value={form.startDate}
          onChange={(startDate) => edit({ startDate })}
        />
        <TextField label="End date" type="date" value={form.endDate} onChange={(endDate) => edit({ endDate })} />
      </div>
      <StartConvention form={form} edit={edit} />
      <NumberField
        label="Starting value"
        prefix="$"
        value={form.startValue}
        onChange={(startValue) => edit({ startValue })}
      />
      <div className={classes.row}>
        <NumberField
          label="Cashflow"
          term="cashflow"
          {...(form.cashflowKind === 'percent' ? { unit: '%' } : { prefix: '$' })}
          value={form.cashflow}
          onChange={(cashflow) => edit({ cashflow })}
        />
        <SelectField
          label="Cashflow frequency"
          value={form.cashflowFreq}
          options={CASHFLOW_FREQUENCIES}
          onChange={(cashflowFreq) => edit({ cashflowFreq })}
        />
      </div>
      <SelectField
        label="Cashflow in"
        value={form.cashflowKind}
        options={CASHFLOW_KINDS.map((value) => ({ value, label: CASHFLOW_LABELS[value] }))}
        onChange={(cashflowKind) => edit({ cashflowKind })}
      />
      <CheckField
        label="Reinvest dividends"
        checked={form.investDividends}
        onChange={(investDividends) => edit({ investDividends })}
      />
      <CheckField
        label="Adjust for inflation"
        term="inflation adjustment"
        checked={form.adjustInflation}
        onChange={(adjustInflation) => edit({ adjustInflation })}
      />
    </div>
  )
}

/** Which return is the first of a result; tables printed elsewhere mostly begin one session earlier. */
function StartConvention({ form, edit }: EditProps) {
  if (form.strategyType === 'ML') {
    return <p className={classes.hint}>The result begins with the first prediction, at the close of its bar.</p>
  }
  if (form.strategyType === 'Rules') {
    return <p className={classes.hint}>The account begins in cash and is invested after the first check.</p>
  }
  if (form.strategyType === 'External signal') {
    return <p className={classes.hint}>A signal counts from the first bar that is decided after it was received.</p>
  }
  return (
    <>
      <p className={classes.hint}>
        {form.includeFirstReturn
          ? 'The first bar is the last close before the start date, at which the account is invested.'
          : 'The first bar is the first close: the account is invested at the end of the first session, whose own ' +
            'return does not count.'}
      </p>
      <CheckField
        label="Include the first session's return"
        hint="Starts at the close before the start date, as most published tables do."
        checked={form.includeFirstReturn}
        onChange={(includeFirstReturn) => edit({ includeFirstReturn })}
      />
    </>
  )
}

function ReferenceSection({ form, edit }: EditProps) {
  const backtests = useAllBacktests()
  const hasTicker = form.referenceTicker.trim() !== ''
  return (
    <div className={classes.section}>
      <div className={classes.row}>
        <TickerField
          label="Reference ticker"
          term="benchmark"
          placeholder="None"
          hasNote={false}
          value={form.referenceTicker}
          onChange={(referenceTicker) => edit({ referenceTicker })}
        />
        <NumberField
          label="Reference leverage"
          term="reference leverage"
          hint={hasTicker ? undefined : 'Set a reference ticker first'}
          unit="×"
          disabled={!hasTicker}
          value={form.referenceLeverage}
          onChange={(referenceLeverage) => edit({ referenceLeverage })}
        />
      </div>
      {hasTicker && <TickerNote text={form.referenceTicker} />}
      <SelectField
        label="Compare with a backtest"
        hint={hasTicker ? 'Not used while a reference ticker is set' : undefined}
        disabled={hasTicker}
        value={form.referenceBacktestId}
        options={[
          { value: '', label: 'None' },
          ...(backtests.data ?? []).map(({ id, name, strategy_name }) => ({
            value: String(id),
            label: strategy_name ? `${name} · ${strategy_name}` : name,
          })),
        ]}
        onChange={(referenceBacktestId) => edit({ referenceBacktestId })}
      />
    </div>
  )
}

const CASHFLOW_LABELS = {
  dollars: 'Dollars',
  percent: 'Percent of the balance',
  inflation: 'Dollars that grow with inflation',
} as const satisfies Record<(typeof CASHFLOW_KINDS)[number], string>
