import {
  browseWithTransforms,
  DATA_EXPORT_PATH,
  EXPORT_FORMATS,
  getAvailableData,
  importCsv,
} from '@tradewright/contract/collected-data'
import type { z } from 'zod'
import type { Client } from '../client.ts'
import type { Command } from '../command.ts'
import { EXIT, Failure, usage } from '../failure.ts'
import { type Cell, csvOf, uploadOf, writeChunks, writeText } from '../files.ts'
import { plain } from '../output.ts'

export const dataImport: Command = {
  name: 'data import',
  summary: 'Import a CSV file of prices or other values.',
  args: [{ name: 'FILE', isFile: true }],
  options: {
    ticker: { value: 'TICKER', help: 'ticker under which to store the series (required)' },
    granularity: { value: '1d|1h|15m|5m|1m', help: 'granularity of the rows (default: 1d)' },
    columns: { value: 'JSON', help: 'unusual headers: {"Settle": "close"}' },
    currency: { value: 'CODE', help: 'currency of the prices (default: what the file says, else USD)' },
    'known-after-days': { value: 'DAYS', help: 'days from the date of a value to its publication; not for prices' },
  },
  examples: ['tradewright data import myfund.csv --ticker MYFUND'],
  async run({ args, text, out, client, interrupted }) {
    const ticker = text('ticker')
    if (!ticker) throw usage('--ticker is missing: which ticker should the file be stored under?')
    const form = uploadOf(args[0]!, {
      ticker,
      granularity: text('granularity'),
      columns: text('columns'),
      known_after_days: text('known-after-days'),
      currency: text('currency'),
    })
    out.progress(null, `Importing ${args[0]}`)
    const answer = await client().call(importCsv, { form, signal: interrupted })
    out.result(answer, () => [
      plain(answer.message),
      ...answer.notes.map((note) => out.paint('yellow', `! ${plain(note)}`)),
    ])
    return EXIT.ok
  },
}

export const dataExport: Command = {
  name: 'data export',
  summary: 'Stored series as CSV, a row per ticker and time and a column per kind of value.',
  args: [{ name: 'TICKER', repeated: true }],
  options: {
    from: { value: 'DATE', help: 'first day, YYYY-MM-DD' },
    to: { value: 'DATE', help: 'last day' },
    granularity: { value: '1d|1h|15m|5m|1m', help: 'granularity of the rows (default: the coarsest stored)' },
    out: { value: 'FILE', help: 'write to a file instead of standard output' },
    format: {
      value: 'parquet|csv',
      help: 'every stored record with its provider, in a file of up to 10 million; needs --out',
    },
    'as-of': { value: 'MOMENT', help: 'with --format: what the store held at that time, such as 2024-12-31T00:00:00Z' },
  },
  details: [
    'Without --format: a table with a column per kind of value; a file of one ticker can be imported again. With it: the ' +
      'records themselves, a row each, for DuckDB, pandas or Polars; see docs/data-out.md. Rows of the synthetic sample market are named on standard error.',
  ],
  examples: [
    'tradewright data export SPY > spy.csv',
    'tradewright data export SPY AGG --from 2015-01-01 --out prices.csv',
    'tradewright data export SPY AGG --format parquet --out prices.parquet',
  ],
  async run({ args, text, out, client, interrupted }) {
    const caller = client()
    const format = text('format')
    if (format !== undefined) {
      const [file, path] = recordsFile(args, format, text)
      out.progress(null, `Downloading ${file}`)
      const bytes = await writeChunks(file, caller.download(path, interrupted))
      out.result({ file, bytes }, () => [`Wrote ${bytes.toLocaleString('en-US')} bytes to ${file}.`])
      return EXIT.ok
    }
    if (text('as-of') !== undefined) throw usage('--as-of needs --format.')
    const { categories, date_range: stored } = await caller.call(getAvailableData, { signal: interrupted })
    if (categories.length === 0) throw new Failure(EXIT.negative, 'No data is stored yet.')
    const range = { from: dayOf('from', text('from') ?? stored.min), to: dayOf('to', text('to') ?? stored.max) }
    const granularity = text('granularity') as Selection['data_granularity']
    const tables: Table[] = []
    for (const [at, ticker] of args.entries()) {
      out.progress(at / args.length, `Reading ${ticker}`)
      const selection: Selection = {
        tickers: [ticker],
        categories,
        ...(granularity && { data_granularity: granularity }),
      }
      const parts = await tablesOf(caller, selection, range, interrupted)
      if (parts.length === 0) throw new Failure(EXIT.negative, `No data is stored for ${ticker} in this range.`)
      tables.push(...parts)
    }
    const file = text('out')
    const [document, csv] = [
      { rows: tables.flatMap(({ data }) => data), synthetic: isSynthetic(tables) },
      csvText(tables),
    ]
    if (file !== undefined) writeText(file, csv)
    if (out.json || file !== undefined) {
      const summary = `Wrote ${document.rows.length} rows to ${file}.`
      out.result(
        file === undefined ? document : { rows: document.rows.length, synthetic: document.synthetic, file },
        () => [summary],
      )
    } else out.raw(csv)
    if (document.synthetic) out.note('Synthetic data: some of these rows are made up by the sample market.')
    return EXIT.ok
  },
}

/** The file to write, and where the server has it. */
function recordsFile(
  tickers: readonly string[],
  format: string,
  text: (option: string) => string | undefined,
): [string, string] {
  if (!EXPORT_FORMATS.some((known) => known === format)) throw usage('--format must be parquet or csv.')
  const file = text('out')
  if (file === undefined) throw usage('--out is missing: which file should the records be written to?')
  if (text('granularity') !== undefined)
    throw usage('--granularity has no effect with --format: every record is written.')
  const query = new URLSearchParams({ format, tickers: tickers.join() })
  const filters = { start_date: text('from'), end_date: text('to'), as_of: text('as-of') }
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.set(name, value)
  return [file, `${DATA_EXPORT_PATH}?${query.toString()}`]
}

type Selection = z.input<NonNullable<typeof browseWithTransforms.body>>
type Table = z.output<typeof browseWithTransforms.answer>

interface Range {
  from: number
  to: number
}

const DAY_MS = 86_400_000
const dateText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

function dayOf(option: string, text: string | null): number {
  const at = Date.parse(`${text ?? ''}T00:00:00Z`)
  if (Number.isNaN(at)) throw usage(`--${option} must be a date of the form YYYY-MM-DD.`)
  return at / DAY_MS
}

/** One answer has at most 50,000 rows: a range that has more is read in halves. Days are inclusive. */
async function tablesOf(client: Client, selection: Selection, range: Range, signal: AbortSignal): Promise<Table[]> {
  const { from, to } = range
  const body = { ...selection, start_date: dateText(from), end_date: dateText(to) }
  try {
    return [await client.call(browseWithTransforms, { body, signal })]
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'transform.no-data') return []
    if (error.code !== 'transform.invalid' || from >= to) throw error
    const middle = Math.floor((from + to) / 2)
    const early = await tablesOf(client, selection, { from, to: middle }, signal)
    return [...early, ...(await tablesOf(client, selection, { from: middle + 1, to }, signal))]
  }
}

const isSynthetic = (tables: readonly Table[]): boolean => tables.some(({ synthetic }) => synthetic)

/** A bar in its usual order, then the rest as it comes. */
const BAR = ['open', 'high', 'low', 'close', 'volume']
const placeOf = (name: string): number => (BAR.includes(name) ? BAR.indexOf(name) : BAR.length)

function csvText(tables: readonly Table[]): string {
  const rows = tables.flatMap(({ data }) => data)
  const filled = new Set(rows.flatMap((row) => Object.keys(row).filter((name) => row[name] !== null)))
  const hasTickers = new Set(rows.map(({ ticker }) => ticker)).size > 1
  const named = [...new Set(tables.flatMap(({ columns }) => columns.map(({ name }) => name)))]
  const values = named
    .filter((name) => name !== 'ticker' && name !== 'timestamp' && filled.has(name))
    .toSorted((a, b) => placeOf(a) - placeOf(b))
  const isDaily = rows.every(({ timestamp }) => String(timestamp).endsWith('T00:00:00.000Z'))
  const cellOf = (row: Table['data'][number], name: string): Cell => {
    if (name === 'timestamp') return isDaily ? String(row[name]).slice(0, 10) : row[name]
    return name === 'ticker' ? plain(String(row[name])) : row[name]
  }
  const columns = [...(hasTickers ? ['ticker'] : []), 'timestamp', ...values]
  const head = columns.map((name) => (name === 'timestamp' ? 'date' : plain(name)))
  return csvOf([head, ...rows.map((row) => columns.map((name) => cellOf(row, name)))])
}
