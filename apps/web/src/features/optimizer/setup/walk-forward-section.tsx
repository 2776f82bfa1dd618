import { FITNESS_MODES } from '@tradewright/contract/optimizer-form'
import classes from '../../../strategy-form/setup.module.css'
import { WindowFields } from '../../../strategy-form/window-fields.tsx'
import { CheckField, NumberField, SelectField } from '../../../ui/form/fields.tsx'
import { fitnessFormula } from '../fitness.ts'
import type { EditProps } from '../form.ts'

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
          hint="0.5 to 5.0"
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
