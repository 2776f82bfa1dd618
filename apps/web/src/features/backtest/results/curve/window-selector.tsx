import type { WalkForwardWindow } from '@tradewright/contract/backtest-walk-forward'
import { SelectField } from '../../../../ui/form/fields.tsx'
import { formatBarDay, formatBarDays } from '../bar-date.ts'
import type { WindowChoice } from '../view.ts'
import classes from './window-selector.module.css'

interface WindowSelectorProps {
  windows: readonly WalkForwardWindow[]
  choice: WindowChoice
  onChange: (choice: WindowChoice) => void
}

/** More windows than this leave no room for their dates. */
const MAX_CHIPS = 8

/** Chips where there is room, a select where there is not; both say the same. */
export function WindowSelector({ windows, choice, onChange }: WindowSelectorProps) {
  const choose = (value: string) => onChange(value === 'overall' ? 'overall' : Number(value))
  return (
    <div className={classes.selector} data-many={windows.length > MAX_CHIPS}>
      <fieldset className={classes.chips}>
        <legend>Window</legend>
        <Chip value="overall" choice={choice} onChoose={choose} title="Overall" text={`${windows.length} windows`} />
        {windows.map(({ window_num, test_start, test_end }) => (
          <Chip
            key={window_num}
            value={window_num}
            choice={choice}
            onChoose={choose}
            title={`Window ${window_num}`}
            text={`${formatBarDay(test_start)} –`}
            secondText={formatBarDay(test_end)}
          />
        ))}
      </fieldset>
      <div className={classes.select}>
        <SelectField
          label="Window"
          value={String(choice)}
          options={[
            { value: 'overall', label: `Overall, ${windows.length} windows` },
            ...windows.map(({ window_num, test_start, test_end }) => ({
              value: String(window_num),
              label: `Window ${window_num}, ${formatBarDays(test_start, test_end)}`,
            })),
          ]}
          onChange={choose}
        />
      </div>
    </div>
  )
}

interface ChipProps {
  value: WindowChoice
  choice: WindowChoice
  onChoose: (value: string) => void
  title: string
  text: string
  /** Below the first, since two full dates are wider than a chip. */
  secondText?: string
}

/** A real radio button, so the arrow keys move between windows. */
function Chip({ value, choice, onChoose, title, text, secondText }: ChipProps) {
  return (
    <label className={classes.chip} data-chosen={value === choice}>
      <input
        type="radio"
        name="result-window"
        value={value}
        checked={value === choice}
        onChange={(event) => onChoose(event.currentTarget.value)}
      />
      <b>{title}</b>
      <span className="tabular">{text}</span>
      {secondText && <span className="tabular">{secondText}</span>}
    </label>
  )
}
