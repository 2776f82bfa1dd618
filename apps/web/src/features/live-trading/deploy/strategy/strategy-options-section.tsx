import { IconAlertTriangle } from '@tabler/icons-react'
import { DEPLOYMENT_REBALANCE_FREQUENCIES } from '@tradewright/contract/live-trading-fields'
import type { ReactNode } from 'react'
import { BoundedNumberField } from '../../../../ui/form/fields/bounded-number-field.tsx'
import { SelectField } from '../../../../ui/form/fields.tsx'
import classes from '../deploy-form.module.css'
import { FormSection } from '../form-section.tsx'
import { rebalancingWarning } from '../form-rules.ts'
import type { SectionProps } from '../section-props.ts'
import { TrainingFields, TrainingMode } from './training-fields.tsx'

interface StrategyOptionsProps extends SectionProps {
  /** The capital fields of a new deployment, or what an edit says in their place. */
  capital: ReactNode
}

export function StrategyOptionsSection({ chosen, edit, capital }: StrategyOptionsProps) {
  const { form, strategy } = chosen
  const warning = rebalancingWarning(form, strategy)
  return (
    <FormSection title="Strategy Options">
      {capital}
      <div className={classes.row}>
        <BoundedNumberField
          label="Buying power forgiveness"
          term="buying power forgiveness"
          hint="An order may be reduced by up to this much when buying power falls short"
          unit="%"
          min={0}
          max={100}
          step={0.1}
          isClamped
          value={form.buyingPowerForgivenessPct}
          onChange={(buyingPowerForgivenessPct) => edit({ buyingPowerForgivenessPct })}
        />
        <BoundedNumberField
          label="Rebalance threshold"
          term="rebalance band"
          hint="Weights may drift this far before they are rebalanced; 0 means no tolerance"
          unit="%"
          min={0}
          max={50}
          step={0.1}
          isClamped
          value={form.rebalanceThreshold}
          onChange={(rebalanceThreshold) => edit({ rebalanceThreshold })}
        />
        <SelectField
          label="Rebalance frequency"
          term="rebalancing"
          value={form.rebalanceFrequency}
          options={DEPLOYMENT_REBALANCE_FREQUENCIES}
          onChange={(chosenFrequency) =>
            edit({
              rebalanceFrequency:
                DEPLOYMENT_REBALANCE_FREQUENCIES.find((frequency) => frequency === chosenFrequency) ??
                form.rebalanceFrequency,
            })
          }
        />
        {form.retrainingSchedule === 'never' && <TrainingMode chosen={chosen} edit={edit} />}
      </div>
      {warning && (
        <p className={classes.warning}>
          <IconAlertTriangle size={15} stroke={1.8} aria-hidden />
          {warning}
        </p>
      )}
      <TrainingFields chosen={chosen} edit={edit} />
    </FormSection>
  )
}
