import {
  civilDate,
  dateOf,
  dayStamp,
  type EpochDay,
  epochDayOf,
  formatDate,
  toEpochDay,
  weekday,
} from '@tradewright/core/time'
import { madeUpValue } from './made-up-market.ts'
import { type DataFault, type StandIn, startStandIn, type StandInAnswer, type StandInRequest } from './stand-in.ts'

type Days = 'monthly' | 'daily'

const KNOWN: Readonly<Record<string, Days>> = { CPIAUCSL: 'monthly', UNRATE: 'monthly', DGS10: 'daily' }

/** Never published, because of a government shutdown. */
const MISSING_MONTH = dateOf('2025-10-01')

/** Vintages are kept from here on; what was known before has this date as its first one. */
const ARCHIVE_START = dateOf('2021-01-15')

/** A month is published on the 12th of the next one. */
const publicationDay = (day: EpochDay): EpochDay => {
  const { year, month } = civilDate(day)
  return toEpochDay(month === 12 ? year + 1 : year, month === 12 ? 1 : month + 1, 12)
}

/** Quarter ends are revised with each of the next two months, as payrolls and output are. */
const REVISIONS = [0.1, 0.05, 0]

interface MadeUpRelease {
  readonly released: EpochDay
  readonly value: number
}

/** What an observation was published as, oldest first; the last one is what the series shows today. */
export function madeUpReleases(seriesId: string, day: EpochDay): MadeUpRelease[] {
  const latest = madeUpValue(seriesId, dayStamp(day))
  const isRevised = civilDate(day).month % 3 === 0
  return (isRevised ? REVISIONS : [0]).map((off, revision) => ({
    released: publicationDay(monthsAfter(day, revision)),
    value: Math.round((latest + off) * 1000) / 1000,
  }))
}

function monthsAfter(day: EpochDay, months: number): EpochDay {
  const { year, month } = civilDate(day)
  return toEpochDay(year + Math.floor((month - 1 + months) / 12), ((month - 1 + months) % 12) + 1, 1)
}

export interface FredStandInOptions {
  readonly apiKey?: string
  readonly legacyCsv?: boolean
  /** Answers in pages of this size, whatever is asked for. */
  readonly pageSize?: number
}

/** Both of FRED's interfaces: the API with a key, and the CSV behind its graphs without one. */
export function startFredStandIn(now: () => number, options: FredStandInOptions = {}): Promise<StandIn> {
  return startStandIn('fred', (request, fault) => {
    if (request.path === '/graph/fredgraph.csv') return csv(request, options, now(), fault)
    if (request.path === '/fred/series/observations') return json(request, options, now(), fault)
    return { status: 404, body: '<html><body>Not Found</body></html>' }
  })
}

const refusal = (text: string): StandInAnswer => ({
  status: 400,
  body: { error_code: 400, error_message: `Bad Request.  ${text}` },
})

interface Row {
  readonly day: EpochDay
  readonly value: string
}

function rows(seriesId: string, from: EpochDay, last: EpochDay, now: number, missing: string): Row[] {
  const found: Row[] = []
  for (let day = from; day <= Math.min(last, epochDayOf(now)); day++) {
    const isDue =
      KNOWN[seriesId] === 'monthly'
        ? civilDate(day).day === 1 && publicationDay(day) <= epochDayOf(now)
        : weekday(day) % 6 !== 0
    if (!isDue || (KNOWN[seriesId] === 'daily' && day >= epochDayOf(now))) continue
    const isMissing = day === MISSING_MONTH || (KNOWN[seriesId] === 'daily' && formatDate(day).endsWith('-12-25'))
    found.push({ day, value: isMissing ? missing : String(madeUpValue(seriesId, dayStamp(day))) })
  }
  return found
}

function spoil(sent: Row[], fault: DataFault | undefined): Row[] {
  const at = sent.length - 8
  if (fault === 'nan') return sent.map((row, i) => (i === at ? { ...row, value: 'NaN' } : row))
  if (fault === 'time-runs-backwards')
    return sent.map((row, i) => (i === at ? { ...row, day: sent[at - 2]!.day } : row))
  return sent
}

function csv(
  { query }: StandInRequest,
  { legacyCsv }: FredStandInOptions,
  now: number,
  fault: DataFault | undefined,
): StandInAnswer {
  const id = query.get('id') ?? ''
  if (!KNOWN[id]) return { status: 404, body: '<html><body>Page not found</body></html>' }
  const sent = rows(id, dateOf(query.get('cosd') ?? ''), dateOf(query.get('coed') ?? ''), now, legacyCsv ? '.' : '')
  const lines = spoil(sent, fault).map(({ day, value }) => `${formatDate(day)},${value}`)
  return { body: [`${legacyCsv ? 'DATE' : 'observation_date'},${id}`, ...lines, ''].join('\n') }
}

function json(
  { query }: StandInRequest,
  options: FredStandInOptions,
  now: number,
  fault: DataFault | undefined,
): StandInAnswer {
  const id = query.get('series_id') ?? ''
  if (!query.has('api_key')) return refusal('Variable api_key is not set.')
  if (query.get('api_key') !== options.apiKey) return refusal('The value for variable api_key is not registered.')
  if (!KNOWN[id]) return refusal('The series does not exist.')
  const isEveryVintage = query.get('realtime_start') === '1776-07-04' && query.get('realtime_end') === '9999-12-31'
  if (isEveryVintage && KNOWN[id] === 'daily') return refusal('The number of vintage dates exceeds 2000.')
  const sent = rows(
    id,
    dateOf(query.get('observation_start') ?? ''),
    dateOf(query.get('observation_end') ?? ''),
    now,
    '.',
  )
  const today = formatDate(epochDayOf(now))
  const observations = spoil(sent, fault).flatMap((row) =>
    isEveryVintage
      ? vintagesOf(id, row, epochDayOf(now))
      : [{ realtime_start: today, realtime_end: today, date: formatDate(row.day), value: row.value }],
  )
  const offset = Number(query.get('offset') ?? 0)
  const limit = Math.min(Number(query.get('limit') ?? 100_000), options.pageSize ?? 100_000)
  return {
    body: {
      realtime_start: query.get('realtime_start') ?? today,
      realtime_end: query.get('realtime_end') ?? today,
      observation_start: query.get('observation_start'),
      observation_end: query.get('observation_end'),
      units: 'lin',
      output_type: 1,
      file_type: 'json',
      order_by: 'observation_date',
      sort_order: 'asc',
      count: observations.length,
      offset,
      limit,
      observations: observations.slice(offset, offset + limit),
    },
  }
}

/** By real-time period: a row for each value, with the days on which it was the current one. */
function vintagesOf(seriesId: string, { day, value }: Row, today: EpochDay) {
  const isPublished = value !== '.' && value !== 'NaN'
  const releases = madeUpReleases(seriesId, day).filter(({ released }) => released <= today)
  return releases.flatMap(({ released, value: published }, i) => {
    const next = releases[i + 1]?.released
    // What was replaced before the archive began is in no vintage.
    if (next !== undefined && next <= ARCHIVE_START) return []
    return [
      {
        realtime_start: formatDate(Math.max(released, ARCHIVE_START)),
        realtime_end: next === undefined ? '9999-12-31' : formatDate(next - 1),
        date: formatDate(day),
        value: isPublished ? String(published) : value,
      },
    ]
  })
}
