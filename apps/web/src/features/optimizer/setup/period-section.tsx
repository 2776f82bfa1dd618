import { STUDIO_PROVIDERS } from '@tradewright/contract/backtests'
import classes from '../../../strategy-form/setup.module.css'
import { EndedTickerFields } from '../../../strategy-form/tickers/ended-ticker-fields.tsx'
import { MixedPricesField } from '../../../strategy-form/data/mixed-prices-field.tsx'
import { SelectField, TextField } from '../../../ui/form/fields.tsx'
import type { EditProps } from '../form/form.ts'

const GRANULARITIES = ['daily', 'hourly', '15minute', '5minute', 'minute']

export function PeriodSection({ form, edit }: EditProps) {
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
      <div className={classes.row}>
        <SelectField
          label="Data granularity"
          value={form.dataGranularity}
          options={GRANULARITIES}
          onChange={(dataGranularity) => edit({ dataGranularity })}
        />
        <SelectField
          label="Data provider"
          value={form.dataProvider}
          options={withCurrent(STUDIO_PROVIDERS, form.dataProvider)}
          onChange={(dataProvider) => edit({ dataProvider })}
        />
      </div>
      <EndedTickerFields form={form} edit={edit} />
      <MixedPricesField checked={form.allowMixedPrices} onChange={(allowMixedPrices) => edit({ allowMixedPrices })} />
    </div>
  )
}

/** A run may have used a provider that the form itself does not offer. */
const withCurrent = (options: readonly string[], current: string) =>
  options.includes(current) ? options : [...options, current]
