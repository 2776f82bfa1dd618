import { BoundedNumberField } from '../../../ui/form/bounded-number-field.tsx'
import { ChoiceField, TextField } from '../../../ui/form/fields.tsx'
import classes from './deploy-form.module.css'
import { HOLDOUT_BOUNDS } from './form-rules.ts'
import type { SectionProps } from './section-props.ts'

const MODES = { 'Full range': 'full_range', Holdout: 'holdout' } as const
const MODE_WORDS = ['Full range', 'Holdout'] as const

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

export function TrainingFields({ chosen: { form, strategy }, edit }: SectionProps) {
  const isHoldout = form.trainingMode === 'holdout'
  return (
    <>
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
      <p className={classes.note}>
        {strategy?.strategy_type === 'Asset Allocation'
          ? 'An Asset Allocation strategy makes no predictions, so no model is trained.'
          : isHoldout
            ? 'The model is trained on the first part of the range only.'
            : 'The model is trained on all rows of the range up to now.'}
      </p>
    </>
  )
}
