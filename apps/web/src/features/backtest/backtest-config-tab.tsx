import { STUDIO_PROVIDERS } from '@tradewright/contract/backtests'
import type { SettingName } from '@tradewright/core/backtest-settings'
import { kindNamed, strategyKindOf } from '@tradewright/core/strategy-kinds'
import { OtherSettings, SettingField } from '../../strategy-form/setting-field.tsx'
import { CheckField, NumberField, SelectField, TextField } from '../../ui/form/fields.tsx'
import type { EditProps } from './form/edit-props.ts'
import { portfolioForms } from './portfolios/portfolio-table.ts'
import { useAllBacktests } from './queries.ts'
import classes from '../../strategy-form/setup.module.css'
import { EndedTickerFields } from '../../strategy-form/tickers/ended-ticker-fields.tsx'
import { TickerNote } from '../../strategy-form/tickers/ticker-field.tsx'

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
          <SettingField name="dataGranularity" form={form} edit={edit} />
        </div>
        <EndedTickerFields form={form} edit={edit} />
        <SettingField name="allowMixedPrices" form={form} edit={edit} />
        <OtherSettings section="data" kind={strategyKindOf(form.strategyType)} placed={DATA} form={form} edit={edit} />
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

const DATA: readonly SettingName[] = [
  ...(['dataGranularity', 'referenceTicker', 'allowMixedPrices'] as const),
  ...(['endedTicker', 'replacementTicker', 'delistingReturnPct'] as const),
]

/** A saved strategy may use a provider that the form itself does not offer. */
const withCurrent = (options: readonly string[], current: string) =>
  options.includes(current) ? options : [...options, current]

function MoneySection({ form, edit }: EditProps) {
  return (
    <div className={classes.section}>
      <div className={classes.row}>
        <SettingField name="startDate" form={form} edit={edit} />
        <SettingField name="endDate" form={form} edit={edit} />
      </div>
      <StartConvention form={form} edit={edit} />
      <SettingField name="startValue" form={form} edit={edit} />
      <div className={classes.row}>
        <SettingField name="cashflow" form={form} edit={edit} {...(form.cashflowKind === 'percent' && { unit: '%' })} />
        <SettingField name="cashflowFreq" form={form} edit={edit} />
      </div>
      {(['cashflowKind', 'investDividends', 'adjustInflation'] as const).map((name) => (
        <SettingField key={name} name={name} form={form} edit={edit} />
      ))}
      <OtherSettings section="money" kind={strategyKindOf(form.strategyType)} placed={MONEY} form={form} edit={edit} />
    </div>
  )
}

const MONEY: readonly SettingName[] = [
  ...(['startDate', 'endDate', 'includeFirstReturn', 'startValue', 'cashflow', 'cashflowFreq'] as const),
  ...(['cashflowKind', 'investDividends', 'adjustInflation'] as const),
]

/** Which return is the first of a result; tables printed elsewhere mostly begin one session earlier. */
function StartConvention({ form, edit }: EditProps) {
  const { startHint } = kindNamed(form.strategyType)
  if (startHint !== undefined) return <p className={classes.hint}>{startHint}</p>
  return (
    <>
      <p className={classes.hint}>
        {form.includeFirstReturn
          ? 'The first bar is the last close before the start date, at which the account is invested.'
          : 'The first bar is the first close: the account is invested at the end of the first session, whose own ' +
            'return does not count.'}
      </p>
      <SettingField name="includeFirstReturn" form={form} edit={edit} />
    </>
  )
}

function ReferenceSection({ form, edit }: EditProps) {
  const backtests = useAllBacktests()
  const hasTicker = form.referenceTicker.trim() !== ''
  return (
    <div className={classes.section}>
      <div className={classes.row}>
        <SettingField name="referenceTicker" form={form} edit={edit} />
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
