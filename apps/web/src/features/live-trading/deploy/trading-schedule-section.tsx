import { IconAlertTriangle } from '@tabler/icons-react'
import { CHECK_FREQUENCY_MINUTES, MINUTES_BEFORE_CLOSE, TRADING_DAYS } from '@tradewright/contract/live-trading-fields'
import { CheckField, ChoiceField, SelectField } from '../../../ui/form/fields.tsx'
import classes from './deploy-form.module.css'
import { isDaily } from './draft.ts'
import { scheduleWarning, timingNote, timingWarning } from './form-rules.ts'
import { FormSection } from './form-section.tsx'
import type { SectionProps } from './section-props.ts'

const TYPES = { Continuous: 'continuous', 'End of day': 'end_of_day' } as const

export function TradingScheduleSection({ chosen, edit }: SectionProps) {
  const { form, strategy } = chosen
  const warnings = [scheduleWarning(form, isDaily(strategy)), timingWarning(form, strategy, isDaily(strategy))].filter(
    (warning) => warning !== null,
  )
  const note = timingNote(form, strategy, isDaily(strategy))
  return (
    <FormSection title="Trading Schedule" hint="Market hours are 9:30 AM to 4:00 PM ET">
      <FrequencyFields chosen={chosen} edit={edit} />
      <ChoiceField
        label="Trading hours"
        value={form.bypassMarketHours ? '24/7 Trading' : 'Market Hours Only'}
        options={['Market Hours Only', '24/7 Trading'] as const}
        onChange={(word) => edit({ bypassMarketHours: word === '24/7 Trading' })}
      />
      <fieldset className={classes.group}>
        <legend>Trading days</legend>
        <div className={classes.checks}>
          {TRADING_DAYS.map((day) => (
            <CheckField
              key={day}
              label={day}
              checked={form.tradingDays.includes(day)}
              onChange={(isOn) =>
                edit({
                  tradingDays: TRADING_DAYS.filter((one) => (one === day ? isOn : form.tradingDays.includes(one))),
                })
              }
            />
          ))}
        </div>
      </fieldset>
      {note && <p className={classes.note}>{note}</p>}
      {warnings.map((warning) => (
        <p className={classes.warning} key={warning}>
          <IconAlertTriangle size={15} stroke={1.8} aria-hidden />
          {warning}
        </p>
      ))}
    </FormSection>
  )
}

function FrequencyFields({ chosen: { form }, edit }: SectionProps) {
  const isEndOfDay = form.tradingFrequencyType === 'end_of_day'
  return (
    <div className={classes.row}>
      <ChoiceField
        label="Trading frequency"
        term="trading frequency"
        value={isEndOfDay ? 'End of day' : 'Continuous'}
        options={['Continuous', 'End of day'] as const}
        onChange={(word) => edit({ tradingFrequencyType: TYPES[word] })}
      />
      {isEndOfDay ? (
        <SelectField
          label="Minutes before close"
          value={form.minutesBeforeClose}
          options={minuteOptions(MINUTES_BEFORE_CLOSE, form.minutesBeforeClose)}
          onChange={(minutesBeforeClose) => edit({ minutesBeforeClose })}
        />
      ) : (
        <SelectField
          label="Check frequency"
          value={form.checkFrequencyMinutes}
          options={minuteOptions(CHECK_FREQUENCY_MINUTES, form.checkFrequencyMinutes)}
          onChange={(checkFrequencyMinutes) => edit({ checkFrequencyMinutes })}
        />
      )}
    </div>
  )
}

/** A deployment made by a call may have other minutes than the form offers. */
function minuteOptions(offered: readonly number[], current: string) {
  const values = offered.map(String)
  return (values.includes(current) ? values : [...values, current]).map((value) => ({
    value,
    label: `${value} minutes`,
  }))
}
