import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { checkWarnings } from './queries.ts'
import type { BacktestForm } from './form.ts'

const TYPING_PAUSE_MS = 600

/** The server's warnings about the form, asked for when the typing pauses. A form it would refuse warns of nothing. */
export function useWarnings(form: BacktestForm): readonly string[] {
  const [settled] = useDebouncedValue(form, TYPING_PAUSE_MS)
  const { data } = useQuery({
    queryKey: ['backtest warnings', settled],
    queryFn: ({ signal }) => checkWarnings(settled, signal),
    retry: false,
    // The answer belongs to these settings, and they are many.
    gcTime: 0,
  })
  return data ?? []
}
