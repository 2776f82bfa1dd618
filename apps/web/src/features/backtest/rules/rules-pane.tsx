import type { RuleProblem } from '@tradewright/contract/rules'
import { useMemo } from 'react'
import type { EditProps } from '../edit-props.ts'
import { useRuleProblems } from '../use-warnings.ts'
import { RulesEditor } from './rules-editor.tsx'

interface RulesPaneProps extends EditProps {
  /** What a run was refused for, or found out about the tree it ran. */
  refused: RulesRefusal | null
}

export interface RulesRefusal {
  /** The tree it is about: another one may have other problems. */
  readonly of: unknown
  readonly problems: readonly RuleProblem[]
  /** The card to go to. */
  readonly asked: { readonly path: string } | null
}

/** The editor of the form's rules, with what the server says about them. */
export function RulesPane({ form, edit, refused }: RulesPaneProps) {
  const checked = useRuleProblems(form)
  const own = refused?.of === form.rules ? refused.problems : undefined
  const problems = useMemo(() => [...checked, ...(own ?? [])], [checked, own])
  return (
    <RulesEditor
      name={form.strategyName}
      tree={form.rules}
      onChange={(rules) => edit({ rules })}
      problems={problems}
      asked={own ? refused!.asked : null}
    />
  )
}
