import { Button } from '@mantine/core'
import { IconListNumbers } from '@tabler/icons-react'
import { useState } from 'react'
import { SEC_TICKERS_MAX } from '@tradewright/contract/collected-data'
import { formatCount } from '../../../lib/format.ts'
import { TickerField } from '../../../strategy-form/tickers/ticker-field.tsx'
import { TickerListSelect } from '../../../strategy-form/tickers/ticker-list-select.tsx'
import { TickerExamples } from '../../../strategy-form/tickers/ticker-examples.tsx'
import { TextAreaField } from '../../../ui/form/fields/text-fields.tsx'
import { useDialog, type Notice } from '../notice.tsx'
import classes from './job-fields.module.css'
import { tickersOf, withTickers, useSecTickers } from './job-form.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { CancelButton, ContentModal } from '../../../ui/layout/content-modal.tsx'
import { NumberField } from '../../../ui/form/fields.tsx'
import layout from '../layout.module.css'

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

const DEFAULT_COUNT = 50

interface SecTickersModalProps {
  dialog: ReturnType<typeof useDialog<true>>
  onTickers: (tickers: string[]) => void
}

function SecTickersModal({ dialog, onTickers }: SecTickersModalProps) {
  return (
    <ContentModal opened={dialog.isOpen} title="Add top SEC tickers" size={440} onClose={dialog.close}>
      <Question key={dialog.times} onTickers={onTickers} onClose={dialog.close} />
    </ContentModal>
  )
}

/** Asks how many; a number outside the range is moved into it. */
function Question({ onTickers, onClose }: { onTickers: (tickers: string[]) => void; onClose: () => void }) {
  const [count, setCount] = useState<number | string>(DEFAULT_COUNT)
  const [failure, setFailure] = useState<Notice | null>(null)
  const fetching = useSecTickers({
    onTickers: (tickers) => {
      onTickers(tickers)
      onClose()
    },
    onError: setFailure,
  })
  const ask = () => {
    setFailure(null)
    const wanted = Math.trunc(Number(count)) || DEFAULT_COUNT
    fetching.mutate(Math.min(SEC_TICKERS_MAX, Math.max(1, wanted)))
  }
  return (
    <div className={layout.form}>
      {failure && <Banner kind="error" text={failure.text} detail={failure.detail} />}
      <NumberField
        label="How many of the largest companies?"
        hint={`1 to ${SEC_TICKERS_MAX}, in the order of the SEC's list`}
        value={count}
        onChange={setCount}
      />
      <div className={layout.foot}>
        <CancelButton />
        <Button disabled={fetching.isPending} onClick={ask}>
          {fetching.isPending ? 'Fetching...' : 'Add tickers'}
        </Button>
      </div>
    </div>
  )
}
