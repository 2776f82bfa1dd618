import { Button } from '@mantine/core'
import { IMPORT_MAX_BYTES, importCsv } from '@tradewright/contract/collected-data'
import { GRANULARITIES } from '@tradewright/contract/data-collector-fields'
import { useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CancelButton } from '../../../ui/layout/content-modal.tsx'
import { SelectField, TextField } from '../../../ui/form/fields.tsx'
import { FileField } from '../../../ui/form/fields/text-fields.tsx'
import layout from '../layout.module.css'
import { NoticeBanner, failed, type Tell, useNotice } from '../notice.tsx'
import { useDataStores, refreshData } from '../queries.ts'
import classes from './import-form.module.css'
import { CallError } from '../../../lib/call-error.ts'
import { type AnswerOf, callForText, parsed } from '../../../lib/http.ts'
import { withChosenFormats } from '../../../lib/sentences.ts'

/** Enough of a file to hold its first line. */
const HEAD_BYTES = 64 * 1024

const DELIMITERS = [',', ';', '\t', '|'] as const

/** The names in the first line; none when the first line holds values already. */
export function headersOf(head: string): string[] {
  const [line = ''] = head.replace(/^\uFEFF/, '').split(/\r?\n/, 1)
  const delimiter = DELIMITERS.toSorted((a, b) => line.split(b).length - line.split(a).length)[0]!
  const names = cells(line, delimiter)
  const isHeader = names.some((name) => name !== '' && !/\d{4}/.test(name) && Number.isNaN(Number(name)))
  return isHeader ? names : []
}

/** Quoted cells may hold the delimiter, and a quote as two. */
function cells(line: string, delimiter: string): string[] {
  const found: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    const letter = line[at]!
    if (letter === '"' && isQuoted && line[at + 1] === '"') {
      cell += '"'
      at++
    } else if (letter === '"') {
      isQuoted = !isQuoted
    } else if (letter === delimiter && !isQuoted) {
      found.push(cell.trim())
      cell = ''
    } else {
      cell += letter
    }
  }
  return [...found, cell.trim()]
}

/** The meanings of a column; the first leaves it to the server. */
const MEANINGS = [
  '',
  'date',
  'time',
  'open',
  'high',
  'low',
  'close',
  'volume',
  'dividend',
  'split',
  'value',
  'known_at',
  'currency',
  'exchange',
] as const

const PRICES = /^(o|h|l|c|open|high|low|close|last|price|closing price|opening price|close\/last|adj(usted)? ?close)$/i

/** Whether a file seems to hold prices: they are known at their close, other values when they are published. */
export const seemsPriced = (headers: readonly string[], choice: Readonly<Record<string, string>>): boolean =>
  headers.length === 0 ||
  headers.some((header) => {
    const meaning = choice[header] ?? ''
    return PRICES.test((meaning === '' ? header : meaning).replaceAll(/[_*]+/g, ' ').trim())
  })

export const LEFT_OUT = 'left out'
const OWN_COLUMN = 'kept'

/** The name under which features and targets find a column that is kept. */
function columnName(header: string): string {
  const words = header
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return (/^[a-z]/.test(words) ? words : `c_${words}`).slice(0, 41)
}

/** Only what was chosen by hand is sent; an empty meaning leaves the column out. */
export const columnsOf = (choice: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(choice)
      .filter(([, meaning]) => meaning !== '')
      .map(([header, meaning]) => [
        header,
        meaning === LEFT_OUT ? '' : meaning === OWN_COLUMN ? columnName(header) : meaning,
      ]),
  )

/** `AAPL` of `AAPL.csv`, `BTC-USD` of `btc-usd (1).csv`. */
export const tickerOfFile = (name: string): string =>
  name
    .replace(/\.[^.]*$/, '')
    .replace(/\s*\(\d+\)$/, '')
    .trim()
    .toUpperCase()

const MEGABYTE = 1024 * 1024

export function ImportForm({ tell, onClose }: { tell: Tell; onClose: () => void }) {
  const stores = useDataStores().data ?? []
  const [file, setFile] = useState<File | null>(null)
  const [headers, setHeaders] = useState<readonly string[]>([])
  const [choice, setChoice] = useState<Record<string, string>>({})
  const [ticker, setTicker] = useState('')
  const [granularity, setGranularity] = useState('1d')
  const [knownAfterDays, setKnownAfterDays] = useState('')
  const [currency, setCurrency] = useState('')
  const [storeId, setStoreId] = useState(() => String(stores.find(({ is_default }) => is_default)?.id ?? ''))
  const { notice, tell: tellHere, dismiss } = useNotice()
  const upload = useImportCsv({ tell, onDone: onClose, onFailed: tellHere })
  const isPriced = seemsPriced(headers, choice)
  const isTooLarge = file !== null && file.size > IMPORT_MAX_BYTES

  const choose = async (chosen: File | null) => {
    const before = file ? tickerOfFile(file.name) : ''
    setFile(chosen)
    setChoice({})
    setHeaders(chosen ? headersOf(await chosen.slice(0, HEAD_BYTES).text()) : [])
    // One that was typed stays; one that another file's name gave does not.
    if (chosen) setTicker((own) => (own === '' || own === before ? tickerOfFile(chosen.name) : own))
  }
  return (
    <form
      className={layout.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (file)
          upload.mutate({
            file,
            ticker,
            granularity,
            storeId,
            columns: columnsOf(choice),
            knownAfterDays: isPriced ? '' : knownAfterDays,
            currency,
          })
      }}
    >
      <NoticeBanner notice={notice} onClose={dismiss} />
      <FileField
        label="File"
        hint="A row per bar or observation. Every row is checked before any is stored; importing the same file again changes nothing."
        accept=".csv,.txt,.tsv,text/csv"
        file={file}
        error={isTooLarge ? `At most ${IMPORT_MAX_BYTES / MEGABYTE} MB at a time.` : undefined}
        onChange={(chosen) => void choose(chosen)}
      />
      <div className={classes.three}>
        <TextField
          label="Ticker"
          required
          placeholder="AAPL"
          value={ticker}
          onChange={(typed) => setTicker(typed.toUpperCase())}
        />
        <SelectField label="Data granularity" value={granularity} options={GRANULARITIES} onChange={setGranularity} />
        <SelectField
          label="Data store"
          value={storeId}
          options={stores.map(({ id, name }) => ({ value: String(id), label: name }))}
          onChange={setStoreId}
        />
      </div>
      <TextField
        label="Currency"
        placeholder="USD"
        hint="Empty: what the file says, else dollars. Other currencies are stored as such and not converted."
        value={currency}
        onChange={(typed) => setCurrency(typed.toUpperCase())}
      />
      {!isPriced && (
        <TextField
          label="Days until publication"
          hint="Values that are not prices are used from the day they were published: the column known_at of the file, or so many days after the date of each row. Empty: the end of the period after its own."
          value={knownAfterDays}
          onChange={setKnownAfterDays}
        />
      )}
      {headers.length > 0 && <ColumnChoices headers={headers} choice={choice} onChange={setChoice} />}
      <div className={layout.foot}>
        <CancelButton />
        <Button type="submit" disabled={!file || isTooLarge || upload.isPending}>
          {upload.isPending ? 'Importing...' : 'Import'}
        </Button>
      </div>
    </form>
  )
}

interface ColumnChoicesProps {
  headers: readonly string[]
  choice: Readonly<Record<string, string>>
  onChange: (choice: Record<string, string>) => void
}

/** Usual names are understood without a word; the others can be told. */
function ColumnChoices({ headers, choice, onChange }: ColumnChoicesProps) {
  return (
    <details className={classes.columns}>
      <summary>Columns: {headers.join(', ')}</summary>
      <div className={classes.three}>
        {headers.map((header) => (
          <SelectField
            key={header}
            label={header || '(no name)'}
            value={choice[header] ?? ''}
            options={[
              ...MEANINGS.map((meaning) => ({ value: meaning, label: meaning || 'Automatic' })),
              { value: OWN_COLUMN, label: `Keep as ${columnName(header)}` },
              { value: LEFT_OUT, label: 'Leave out' },
            ]}
            onChange={(meaning) => onChange({ ...choice, [header]: meaning })}
          />
        ))}
      </div>
    </details>
  )
}

interface Import {
  file: File
  ticker: string
  granularity: string
  storeId: string
  columns: Record<string, string>
  knownAfterDays: string
  /** Empty: what the file says. */
  currency: string
}

function useImportCsv({ tell, onDone, onFailed }: { tell: Tell; onDone: () => void; onFailed: Tell }) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: ({ message, records_stored, notes }) => {
      const stored = records_stored === 0 ? ['All rows were already stored.'] : []
      tell({ kind: 'success', text: message, detail: [...stored, ...notes].join(' ') || null })
      onDone()
      return refreshData(queries)
    },
    onError: (error) => onFailed(failed('import', error)),
  })
}

async function send({
  file,
  ticker,
  granularity,
  storeId,
  columns,
  knownAfterDays,
  currency,
}: Import): Promise<AnswerOf<typeof importCsv>> {
  const form = new FormData()
  // Fields before the file: a server that reads the parts as they come knows then what the file is.
  form.append('ticker', ticker)
  form.append('granularity', granularity)
  form.append('store', storeId)
  if (Object.keys(columns).length > 0) form.append('columns', JSON.stringify(columns))
  if (knownAfterDays.trim() !== '') form.append('known_after_days', knownAfterDays.trim())
  if (currency.trim() !== '') form.append('currency', currency.trim())
  form.append('file', file)
  const answer = importCsv.answer.safeParse(parsed(await callForText(importCsv, form)))
  if (answer.success) return withChosenFormats(importCsv.answer, answer.data)
  throw new CallError({ status: 200, code: 'answer.shape', serverMessage: null, cause: answer.error })
}
