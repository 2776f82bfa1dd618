import { ANALYSIS_PERIODS, LAGS, MIN_CORRELATION } from '@tradewright/contract/leading-indicators'
import { formatNumber } from '../../../lib/format.ts'
import { SelectField } from '../../../ui/form/fields.tsx'
import { SliderField } from '../../../ui/form/fields/slider-field.tsx'
import { ALL_LAGS, type Filters } from './filters.ts'
import classes from './leading-indicators.module.css'

interface FilterRowProps {
  filters: Filters
  /** By category. */
  tickers: Record<string, { ticker: string; name: string }[]>
  onChange: (change: Partial<Filters>) => void
}

export function FilterRow({ filters, tickers, onChange }: FilterRowProps) {
  return (
    <div className={classes.filters}>
      <SelectField
        label="Ticker"
        value={filters.ticker}
        options={[
          { value: '', label: 'Choose a ticker...' },
          ...Object.entries(tickers).map(([group, items]) => ({
            group,
            items: items.map(({ ticker, name }) => ({ value: ticker, label: labelOf(ticker, name) })),
          })),
        ]}
        onChange={(ticker) => onChange({ ticker })}
      />
      <SelectField
        label="Analysis period"
        value={filters.periodDays}
        options={ANALYSIS_PERIODS.map((days) => ({ value: String(days), label: `${days} days` }))}
        onChange={(periodDays) => onChange({ periodDays })}
      />
      <SelectField
        label="Lag"
        term="lag"
        value={filters.lagDays}
        options={[
          { value: ALL_LAGS, label: 'All lags' },
          ...LAGS.map((days) => ({ value: String(days), label: days === 1 ? '1 day' : `${days} days` })),
        ]}
        onChange={(lagDays) => onChange({ lagDays })}
      />
      <SliderField
        label="Minimum correlation"
        {...MIN_CORRELATION}
        value={filters.minCorrelation}
        shown={formatNumber(filters.minCorrelation, { decimals: 1 })}
        onChange={(minCorrelation) => onChange({ minCorrelation })}
      />
    </div>
  )
}

const labelOf = (ticker: string, name: string) => (name && name !== ticker ? `${ticker} · ${name}` : ticker)
