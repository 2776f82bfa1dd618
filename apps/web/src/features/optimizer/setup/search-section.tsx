import { EVALUATION_METRICS, FITNESS_MODES, OPTIMIZER_LIMITS } from '@tradewright/contract/optimizer-form'
import classes from '../../../strategy-form/setup.module.css'
import { CheckField, NumberField, SelectField } from '../../../ui/form/fields.tsx'
import { type EditProps, fitnessFormula } from '../form/form.ts'
import { formatNumber } from '../../../lib/format.ts'
import { WindowFields } from '../../../strategy-form/windows/window-fields.tsx'

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

const { nested_windows } = OPTIMIZER_LIMITS

export function WalkForwardSection({ form, edit }: EditProps) {
  const isOn = form.walkForwardEnabled
  return (
    <div className={classes.section}>
      <CheckField
        label="Walk-forward"
        term="walk-forward"
        hint="Scores every individual on several time windows"
        checked={isOn}
        onChange={(walkForwardEnabled) => edit({ walkForwardEnabled })}
      />
      <WindowFields form={form} edit={edit} />
      <FitnessFields form={form} edit={edit} />
    </div>
  )
}

/** Another way to test the search itself; its cost is said before it is paid. */
export function NestedSection({ form, edit }: EditProps) {
  const isOff = !form.nestedWalkForward
  const windows = Number(form.nestedWindows)
  return (
    <div className={classes.section}>
      <CheckField
        label="Nested walk-forward"
        term="nested walk-forward"
        hint="Repeats the whole search before each of several windows"
        checked={form.nestedWalkForward}
        onChange={(nestedWalkForward) => edit({ nestedWalkForward })}
      />
      <NumberField
        label="Windows"
        hint={`${nested_windows.min} to ${nested_windows.max}, over the second half of the period`}
        min={nested_windows.min}
        max={nested_windows.max}
        disabled={isOff}
        value={form.nestedWindows}
        onChange={(nestedWindows) => edit({ nestedWindows })}
      />
      {!isOff && Number.isInteger(windows) && windows >= nested_windows.min && (
        <p className={classes.hint}>
          {windows + 1} searches instead of one: the run takes up to {windows + 1} times as long.
        </p>
      )}
    </div>
  )
}

function FitnessFields({ form, edit }: EditProps) {
  const isOff = !form.walkForwardEnabled
  return (
    <>
      <SelectField
        label="Fitness mode"
        term="fitness mode"
        hint={isOff ? 'Requires walk-forward: a single window has no dispersion' : fitnessFormula(form.wfFitnessMode)}
        disabled={isOff}
        value={form.wfFitnessMode}
        options={FITNESS_MODES}
        onChange={(wfFitnessMode) => edit({ wfFitnessMode })}
      />
      <div className={classes.row}>
        <NumberField
          label="Variance penalty"
          hint="0 to 1"
          min={0}
          max={1}
          step={0.1}
          disabled={isOff}
          value={form.variancePenalty}
          onChange={(variancePenalty) => edit({ variancePenalty })}
        />
        <NumberField
          label="Variance exponent"
          hint={`${formatNumber(0.5, { decimals: 1 })} to ${formatNumber(5, { decimals: 1 })}`}
          min={0.5}
          max={5}
          step={0.1}
          disabled={isOff}
          value={form.varianceExponent}
          onChange={(varianceExponent) => edit({ varianceExponent })}
        />
      </div>
    </>
  )
}
