import type { UseQueryResult } from '@tanstack/react-query'
import { formatMoment } from '../../lib/format-time.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { sentenceOf } from './messages.ts'

/** Over figures that could not be asked for anew: "Healthy" was true when it was read, not for ever. */
export function StaleBanner({ query }: { query: Pick<UseQueryResult, 'failureReason' | 'dataUpdatedAt'> }) {
  const { failureReason, dataUpdatedAt } = query
  if (!failureReason) return null
  const readAt = formatMoment(new Date(dataUpdatedAt).toISOString(), 'seconds')
  return <Banner kind="warning" text={`These figures are from ${readAt}.`} detail={sentenceOf(failureReason)} />
}
