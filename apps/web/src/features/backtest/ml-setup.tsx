import { Button } from '@mantine/core'
import { modelLabels } from '@tradewright/core/model-catalogue'
import { SelectField } from '../../ui/form/fields.tsx'
import type { EditProps } from './form/edit-props.ts'
import { FeaturePicker } from './feature-picker.tsx'
import { starterMl } from './form/starter-form.ts'
import { useFeatures, useTargets } from '../../strategy-form/queries.ts'
import classes from '../../strategy-form/setup.module.css'
import { plainTicker } from '../../strategy-form/form-values.ts'
import { SplitFields } from '../../strategy-form/split-fields.tsx'
import { TargetPicker } from '../../strategy-form/target-picker.tsx'
import { TickerRows } from '../../strategy-form/tickers/ticker-rows.tsx'
import { ModelFields } from '../../strategy-form/model-fields.tsx'
import { recommendedFor } from '../../strategy-form/model-settings.ts'

export function MlSetup({ form, edit }: EditProps) {
  return (
    <>
      <div className={classes.section}>
        <SelectField
          label="Model type"
          term="model type"
          value={form.mlModelType}
          options={modelLabels}
          onChange={(mlModelType) => edit({ mlModelType })}
        />
        <SplitFields form={form} edit={edit} />
      </div>
      <div className={classes.section}>
        <StarterSet form={form} edit={edit} />
        <FeaturePicker chosen={form.features} onChange={(features) => edit({ features })} />
        <TargetPicker chosen={form.target} onChange={(target) => edit({ target })} />
      </div>
      <div className={classes.section}>
        <TickerRows
          title="Buy (signal 1)"
          rows={form.signal1Allocations}
          onChange={(signal1Allocations) => edit({ signal1Allocations })}
        />
        <TickerRows
          title="Sell (signal 0)"
          isCashLeg
          rows={form.signal0Allocations}
          onChange={(signal0Allocations) => edit({ signal0Allocations })}
        />
      </div>
      <ModelParameters form={form} edit={edit} />
    </>
  )
}

/** For a first run: nothing is chosen yet, and a model needs both. */
function StarterSet({ form, edit }: EditProps) {
  const features = useFeatures().data
  const targets = useTargets().data
  if (form.features.length > 0 || !features || !targets) return null
  const ticker = form.signal1Allocations.find((row) => row.ticker.trim() !== '')?.ticker ?? 'SPY'
  const add = () => {
    const starter = starterMl(features, targets, plainTicker(ticker).replace(/\?.*/, ''))
    edit({ ...starter, ...recommendedFor(form.mlModelType), target: form.target ?? starter.target })
  }
  return (
    <div className={classes.offer}>
      <span className={classes.hint}>
        New here? Five common features, the next bar’s direction as the target, and the recommended settings.
      </span>
      <Button variant="default" size="compact-sm" onClick={add}>
        Add a starter set
      </Button>
    </div>
  )
}

const MAX_FEATURES = ['sqrt', 'log2', 'auto', 'all']

function ModelParameters({ form, edit }: EditProps) {
  const others = MAX_FEATURES.includes(form.maxFeatures) ? [] : [form.maxFeatures]
  return (
    <ModelFields
      model={form.mlModelType}
      legend={`${form.mlModelType} parameters`}
      range={(from, to) => `${from} to ${to}`}
      form={form}
      edit={edit}
      maxFeatures={
        <SelectField
          label="Max features"
          hint="Per split"
          value={form.maxFeatures}
          options={[...MAX_FEATURES, ...others]}
          onChange={(maxFeatures) => edit({ maxFeatures })}
        />
      }
    />
  )
}
