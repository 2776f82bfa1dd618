import { MODEL_TYPES } from '@tradewright/contract/backtests'
import { MAX_FEATURES_RF } from '@tradewright/contract/optimizer-form'
import classes from '../../../strategy-form/setup.module.css'
import { TickerRows } from '../../../strategy-form/ticker-rows.tsx'
import { NumberField, SelectField } from '../../../ui/fields.tsx'
import type { EditProps } from '../form.ts'

export function ModelSection({ form, edit }: EditProps) {
  return (
    <>
      <div className={classes.section}>
        <SelectField
          label="Model"
          value={form.mlModel}
          options={MODEL_TYPES}
          onChange={(mlModel) => edit({ mlModel })}
        />
        <div className={classes.row}>
          <NumberField
            label="Train size"
            unit="%"
            value={form.trainSize}
            onChange={(trainSize) => edit({ trainSize })}
          />
          <NumberField label="Test size" unit="%" value={form.testSize} onChange={(testSize) => edit({ testSize })} />
        </div>
        {form.walkForwardEnabled && <p className={classes.hint}>Walk-forward uses its own windows instead.</p>}
        <TickerRows
          title="Buy (signal 1)"
          rows={form.signal1Allocations}
          ifEmpty="100% of the target asset"
          onChange={(signal1Allocations) => edit({ signal1Allocations })}
        />
        <TickerRows
          title="Sell (signal 0)"
          rows={form.signal0Allocations}
          ifEmpty="Cash"
          onChange={(signal0Allocations) => edit({ signal0Allocations })}
        />
      </div>
      {form.mlModel === 'Random Forest' && <ForestSection form={form} edit={edit} />}
    </>
  )
}

/** The ranges are advice, not bounds. */
function ForestSection({ form, edit }: EditProps) {
  return (
    <div className={classes.section}>
      <fieldset className={classes.group}>
        <legend>Random Forest</legend>
        <div className={classes.row}>
          <NumberField
            label="Trees (n_estimators)"
            hint="10–500"
            value={form.nEstimators}
            onChange={(nEstimators) => edit({ nEstimators })}
          />
          <SelectField
            label="Max features (Random Forest)"
            hint="Per split"
            value={form.maxFeaturesRf}
            options={MAX_FEATURES_RF}
            onChange={(maxFeaturesRf) => edit({ maxFeaturesRf })}
          />
        </div>
        <div className={classes.row}>
          <NumberField
            label="Min samples leaf"
            hint="1–50"
            value={form.minSamplesLeaf}
            onChange={(minSamplesLeaf) => edit({ minSamplesLeaf })}
          />
          <NumberField
            label="Min samples split"
            hint="2–100"
            value={form.minSamplesSplit}
            onChange={(minSamplesSplit) => edit({ minSamplesSplit })}
          />
        </div>
      </fieldset>
    </div>
  )
}
