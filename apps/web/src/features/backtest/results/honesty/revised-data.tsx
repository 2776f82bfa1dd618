import { Button } from '@mantine/core'
import { type BacktestRevisions, getBacktestRevisions } from '@tradewright/contract/backtests'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../../lib/http.ts'
import { formatCount } from '../../../../lib/format.ts'
import { formatDate, formatExact } from '../../../../lib/format-time.ts'
import { Banner } from '../../../../ui/feedback/banner.tsx'
import { useNow } from '../../../../ui/feedback/use-now.ts'
import type { StudioResult } from '../../answer/studio-result.ts'

/** Data that was read a moment ago is not compared with itself. */
const MIN_AGE_MS = 10 * 60_000
const MAX_NAMED = 4

interface RevisedDataProps {
  resultId: number
  result: StudioResult
  isRunning: boolean
  /** Runs again with the data of today. */
  onRunAgain: () => void
}

/** A result stays as it was computed: where its data was corrected since, its reader is told and may run it again. */
export function RevisedData({ resultId, result, isRunning, onRunAgain }: RevisedDataProps) {
  const { data_at: dataAt, is_as_of: isAsOf } = result
  const now = useNow()
  const isOld = dataAt !== null && now - Date.parse(dataAt) > MIN_AGE_MS
  const revisions = useQuery({
    queryKey: ['backtest revisions', resultId],
    queryFn: ({ signal }) => call(getBacktestRevisions, { params: { id: String(resultId) }, signal }),
    enabled: isOld,
    staleTime: MIN_AGE_MS,
    retry: false,
  })
  if (dataAt === null) return null
  const found = revisions.data && sentenceOf(revisions.data)
  if (!isAsOf && found === undefined) return null
  const asOf = `This result uses what the data store held on ${formatExact(dataAt)}.`
  return (
    <Banner
      kind={found === undefined ? 'info' : 'warning'}
      text={isAsOf ? asOf : found!}
      {...detailOf(revisions.data, isAsOf ? found : undefined)}
      action={
        <Button variant="default" disabled={isRunning} onClick={onRunAgain}>
          Run with today’s data
        </Button>
      }
    />
  )
}

const wasOrWere = (count: number): string => (count === 1 ? 'was' : 'were')

/** Undefined where nothing differs, or nothing can be told. */
function sentenceOf({ reason, values, revised, removed, added }: BacktestRevisions): string | undefined {
  if (reason !== null || revised + removed + added === 0) return undefined
  const parts = [
    ...(revised + removed > 0
      ? [
          `${formatCount(revised + removed)} of ${formatCount(values)} values ${wasOrWere(revised + removed)} revised since this was computed`,
        ]
      : []),
    ...(added > 0
      ? [`${formatCount(added)} ${added === 1 ? 'value' : 'values'} of its period ${wasOrWere(added)} added later`]
      : []),
  ]
  return `${parts.join(', and ')}.`
}

function detailOf(revisions: BacktestRevisions | undefined, found: string | undefined): { detail?: string } {
  const named = (revisions?.series ?? []).slice(0, MAX_NAMED).map(({ ticker, revised, removed, added, first_date }) => {
    const count = formatCount(revised + removed + added)
    return `${ticker} ${count}, the first of ${formatDate(first_date)}`
  })
  const more = (revisions?.series.length ?? 0) - named.length
  const list = [...named, ...(more > 0 ? [`${more} more series`] : [])].join('; ')
  const text = [found, list && `${list}.`].filter(Boolean).join(' ')
  return text === '' ? {} : { detail: text }
}
