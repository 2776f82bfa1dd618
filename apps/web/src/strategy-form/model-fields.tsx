import { Button } from '@mantine/core'
import { modelLabelled } from '@tradewright/core/model-catalogue'
import type { ReactNode } from 'react'
import { CheckField, NumberField } from '../ui/form/fields.tsx'
import { type BoostingForm, isRecommended, recommendedFor, type TreesForm } from './model-settings.ts'
import classes from './setup.module.css'

interface ModelFieldsProps {
  /** The label of the model. */
  model: string
  legend: string
  /** How each screen's specification writes a range. */
  range: (from: number, to: number) => string
  form: TreesForm & BoostingForm
  edit: (change: Partial<TreesForm & BoostingForm>) => void
  /** The choice of features per split, which each screen names and offers in its own way. */
  maxFeatures: ReactNode
}

const USUAL_TREES = 500

/** The settings of a model that has any, and the recommended ones with one click. The ranges are advice, not bounds. */
export function ModelFields(props: ModelFieldsProps) {
  const kind = modelLabelled(props.model)?.settings ?? 'none'
  if (kind === 'none') return null
  return (
    <div className={classes.section}>
      <Recommended {...props} kind={kind} />
      <fieldset className={classes.group}>
        <legend>{props.legend}</legend>
        {kind === 'trees' ? <TreesFields {...props} /> : <BoostingFields {...props} />}
      </fieldset>
    </div>
  )
}

/** Figures of the experiment in docs/method.md. */
const WHAT_CHANGES = {
  trees: 'Recommended: leaves of 5% of the training rows. 54% right instead of 51% where 55% can be.',
  rounds: 'Recommended: small trees, and only as many as help. 54% right instead of 51% where 55% can be.',
}

function Recommended({ model, kind, form, edit }: ModelFieldsProps & { kind: 'trees' | 'rounds' }) {
  const isInUse = isRecommended(model, form)
  return (
    <div className={classes.recommended}>
      <p className={classes.hint}>{WHAT_CHANGES[kind]}</p>
      <Button variant="default" size="compact-sm" disabled={isInUse} onClick={() => edit(recommendedFor(model))}>
        {isInUse ? 'Recommended settings in use' : 'Use recommended settings'}
      </Button>
    </div>
  )
}

function BoostingFields({ range, form, edit }: ModelFieldsProps) {
  return (
    <>
      <div className={classes.row}>
        <NumberField
          label={form.findRounds ? 'Rounds at most' : 'Rounds'}
          hint={range(50, 500)}
          value={form.boostingRounds}
          onChange={(boostingRounds) => edit({ boostingRounds })}
        />
        <NumberField
          label="Depth of a tree"
          hint={range(1, 6)}
          value={form.maxDepth}
          onChange={(maxDepth) => edit({ maxDepth })}
        />
      </div>
      <div className={classes.row}>
        <NumberField
          label="Learning rate"
          hint={range(0.01, 0.3)}
          step={0.01}
          value={form.learningRate}
          onChange={(learningRate) => edit({ learningRate })}
        />
        <NumberField
          label="Leaf share of rows"
          hint="0 to 0.5"
          step={0.01}
          value={form.minLeafShare}
          onChange={(minLeafShare) => edit({ minLeafShare })}
        />
      </div>
      <CheckField
        label="Find the number of rounds on purged folds"
        checked={form.findRounds}
        onChange={(findRounds) => edit({ findRounds })}
      />
    </>
  )
}

function TreesFields({ range, form, edit, maxFeatures }: ModelFieldsProps) {
  const leaf = Number(form.minSamplesLeaf)
  return (
    <>
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
          hint={leaf > 0 && leaf < 1 ? `${Number((100 * leaf).toPrecision(3))}% of the training rows` : range(1, 50)}
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
    </>
  )
}
