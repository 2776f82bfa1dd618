import { BoundedNumberField } from '../../../ui/bounded-number-field.tsx'
import { SwitchField } from '../../../ui/switch-field.tsx'
import classes from './deploy-form.module.css'
import { FormSection } from './form-section.tsx'
import type { SectionProps } from './section-props.ts'

interface DeploymentOptionsProps extends SectionProps {
  /** An edit starts nothing. */
  withStart: boolean
}

export function DeploymentOptionsSection({ chosen: { form }, edit, withStart }: DeploymentOptionsProps) {
  return (
    <FormSection title="Deployment Options">
      {withStart && (
        <SwitchField
          label="Start Immediately"
          hint="Otherwise it is created and waits for Start"
          checked={form.autoStart}
          onChange={(autoStart) => edit({ autoStart })}
        />
      )}
      <SwitchField
        label="Dry run"
        hint="Everything but the order: decisions are made and logged, nothing is bought or sold"
        checked={form.dryRun}
        onChange={(dryRun) => edit({ dryRun })}
      />
      <div className={classes.row}>
        <BoundedNumberField
          label="Maximum daily loss"
          hint="Of one session; pauses the deployment. Empty means no limit"
          unit="%"
          min={0}
          max={100}
          placeholder="No limit"
          value={form.maxDailyLossPct}
          onChange={(maxDailyLossPct) => edit({ maxDailyLossPct })}
        />
        <BoundedNumberField
          label="Maximum drawdown"
          hint="Below its highest value, flows left out; empty means no limit"
          unit="%"
          min={0}
          max={100}
          placeholder="No limit"
          value={form.maxDrawdownPct}
          onChange={(maxDrawdownPct) => edit({ maxDrawdownPct })}
        />
      </div>
    </FormSection>
  )
}
