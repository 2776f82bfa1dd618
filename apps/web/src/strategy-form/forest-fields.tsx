import type { ReactNode } from 'react'
import { NumberField } from '../ui/form/fields.tsx'
import type { NumberText } from './form-values.ts'
import classes from './setup.module.css'

interface ForestForm {
  nEstimators: NumberText
  minSamplesLeaf: NumberText
  minSamplesSplit: NumberText
}

interface ForestFieldsProps {
  legend: string
  /** How each screen's specification writes a range. */
  range: (from: number, to: number) => string
  form: ForestForm
  edit: (change: Partial<ForestForm>) => void
  /** The choice of features per split, which each screen names and offers in its own way. */
  maxFeatures: ReactNode
}

const USUAL_TREES = 500

/** The ranges are advice, not bounds. */
export function ForestFields({ legend, range, form, edit, maxFeatures }: ForestFieldsProps) {
  return (
    <fieldset className={classes.group}>
      <legend>{legend}</legend>
      <div className={classes.row}>
        <NumberField
          label="Trees (n_estimators)"
          hint={range(10, USUAL_TREES)}
          value={form.nEstimators}
          onChange={(nEstimators) => edit({ nEstimators })}
        />
        {maxFeatures}
      </div>
      {Number(form.nEstimators) > USUAL_TREES && (
        <p className={classes.hint}>
          More than {USUAL_TREES} trees take longer to train; the result depends less on the seed.
        </p>
      )}
      <div className={classes.row}>
        <NumberField
          label="Min samples leaf"
          hint={range(1, 50)}
          value={form.minSamplesLeaf}
          onChange={(minSamplesLeaf) => edit({ minSamplesLeaf })}
        />
        <NumberField
          label="Min samples split"
          hint={range(2, 100)}
          value={form.minSamplesSplit}
          onChange={(minSamplesSplit) => edit({ minSamplesSplit })}
        />
      </div>
    </fieldset>
  )
}
