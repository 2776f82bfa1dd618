import { kindNamed } from '@tradewright/core/strategy-kinds'
import { BoundedNumberField } from '../../../../ui/form/fields/bounded-number-field.tsx'
import { ChoiceField, TextField } from '../../../../ui/form/fields.tsx'
import classes from '../deploy-form.module.css'
import { HOLDOUT_BOUNDS } from '../form-rules.ts'
import type { SectionProps } from '../section-props.ts'

const MODES = { 'Full range': 'full_range', Holdout: 'holdout' } as const
const MODE_WORDS = ['Full range', 'Holdout'] as const

const SCHEDULES = { 'Each walk-forward step': 'walk_forward', Never: 'never' } as const
const SCHEDULE_WORDS = ['Each walk-forward step', 'Never'] as const

export function TrainingMode({ chosen: { form }, edit }: SectionProps) {
  return (
    <ChoiceField
      label="Training mode"
      value={form.trainingMode === 'holdout' ? 'Holdout' : 'Full range'}
      options={MODE_WORDS}
      onChange={(word) => edit({ trainingMode: MODES[word] })}
    />
  )
}

export function TrainingFields(props: SectionProps) {
  const { form, strategy } = props.chosen
  return (
    <>
      {strategy?.walk_forward && <RetrainingSchedule {...props} />}
      {form.retrainingSchedule === 'never' && <TrainingRange {...props} />}
      <p className={classes.note}>{trainingNote(props.chosen)}</p>
    </>
  )
}

/** Shown only for a strategy whose backtest refits its model: what was not tested is not offered. */
function RetrainingSchedule({ chosen: { form }, edit }: SectionProps) {
  return (
    <ChoiceField
      label="Retraining"
      value={form.retrainingSchedule === 'walk_forward' ? 'Each walk-forward step' : 'Never'}
      options={SCHEDULE_WORDS}
      onChange={(word) => edit({ retrainingSchedule: SCHEDULES[word] })}
    />
  )
}

function TrainingRange({ chosen: { form }, edit }: SectionProps) {
  const isHoldout = form.trainingMode === 'holdout'
  return (
    <div className={classes.row}>
      {isHoldout && (
        <BoundedNumberField
          label="Holdout train size"
          unit="%"
          {...HOLDOUT_BOUNDS}
          step={1}
          isClamped
          value={form.holdoutTrainSize}
          onChange={(holdoutTrainSize) => edit({ holdoutTrainSize })}
        />
      )}
      {isHoldout && <span className={classes.gap} />}
      <TextField
        label="Training start date"
        type="date"
        value={form.trainingStartDate}
        onChange={(trainingStartDate) => edit({ trainingStartDate })}
      />
      <TextField
        label="Training end date"
        type="date"
        value={form.trainingEndDate}
        onChange={(trainingEndDate) => edit({ trainingEndDate })}
      />
    </div>
  )
}

function trainingNote({ form, strategy }: SectionProps['chosen']): string {
  const { untrained } = kindNamed(strategy?.strategy_type)
  if (untrained !== undefined) return untrained
  if (form.retrainingSchedule === 'walk_forward') {
    return 'A new model is trained at each step of the strategy’s walk-forward backtest, on the window that the backtest would take.'
  }
  return form.trainingMode === 'holdout'
    ? 'The model is trained on the first part of the range only.'
    : 'The model is trained on all rows of the range up to now.'
}
