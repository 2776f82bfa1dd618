import { Button } from '@mantine/core'
import { IMPORT_MAX_BYTES } from '@tradewright/contract/collected-data'
import { GRANULARITIES } from '@tradewright/contract/data-collector-fields'
import { useState } from 'react'
import { CancelButton } from '../../../ui/layout/content-modal.tsx'
import { SelectField, TextField } from '../../../ui/form/fields.tsx'
import { FileField } from '../../../ui/form/fields/file-field.tsx'
import layout from '../layout.module.css'
import { NoticeBanner } from '../notice-banner.tsx'
import { useDataStores } from '../queries.ts'
import { type Tell, useNotice } from '../use-notice.ts'
import { columnsOf, HEAD_BYTES, headersOf, seemsPriced, tickerOfFile } from './csv-header.ts'
import { ColumnChoices } from './column-choices.tsx'
import classes from './import-form.module.css'
import { useImportCsv } from './import-queries.ts'

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
