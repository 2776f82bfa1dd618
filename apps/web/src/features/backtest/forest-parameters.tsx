import { NumberField, SelectField } from '../../ui/fields.tsx'
import type { EditProps } from './edit-props.ts'
import classes from '../../strategy-form/setup.module.css'

const MAX_FEATURES = ['sqrt', 'log2', 'auto', 'all']

/** The ranges are advice, not bounds. */
export function ForestParameters({ form, edit }: EditProps) {
  const others = MAX_FEATURES.includes(form.maxFeatures) ? [] : [form.maxFeatures]
  return (
    <fieldset className={classes.group}>
      <legend>Random Forest parameters</legend>
      <div className={classes.row}>
        <NumberField
          label="Trees (n_estimators)"
          hint="10 to 500"
          value={form.nEstimators}
          onChange={(nEstimators) => edit({ nEstimators })}
        />
        <SelectField
          label="Max features"
          hint="Per split"
          value={form.maxFeatures}
          options={[...MAX_FEATURES, ...others]}
          onChange={(maxFeatures) => edit({ maxFeatures })}
        />
      </div>
      <div className={classes.row}>
        <NumberField
          label="Min samples leaf"
          hint="1 to 50"
          value={form.minSamplesLeaf}
          onChange={(minSamplesLeaf) => edit({ minSamplesLeaf })}
        />
        <NumberField
          label="Min samples split"
          hint="2 to 100"
          value={form.minSamplesSplit}
          onChange={(minSamplesSplit) => edit({ minSamplesSplit })}
        />
      </div>
    </fieldset>
  )
}
