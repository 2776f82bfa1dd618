import { Button } from '@mantine/core'
import type { RuleProblem } from '@tradewright/contract/rules'
import { useMemo } from 'react'
import type { EditProps } from '../form/edit-props.ts'
import { HeldCard } from '../results/decisions/held-card.tsx'
import { answerWords } from '../results/decisions/decisions.ts'
import type { StudioResult } from '../answer/studio-result.ts'
import { todayUtc } from '../../../strategy-form/dates.ts'
import { useRuleProblems } from '../use-warnings.ts'
import { isSameTree } from './exchange.ts'
import { RulesEditor } from './rules-editor.tsx'
import classes from './rules.module.css'

interface RulesPaneProps extends EditProps {
  /** What a run was refused for, or found out about the tree it ran. */
  refused: RulesRefusal | null
  /** The result on show, for its answers; null without one. */
  result: StudioResult | null
  isRunning: boolean
  onRun: () => void
  onStudy: () => void
}

export interface RulesRefusal {
  /** The tree it is about: another one may have other problems. */
  readonly of: unknown
  readonly problems: readonly RuleProblem[]
  /** The card to go to. */
  readonly asked: { readonly path: string } | null
}

/** The editor of the form's rules, with what the server says about them. */
export function RulesPane({ form, edit, refused, result, isRunning, onRun, onStudy }: RulesPaneProps) {
  const checked = useRuleProblems(form)
  const own = refused?.of === form.rules ? refused.problems : undefined
  const problems = useMemo(() => [...checked, ...(own ?? [])], [checked, own])
  // Rules that were changed since may hold something else: what the run said is not said of them.
  const section = result?.rules
  const ran = useMemo(() => (section && isSameTree(section.tree, form.rules) ? section : null), [section, form.rules])
  const answers = useMemo(() => (ran ? answerWords(ran) : NO_ANSWERS), [ran])
  return (
    <>
      <RulesEditor
        name={form.strategyName}
        tree={form.rules}
        onChange={(rules) => edit({ rules })}
        onStudy={onStudy}
        problems={problems}
        asked={own ? refused!.asked : null}
        answers={answers}
        aside={ran && result && <HeldCard rules={ran} isCurrent={isFresh(result.actual_end_date)} />}
      />
      <div className={classes.run}>
        <Button fullWidth disabled={isRunning} onClick={onRun}>
          {isRunning ? 'Running...' : 'Run backtest'}
        </Button>
      </div>
    </>
  )
}

const NO_ANSWERS: ReturnType<typeof answerWords> = new Map()

/** Over a long weekend the last bar is some days old. */
const FRESH_DAYS = 7
const DAY_MS = 86_400_000
const isFresh = (date: string): boolean => Date.parse(todayUtc()) - Date.parse(date) <= FRESH_DAYS * DAY_MS
