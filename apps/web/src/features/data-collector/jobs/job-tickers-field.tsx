import { Button } from '@mantine/core'
import { IconListNumbers } from '@tabler/icons-react'
import { useState } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { TickerField } from '../../../strategy-form/tickers/ticker-field.tsx'
import { TickerListSelect } from '../../../strategy-form/tickers/ticker-list-select.tsx'
import { TickerExamples } from '../../../strategy-form/tickers/ticker-examples.tsx'
import { TextAreaField } from '../../../ui/form/fields/text-area-field.tsx'
import { useDialog } from '../use-dialog.ts'
import classes from './job-fields.module.css'
import { tickersOf, withTickers } from './job-form.ts'
import { SecTickersModal } from './sec-tickers-modal.tsx'

interface JobTickersFieldProps {
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

export function JobTickersField({ value, error, onChange }: JobTickersFieldProps) {
  const [typed, setTyped] = useState('')
  const sec = useDialog<true>()
  const count = tickersOf(value).length
  return (
    <div>
      <TextAreaField
        label="Tickers"
        required
        hint="Separated by commas"
        placeholder="SPY, TLT, BTC-USD"
        rows={2}
        value={value}
        error={error}
        onChange={onChange}
      />
      <div className={classes.tickerFoot}>
        <Button
          variant="subtle"
          className={classes.inline ?? ''}
          leftSection={<IconListNumbers size={14} aria-hidden />}
          onClick={() => sec.open(true)}
        >
          Add top SEC tickers
        </Button>
        <span className={`${classes.count} tabular`}>
          {formatCount(count)} {count === 1 ? 'ticker' : 'tickers'}
        </span>
      </div>
      <div className={classes.addTickers}>
        <TickerField
          label="Add a ticker by name"
          hideLabel
          hasNote={false}
          placeholder="Add a ticker by symbol or name"
          value={typed}
          onChange={setTyped}
          onChoose={(ticker) => {
            onChange(withTickers(value, [ticker]))
            setTyped('')
          }}
        />
        <TickerListSelect
          label="Add a ticker list"
          prompt="Add a ticker list..."
          onTickers={(tickers) => onChange(withTickers(value, tickers))}
        />
      </div>
      <TickerExamples />
      <p className={classes.note}>Cash, T-bill interest and leverage are computed and need not be collected.</p>
      <SecTickersModal dialog={sec} onTickers={(tickers) => onChange(withTickers(value, tickers))} />
    </div>
  )
}
