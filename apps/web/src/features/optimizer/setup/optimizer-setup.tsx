import { Button } from '@mantine/core'
import { IconPlayerPlayFilled } from '@tabler/icons-react'
import type { OptimizationRunItem } from '@tradewright/contract/optimization-run'
import { formatDateRange } from '../../../lib/format-time.ts'
import { SettingsForm } from '../../../ui/form/settings-form.tsx'
import type { EditProps, OptimizerForm } from '../form/form.ts'
import { warningsOf } from '../form/form-warnings.ts'
import type { Message } from '../messages.ts'
import { AssetsSection } from './assets-section.tsx'
import { FeaturesSection } from './features-section.tsx'
import { ModelSection } from './model-section.tsx'
import { PeriodSection } from './period-section.tsx'
import { EarlyStoppingSection, SearchSection } from './search-section.tsx'
import { SeedsSection } from './seeds-section.tsx'
import { NestedSection, WalkForwardSection } from './walk-forward-section.tsx'
import { WarningList } from './warning-list.tsx'
import { useFormCheck } from '../form/use-form-check.ts'
import classes from './form-check.module.css'

interface OptimizerSetupProps extends EditProps {
  runs: readonly OptimizationRunItem[]
  isRunning: boolean
  /** A result is on show, whose own button is the one to press next. */
  hasResults: boolean
  onRun: () => void
  onStartOver: () => void
  tell: (message: Message | null) => void
}

export function OptimizerSetup(props: OptimizerSetupProps) {
  const { form, edit, runs, isRunning, hasResults, onRun, onStartOver, tell } = props
  const warnings = warningsOf(form)
  return (
    <SettingsForm
      label="Optimizer configuration"
      isBelowTabs
      onSubmit={() => warnings.length === 0 && !isRunning && onRun()}
      summary={summaryOf(form)}
      aside={
        <Button variant="subtle" color="gray" size="compact-xs" disabled={isRunning} onClick={onStartOver}>
          Start over
        </Button>
      }
      foot={
        <>
          <WarningList label="Before the run" warnings={warnings} />
          {warnings.length === 0 && !isRunning && <FormCheck form={form} />}
          <Button
            type="submit"
            fullWidth
            size="md"
            variant={hasResults ? 'default' : 'filled'}
            disabled={isRunning || warnings.length > 0}
            {...(isRunning ? {} : { leftSection: <IconPlayerPlayFilled size={14} aria-hidden /> })}
          >
            {isRunning ? 'Running...' : 'Run optimization'}
          </Button>
        </>
      }
    >
      <AssetsSection form={form} edit={edit} tell={tell} />
      <FeaturesSection form={form} edit={edit} />
      <PeriodSection form={form} edit={edit} />
      <SearchSection form={form} edit={edit} />
      <ModelSection form={form} edit={edit} />
      <WalkForwardSection form={form} edit={edit} />
      <NestedSection form={form} edit={edit} />
      <EarlyStoppingSection form={form} edit={edit} />
      <SeedsSection form={form} edit={edit} runs={runs} tell={tell} />
    </SettingsForm>
  )
}

/** The set-up in one line. */
function summaryOf(form: OptimizerForm): string {
  const period = formatDateRange(form.startDate, form.endDate)
  return `${period} · ${form.populationSize} × ${form.generations} · ${form.evaluationMetric}`
}

/** Before Run is pressed: how large the search would be, or the sentence with which it would be refused. */
function FormCheck({ form }: { form: OptimizerForm }) {
  const { size, refusal } = useFormCheck(form)
  return (
    <div aria-live="polite">
      {refusal !== null && <WarningList label="This cannot run yet" warnings={[refusal]} />}
      {size !== null && <p className={`${classes.size} tabular`}>{size}</p>}
    </div>
  )
}
