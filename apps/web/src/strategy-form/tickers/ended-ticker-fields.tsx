import { backtestSettings } from '@tradewright/core/backtest-settings'
import { choiceOptions } from '../setting-field.tsx'
import { NumberField, SelectField } from '../../ui/form/fields.tsx'
import type { NumberText } from '../form-values.ts'
import classes from '../setup.module.css'
import { TickerField } from './ticker-field.tsx'

interface EndedTicker {
  endedTicker: string
  replacementTicker: string
  /** Percent off the last price. */
  delistingReturnPct: NumberText
}

interface EndedTickerFieldsProps {
  form: EndedTicker
  edit: (change: Partial<EndedTicker>) => void
}

/** What becomes of a ticker that was delisted, or whose data ends, before the period does. */
export function EndedTickerFields({ form, edit }: EndedTickerFieldsProps) {
  const isReplaced = form.endedTicker === 'replace'
  return (
    <>
      <div className={classes.row}>
        <SelectField
          label={backtestSettings.endedTicker.label}
          value={form.endedTicker}
          options={choiceOptions('endedTicker')}
          onChange={(endedTicker) => edit({ endedTicker })}
        />
        <TickerField
          label="Replacement ticker"
          placeholder={isReplaced ? 'SPY' : 'None'}
          disabled={!isReplaced}
          hasNote={isReplaced}
          value={form.replacementTicker}
          onChange={(replacementTicker) => edit({ replacementTicker })}
        />
      </div>
      {form.endedTicker !== 'stop' && <FinalValueFields form={form} edit={edit} />}
    </>
  )
}

const FINAL_VALUES = [
  { value: '0', label: 'Its last price' },
  { value: '-30', label: '30% below, as is usual' },
  { value: '-100', label: 'Zero' },
]

/** What a share was worth after its last price: an exchange does not quote what a bankruptcy leaves. */
function FinalValueFields({ form, edit }: EndedTickerFieldsProps) {
  const value = String(form.delistingReturnPct === '' ? 0 : form.delistingReturnPct)
  const known = FINAL_VALUES.some((choice) => choice.value === value)
  const options = known ? FINAL_VALUES : [...FINAL_VALUES, { value, label: 'Own' }]
  return (
    <div className={classes.row}>
      <SelectField
        label="Final value"
        term="final value"
        value={value}
        options={options}
        onChange={(choice) => edit({ delistingReturnPct: Number(choice) })}
      />
      <NumberField
        label="Off the last price"
        unit="%"
        value={form.delistingReturnPct}
        onChange={(delistingReturnPct) => edit({ delistingReturnPct })}
      />
    </div>
  )
}
