import { Problem } from '@tradewright/core/problem'

/** Names the file by its path within the store: users must not learn where the store lies on this server. */
export const damagedFile = (path: string, cause?: unknown): Problem =>
  new Problem('unavailable', 'store.damaged', `The data store has a damaged file: ${path}.`, { cause })

const DISK_FULL = /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded|file size limit|EFBIG|File too large/i

export const isDiskFull = (error: unknown): boolean => error instanceof Error && DISK_FULL.test(error.message)

/** `from`: since when it is known what the store held. */
export function unknownMoment(store: string, at: number, from: Date | undefined): Problem {
  const since = from ? `keeps its history since ${instantText(from)}` : 'keeps no history'
  const sentence = `The data store "${store}" ${since}: what it held on ${instantText(new Date(at))} is not known.`
  return new Problem('invalid', 'store.history', sentence)
}

const instantText = (instant: Date): string => `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`

export const tooManyPastRecords = (records: number, most: number): Problem =>
  new Problem(
    'too-large',
    'store.history-size',
    `As of an earlier moment, up to ${most.toLocaleString('en')} records can be listed at once, and this asks for up to ${records.toLocaleString('en')}. Choose tickers, categories or dates.`,
  )

/** The sentence for a failed write of the operating system or of DuckDB. */
export function writeFailure(error: unknown, store: string): unknown {
  if (error instanceof Problem || !(error instanceof Error)) return error
  if (isDiskFull(error)) {
    const sentence = `There is no room left for the data store "${store}". Nothing of this write was stored; what was there before is unharmed.`
    return new Problem('unavailable', 'store.disk-full', sentence, { cause: error })
  }
  if (/EACCES|EROFS|EPERM|Permission denied|Read-only file system/i.test(error.message)) {
    const sentence = `The data store "${store}" cannot be written to.`
    return new Problem('unavailable', 'store.not-writable', sentence, { cause: error })
  }
  return error
}
