import { NumberField } from '../../ui/form/fields.tsx'
import { automaticStepPct, type NumberText } from '../form-values.ts'
import classes from '../setup.module.css'
import { WindowsChart } from './windows-chart.tsx'

interface WindowForm {
  walkForwardEnabled: boolean
  wfTrainWindowPct: NumberText
  wfTestWindowPct: NumberText
  wfStepSizePct: NumberText
}

interface WindowFieldsProps {
  form: WindowForm
  edit: (change: Partial<Omit<WindowForm, 'walkForwardEnabled'>>) => void
  hint?: string
}

/** Train window, test window and step of walk-forward, drawn as steps; off while walk-forward is. */
export function WindowFields({ form, edit, hint }: WindowFieldsProps) {
  const isOn = form.walkForwardEnabled
  const automatic = automaticStepPct(form.wfTestWindowPct)
  return (
    <>
      <div className={classes.row}>
        <NumberField
          label="Train window"
          term="train window"
          unit="%"
          disabled={!isOn}
          value={form.wfTrainWindowPct}
          onChange={(wfTrainWindowPct) => edit({ wfTrainWindowPct })}
        />
        <NumberField
          label="Test window"
          term="test window"
          unit="%"
          disabled={!isOn}
          value={form.wfTestWindowPct}
          onChange={(wfTestWindowPct) => edit({ wfTestWindowPct })}
        />
        <NumberField
          label="Step size"
          term="step size"
          unit="%"
          min={1}
          max={100}
          placeholder={automatic === null ? 'Auto' : `Auto, ${automatic}%`}
          disabled={!isOn}
          value={form.wfStepSizePct}
          onChange={(wfStepSizePct) => edit({ wfStepSizePct })}
        />
      </div>
      {hint && <p className={classes.hint}>{hint}</p>}
      {isOn && (
        <WindowsChart
          trainPct={Number(form.wfTrainWindowPct)}
          testPct={Number(form.wfTestWindowPct)}
          stepPct={form.wfStepSizePct === '' ? automatic : Number(form.wfStepSizePct)}
        />
      )}
    </>
  )
}
