import type { CheckFrequency } from '@tradewright/core/rules/tree'
import { type StrategyKindId, strategyKindOf, type StrategyType } from '@tradewright/core/strategy-kinds'
import type { ReactNode } from 'react'
import classes from '../../strategy-form/setup.module.css'
import { AllocationSetup } from './portfolios/portfolio-fields.tsx'
import { ExternalSetup } from './external/external-setup.tsx'
import type { EditProps } from './form/edit-props.ts'
import type { BacktestForm } from './form/form.ts'
import { MlSetup } from './ml-setup.tsx'

interface SetupProps extends EditProps {
  onConstruct: () => void
}

/** What the screen shows of a kind of strategy. */
interface KindOnScreen {
  readonly setup: (props: SetupProps) => ReactNode
  /** Its part of the set-up in one line; none where the period says enough. */
  readonly summary?: (form: BacktestForm) => string
}

const CHECK_WORDS: Readonly<Record<CheckFrequency, string>> = {
  bar: 'checked at every bar',
  daily: 'checked daily',
  weekly: 'checked weekly',
  monthly: 'checked monthly',
  quarterly: 'checked quarterly',
  yearly: 'checked yearly',
}

const KINDS: Readonly<Record<StrategyKindId, KindOnScreen>> = {
  allocation: { setup: (props) => <AllocationSetup {...props} /> },
  ml: {
    setup: ({ form, edit }) => <MlSetup form={form} edit={edit} />,
    summary: ({ walkForwardEnabled, mlModelType }) => (walkForwardEnabled ? 'walk-forward on' : mlModelType),
  },
  rules: {
    setup: () => (
      <p className={classes.beside}>
        The rules are edited as cards under Rules, beside this column or on a phone in its place. Costs and order fills
        are under Advanced.
      </p>
    ),
    summary: ({ rules }) => CHECK_WORDS[rules.check],
  },
  external: {
    setup: ({ form, edit }) => <ExternalSetup form={form} edit={edit} />,
    summary: ({ external }) => `${external.allocations.length} allocations`,
  },
}

export const kindOnScreen = (type: StrategyType): KindOnScreen => KINDS[strategyKindOf(type)]
