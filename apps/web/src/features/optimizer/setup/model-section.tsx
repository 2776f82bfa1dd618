import { MAX_FEATURES_RF } from '@tradewright/contract/optimizer-form'
import { modelLabels } from '@tradewright/core/model-catalogue'
import { ModelFields } from '../../../strategy-form/model-fields.tsx'
import classes from '../../../strategy-form/setup.module.css'
import { SplitFields } from '../../../strategy-form/split-fields.tsx'
import { TickerRows } from '../../../strategy-form/tickers/ticker-rows.tsx'
import { SelectField } from '../../../ui/form/fields.tsx'
import type { EditProps } from '../form/form.ts'

export function ModelSection({ form, edit }: EditProps) {
  return (
    <>
      <div className={classes.section}>
        <SelectField
          label="Model"
          value={form.mlModel}
          options={modelLabels}
          onChange={(mlModel) => edit({ mlModel })}
        />
        <SplitFields form={form} edit={edit} />
        <TickerRows
          title="Buy (signal 1)"
          rows={form.signal1Allocations}
          ifEmpty="100% of the target asset"
          onChange={(signal1Allocations) => edit({ signal1Allocations })}
        />
        <TickerRows
          title="Sell (signal 0)"
          isCashLeg
          rows={form.signal0Allocations}
          ifEmpty="Cash"
          onChange={(signal0Allocations) => edit({ signal0Allocations })}
        />
      </div>
      <ModelParameters form={form} edit={edit} />
    </>
  )
}

function ModelParameters({ form, edit }: EditProps) {
  return (
    <ModelFields
      model={form.mlModel}
      legend={form.mlModel}
      range={(from, to) => `${from}–${to}`}
      form={form}
      edit={edit}
      maxFeatures={
        <SelectField
          label="Max features (RF)"
          hint="Per split"
          value={form.maxFeaturesRf}
          options={MAX_FEATURES_RF}
          onChange={(maxFeaturesRf) => edit({ maxFeaturesRf })}
        />
      }
    />
  )
}
