import { FITNESS_MODES, OPTIMIZER_LIMITS } from '@tradewright/contract/optimizer-form'
import { formatNumber } from '../../../lib/format.ts'
import classes from '../../../strategy-form/setup.module.css'
import { WindowFields } from '../../../strategy-form/windows/window-fields.tsx'
import { CheckField, NumberField, SelectField } from '../../../ui/form/fields.tsx'
import { fitnessFormula } from '../form/fitness.ts'
import type { EditProps } from '../form/form.ts'

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
