import { Button } from '@mantine/core'
import { IconListNumbers } from '@tabler/icons-react'
import { formatCount } from '../../../lib/format.ts'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import { useDialog } from '../use-dialog.ts'
import classes from './job-fields.module.css'
import { tickersOf, withTickers } from './job-form.ts'
import { SecTickersModal } from './sec-tickers-modal.tsx'
import { TickerExamples } from './ticker-examples.tsx'

interface TickerFieldProps {
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

export function TickerField({ value, error, onChange }: TickerFieldProps) {
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
      <TickerExamples />
      <SecTickersModal dialog={sec} onTickers={(tickers) => onChange(withTickers(value, tickers))} />
    </div>
  )
}
