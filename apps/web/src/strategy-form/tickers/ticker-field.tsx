import { useState } from 'react'
import { ComboboxField } from '../../ui/form/fields/choice-fields.tsx'
import type { FieldProps } from '../../ui/form/fields.tsx'
import classes from '../setup.module.css'
import { useTickerLookups, useTickerSearch } from './ticker-queries.ts'
import { historyNote, noteOf, refusalOf, symbolsIn, toOption, typedSymbol, withSymbol } from './ticker-text.ts'

interface TickerFieldProps extends FieldProps {
  value: string
  onChange: (value: string) => void
  placeholder?: string
  /** Tickers separated by commas. */
  isSeveral?: boolean
  /** Without it the note stands elsewhere, or is not needed. */
  hasNote?: boolean
  /** Else the ticker goes into the field. */
  onChoose?: (ticker: string) => void
}

/** A ticker, found by symbol or name. Anything may be typed; a note says where its data would come from. */
export function TickerField({ isSeveral = false, hasNote = true, onChoose, ...field }: TickerFieldProps) {
  const { value, onChange } = field
  const [isActive, setActive] = useState(false)
  const { found, failure } = useTickerSearch(typedSymbol(value, isSeveral), isActive)
  return (
    <div>
      <ComboboxField
        {...field}
        options={found.map(toOption)}
        notice={failure}
        onChoose={onChoose ?? ((symbol) => onChange(withSymbol(value, symbol, isSeveral)))}
        onEnter={onChoose && value.trim() !== '' ? () => onChoose(value.trim().toUpperCase()) : undefined}
        onActive={setActive}
      />
      {hasNote && <TickerNote text={value} />}
    </div>
  )
}

/** Under a field: the name and source of its ticker; of several tickers, those without real data. */
export function TickerNote({ text }: { text: string }) {
  const tickers = text
    .split(',')
    .map((ticker) => ticker.trim())
    .filter((ticker) => ticker !== '')
  const symbols = tickers.flatMap(symbolsIn)
  const looked = useTickerLookups(symbols)
  const refusal = tickers.map(refusalOf).find((sentence) => sentence !== undefined)
  const current = looked.filter(({ ticker }) => symbols.some((one) => symbolOf(one) === ticker))
  const notes =
    symbols.length === 1
      ? current.map(noteOf)
      : current.flatMap((one) => {
          const note = noteOf(one)
          return note.hasRealData ? [] : [{ ...note, text: `${one.ticker}: ${note.text}` }]
        })
  const history = tickers.flatMap((ticker) => historyNote(ticker) ?? [])
  const shown =
    refusal === undefined
      ? [...history.map((sentence) => ({ text: sentence, isWarning: false })), ...notes]
      : [{ text: refusal, isWarning: true }]
  return (
    <div className={classes.tickerNote} aria-live="polite">
      {shown.map((note) => (
        <p key={note.text} data-warning={note.isWarning}>
          {note.text}
        </p>
      ))}
    </div>
  )
}

const symbolOf = (ticker: string) => (ticker.split('?')[0] ?? '').trim().toUpperCase()
