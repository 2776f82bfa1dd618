import { SelectField } from '../../ui/form/fields.tsx'
import classes from '../setup.module.css'
import { TickerField } from './ticker-field.tsx'

interface EndedTicker {
  endedTicker: string
  replacementTicker: string
}

interface EndedTickerFieldsProps {
  form: EndedTicker
  edit: (change: Partial<EndedTicker>) => void
}

const CHOICES = [
  { value: 'stop', label: 'Stop there' },
  { value: 'cash', label: 'Then hold cash' },
  { value: 'replace', label: 'Then hold another ticker' },
]

/** What becomes of a ticker that was delisted, or whose data ends, before the period does. */
export function EndedTickerFields({ form, edit }: EndedTickerFieldsProps) {
  const isReplaced = form.endedTicker === 'replace'
  return (
    <div className={classes.row}>
      <SelectField
        label="If prices end early"
        value={form.endedTicker}
        options={CHOICES}
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
  )
}
