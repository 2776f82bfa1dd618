import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { RuleProblem } from '@tradewright/contract/rules'
import { checkForm } from './queries.ts'
import type { BacktestForm } from './form/form.ts'

const TYPING_PAUSE_MS = 600

/** The server's word on the form, asked for when the typing pauses. */
function useFormCheck(form: BacktestForm) {
  const [settled] = useDebouncedValue(form, TYPING_PAUSE_MS)
  const { data } = useQuery({
    queryKey: ['backtest warnings', settled],
    queryFn: ({ signal }) => checkForm(settled, signal),
    retry: false,
    // The answer belongs to these settings, and they are many.
    gcTime: 0,
  })
  return { check: data ?? null, settled }
}

/** A form the server would refuse warns of nothing. */
export function useWarnings(form: BacktestForm): readonly string[] {
  return useFormCheck(form).check?.warnings ?? NONE
}

/** What the server finds wrong with the blocks of the rules as they are now. */
export function useRuleProblems(form: BacktestForm): readonly RuleProblem[] {
  const { check, settled } = useFormCheck(form)
  return settled.rules === form.rules ? (check?.rule_problems ?? NONE) : NONE
}

const NONE: readonly never[] = []
