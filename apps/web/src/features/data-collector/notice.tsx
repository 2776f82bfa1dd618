import { useCallback, useState } from 'react'
import { Banner, type MessageContent } from '../../ui/feedback/banner.tsx'
import { CallError, serverMessageOr, unreachableHint } from '../../lib/call-error.ts'
import { formatCount } from '../../lib/format.ts'

/** How long a notice stays, unless the pointer or the focus is on it. */
const SHOWN_MS = { success: 5_000, info: 5_000, error: 10_000 } as const

interface NoticeBannerProps {
  notice: (Notice & { id: number }) | null
  onClose: (id: number) => void
}

export function NoticeBanner({ notice, onClose }: NoticeBannerProps) {
  if (!notice) return null
  const { id, kind, text, detail } = notice
  return (
    <Banner
      key={id}
      kind={kind}
      text={text}
      detail={detail}
      onClose={() => onClose(id)}
      closeAfterMs={SHOWN_MS[kind]}
    />
  )
}

const SUCCEEDED = {
  createJob: 'Collection job created successfully!',
  updateJob: 'Collection job updated successfully!',
  deleteJob: 'Collection job deleted successfully!',
  deleteStore: 'Data store deleted successfully!',
  saveQuery: 'Query saved successfully!',
  deleteQuery: 'Query deleted successfully!',
  transform: 'Transform applied successfully!',
  generate: 'Provider generated successfully!',
  saveProvider: 'Provider saved successfully!',
  renameProvider: 'Provider renamed successfully!',
  deleteProvider: 'Provider deleted successfully!',
} as const

const FAILED = {
  load: 'Failed to load data collector information',
  runs: 'Failed to load runs',
  browse: 'Failed to browse data',
  createJob: 'Failed to create collection job',
  updateJob: 'Failed to update collection job',
  deleteJob: 'Failed to delete collection job',
  cancelRun: 'Failed to cancel the run',
  deleteStore: 'Failed to delete data store',
  clearStore: 'Failed to clear data store',
  quality: 'Failed to check the data quality',
  transform: 'Failed to apply transform',
  saveQuery: 'Failed to save query',
  deleteQuery: 'Failed to delete query',
  sec: 'Failed to fetch SEC tickers',
  generate: 'Failed to generate provider',
  tryProvider: 'Failed to try the provider',
  saveProvider: 'Failed to save provider',
  renameProvider: 'Failed to rename provider',
  deleteProvider: 'Failed to delete provider',
  import: 'Failed to import the file',
} as const

export const TRANSFORM_JOBS_READ_ONLY = 'Transform jobs are currently read-only in the UI.'
const RUN_CANCELLED = 'The run was cancelled. The data it had stored is kept.'
interface Selection {
  readonly tickers: readonly string[]
  readonly categories: readonly string[]
}

/** Everything that a transform view lacks, in the specification's sentences. */
export const missingForTransform = ({ tickers, categories }: Selection): string[] => [
  ...(tickers.length === 0 ? ['Please select at least one ticker for transform view'] : []),
  ...(categories.length === 0 ? ['Please select at least one category for transform view'] : []),
]

/** The same before the button is pressed, in one sentence; undefined where nothing is missing. */
export function transformNeeds({ tickers, categories }: Selection): string | undefined {
  const missing = [
    ...(tickers.length === 0 ? ['one ticker'] : []),
    ...(categories.length === 0 ? ['one category'] : []),
  ]
  return missing.length === 0 ? undefined : `Transform View needs at least ${missing.join(' and ')}.`
}

export const succeeded = (what: keyof typeof SUCCEEDED): Notice => ({ kind: 'success', text: SUCCEEDED[what] })

/** The server's own sentence, or ours where it gave none. */
export const failed = (what: keyof typeof FAILED, error: unknown): Notice => ({
  kind: 'error',
  text: serverMessageOr(error, FAILED[what]),
  detail: unreachableHint(error),
})

interface RunAnswer {
  records_fetched: number
  records_stored: number
  message: string
}

/** The second line is what the server adds to the counts (corrections, unknown tickers). */
export function runSucceeded({ records_fetched, records_stored, message }: RunAnswer): Notice {
  const counts = `fetched ${formatCount(records_fetched)} records, stored ${formatCount(records_stored)} records.`
  return { kind: 'success', text: `Job completed successfully! ${counts}`, detail: withoutCounts(message) }
}

/** What a run's message says beside its counts, which are shown on their own. */
export const withoutCounts = (message: string): string | null =>
  message.replace(/^Fetched [\d,]+ records, stored [\d,]+ records\.\s*/, '') || null

/** A run that reports no success, a request that failed, and a fault of our own read differently. */
export function runFailed(error: unknown): Notice {
  if (error instanceof CallError && error.code === 'job.cancelled') return { kind: 'info', text: RUN_CANCELLED }
  const text = serverMessageOr(error, runFallback(error))
  return { kind: 'error', text, detail: unreachableHint(error) }
}

function runFallback(error: unknown): string {
  if (!(error instanceof CallError)) return 'Failed to run job'
  return error.code === 'answer.shape' ? 'Job failed to run' : 'Failed to run collection job'
}

export type Notice = Pick<MessageContent, 'text' | 'detail'> & { kind: 'error' | 'success' | 'info' }
export type Tell = (notice: Notice) => void

/** One at a time, the newest. The same words twice are two notices: the second starts its own time. */
export function useNotice() {
  const [notice, setNotice] = useState<(Notice & { id: number }) | null>(null)
  const tell: Tell = useCallback((next) => setNotice((before) => ({ ...next, id: (before?.id ?? 0) + 1 })), [])
  /** With an id, only that notice: its time may end while the next one is on its way to the screen. */
  const dismiss = useCallback(
    (id?: number) => setNotice((now) => (id === undefined || now?.id === id ? null : now)),
    [],
  )
  return { notice, tell, dismiss }
}

/** The subject of a dialog stays until the next one opens, so that it does not change while it closes. */
export function useDialog<Subject>() {
  const [state, setState] = useState<{ isOpen: boolean; subject: Subject | null; times: number }>({
    isOpen: false,
    subject: null,
    times: 0,
  })
  return {
    ...state,
    open: (subject: Subject) => setState(({ times }) => ({ isOpen: true, subject, times: times + 1 })),
    close: () => setState((before) => ({ ...before, isOpen: false })),
  }
}
