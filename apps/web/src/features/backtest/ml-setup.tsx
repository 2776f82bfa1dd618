import { hasTreeSettings, modelLabels } from '@tradewright/core/model-catalogue'
import { SelectField } from '../../ui/form/fields.tsx'
import type { EditProps } from './edit-props.ts'
import { FeaturePicker } from './feature-picker.tsx'
import { ForestParameters } from './forest-parameters.tsx'
import classes from '../../strategy-form/setup.module.css'
import { SplitFields } from '../../strategy-form/split-fields.tsx'
import { TargetPicker } from '../../strategy-form/target-picker.tsx'
import { TickerRows } from '../../strategy-form/ticker-rows.tsx'

export function MlSetup({ form, edit }: EditProps) {
  return (
    <>
      <div className={classes.section}>
        <SelectField
          label="Model type"
          value={form.mlModelType}
          options={modelLabels}
          onChange={(mlModelType) => edit({ mlModelType })}
        />
        <SplitFields form={form} edit={edit} />
      </div>
      <div className={classes.section}>
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
      {hasTreeSettings(form.mlModelType) && (
        <div className={classes.section}>
          <ForestParameters form={form} edit={edit} />
        </div>
      )}
    </>
  )
}
