import { EVALUATION_METRICS } from '@tradewright/contract/optimizer-form'
import classes from '../../../strategy-form/setup.module.css'
import { CheckField, NumberField, SelectField } from '../../../ui/form/fields.tsx'
import type { EditProps } from '../form/form.ts'

export function SearchSection({ form, edit }: EditProps) {
  return (
    <div className={classes.section}>
      <fieldset className={classes.group}>
        <legend>Genetic algorithm</legend>
        <div className={classes.row}>
          <NumberField
            label="Population size"
            term="population size"
            hint="2 to 500"
            value={form.populationSize}
            onChange={(populationSize) => edit({ populationSize })}
          />
          <NumberField
            label="Generations"
            term="generation"
            hint="1 to 200"
            value={form.generations}
            onChange={(generations) => edit({ generations })}
          />
        </div>
        <div className={classes.row}>
          <NumberField
            label="Mutation rate"
            term="mutation rate"
            hint="0 to 1"
            min={0}
            max={1}
            step={0.01}
            value={form.mutationRate}
            onChange={(mutationRate) => edit({ mutationRate })}
          />
          <NumberField
            label="Max features"
            hint="Per individual"
            value={form.maxFeatures}
            onChange={(maxFeatures) => edit({ maxFeatures })}
          />
        </div>
        <SelectField
          label="Evaluation metric"
          hint="The metric that the search maximises"
          value={form.evaluationMetric}
          options={EVALUATION_METRICS}
          onChange={(evaluationMetric) => edit({ evaluationMetric })}
        />
        <div className={classes.row}>
          <NumberField
            label="Hold-out"
            term="hold-out"
            hint="Withheld from the search"
            unit="%"
            value={form.holdOutPct}
            onChange={(holdOutPct) => edit({ holdOutPct })}
          />
          <NumberField
            label="Seed"
            term="seed"
            hint="Same seed, same winner"
            value={form.seed}
            onChange={(seed) => edit({ seed })}
          />
        </div>
      </fieldset>
    </div>
  )
}

export function EarlyStoppingSection({ form, edit }: EditProps) {
  const isOff = !form.earlyStopping
  return (
    <div className={classes.section}>
      <CheckField
        label="Early stopping"
        hint="Ends the run when the best fitness no longer improves"
        checked={form.earlyStopping}
        onChange={(earlyStopping) => edit({ earlyStopping })}
      />
      <div className={classes.row}>
        <NumberField
          label="Patience"
          hint="Generations"
          disabled={isOff}
          value={form.esPatience}
          onChange={(esPatience) => edit({ esPatience })}
        />
        <NumberField
          label="Min improvement"
          hint="Of the best fitness"
          step={0.001}
          disabled={isOff}
          value={form.esMinImprovement}
          onChange={(esMinImprovement) => edit({ esMinImprovement })}
        />
      </div>
    </div>
  )
}
