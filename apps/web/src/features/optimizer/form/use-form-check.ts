import { checkOptimization } from '@tradewright/contract/optimizer'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { CallError } from '../../../lib/call-error.ts'
import { formatCount } from '../../../lib/format.ts'
import { type AnswerOf, call } from '../../../lib/http.ts'
import type { OptimizerForm } from './form.ts'
import { toRequest } from './form-request.ts'
import { refusalOf, warningsOf } from './form-warnings.ts'

const TYPING_PAUSE_MS = 600

interface FormCheck {
  /** How large the search would be. */
  readonly size: string | null
  /** Why the server would refuse it. */
  readonly refusal: string | null
}

/** The server's check of the form, asked for when the typing pauses; nothing while it is not complete. */
export function useFormCheck(form: OptimizerForm): FormCheck {
  const [settled] = useDebouncedValue(form, TYPING_PAUSE_MS)
  const isComplete = warningsOf(settled).length === 0 && refusalOf(settled) === null
  const { data, error } = useQuery({
    queryKey: ['optimization check', settled],
    queryFn: ({ signal }) => call(checkOptimization, { body: toRequest(settled, '', []), signal }),
    enabled: isComplete,
    retry: false,
    // The answer belongs to these settings, and they are many.
    gcTime: 0,
  })
  return { size: data ? sizeOf(data) : null, refusal: data?.problems[0] ?? refusalIn(error) }
}

type Size = Pick<AnswerOf<typeof checkOptimization>, 'candidate_features' | 'most_evaluations'>

/** Null where the request would be refused. */
export function sizeOf({ candidate_features: candidates, most_evaluations: evaluations }: Size): string | null {
  if (candidates === null || evaluations === null) return null
  const features = candidates === 1 ? '1 feature' : `${formatCount(candidates)} features`
  return `${features} to choose from, up to ${formatCount(evaluations)} sets tried.`
}

/** Only what the server said about the form: a network that is away says nothing about it. */
export function refusalIn(error: unknown): string | null {
  return error instanceof CallError && error.status === 400 ? error.serverMessage : null
}
