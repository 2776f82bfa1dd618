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
  const isFirstRelease = query.get('output_type') === '4'
  if (isFirstRelease && KNOWN[id] === 'daily') return refusal('The number of vintage dates exceeds 2000.')
  const sent = rows(
    id,
    dateOf(query.get('observation_start') ?? ''),
    dateOf(query.get('observation_end') ?? ''),
    now,
    '.',
  )
  const today = formatDate(epochDayOf(now))
  const observations = spoil(sent, fault).map(({ day, value }) => ({
    realtime_start: isFirstRelease ? formatDate(Math.max(publicationDay(day), ARCHIVE_START)) : today,
    realtime_end: isFirstRelease ? '9999-12-31' : today,
    date: formatDate(day),
    value,
  }))
  const offset = Number(query.get('offset') ?? 0)
  const limit = Math.min(Number(query.get('limit') ?? 100_000), options.pageSize ?? 100_000)
  return {
    body: { count: observations.length, offset, limit, observations: observations.slice(offset, offset + limit) },
  }
}
