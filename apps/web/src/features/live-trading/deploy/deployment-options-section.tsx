import { BoundedNumberField } from '../../../ui/form/fields/bounded-number-field.tsx'
import { SwitchField } from '../../../ui/form/fields/choice-fields.tsx'
import classes from './deploy-form.module.css'
import { FormSection } from './form-section.tsx'
import type { SectionProps } from './section-props.ts'

/** Shown for a new deployment only: an edit starts nothing. */
export function StartField({ chosen: { form }, edit }: SectionProps) {
  return (
    <SwitchField
      label="Start Immediately"
      hint={
        form.autoStart
          ? 'The first check follows its schedule; Check now on its card makes one at once'
          : 'Otherwise it is created stopped, until you start it'
      }
      checked={form.autoStart}
      onChange={(autoStart) => edit({ autoStart })}
    />
  )
}

export function DeploymentOptionsSection({ chosen: { form }, edit }: SectionProps) {
  return (
    <FormSection title="Deployment Options">
      <SwitchField
        label="Dry run"
        hint="Decisions are made and logged, but no orders are sent"
        checked={form.dryRun}
        onChange={(dryRun) => edit({ dryRun })}
      />
      <div className={classes.row}>
        <BoundedNumberField
          label="Maximum daily loss"
          term="maximum daily loss"
          hint="Per session; pauses the deployment. Leave empty for no limit"
          unit="%"
          min={0}
          max={100}
          placeholder="No limit"
          value={form.maxDailyLossPct}
          onChange={(maxDailyLossPct) => edit({ maxDailyLossPct })}
        />
        <BoundedNumberField
          label="Maximum drawdown"
          term="maximum drawdown"
          hint="From its highest value, without contributions and withdrawals; leave empty for no limit"
          unit="%"
          min={0}
          max={100}
          placeholder="No limit"
          value={form.maxDrawdownPct}
          onChange={(maxDrawdownPct) => edit({ maxDrawdownPct })}
        />
      </div>
      <SwitchField
        label="Sell when a limit is broken"
        hint={
          form.sellsOnLoss
            ? 'Stops, cancels open orders and sells everything'
            : 'Off: it pauses and keeps what it holds'
        }
        checked={form.sellsOnLoss}
        onChange={(sellsOnLoss) => edit({ sellsOnLoss })}
      />
    </FormSection>
  )
}
