import { saveFormats } from '@tradewright/contract/formats'
import { CLOCKS, DATE_FORMATS, EXCHANGE_ZONE, NUMBER_FORMATS } from '@tradewright/core/formats'
import { useMutation } from '@tanstack/react-query'
import { serverMessageOr } from '../../../lib/call-error.ts'
import { formatMoney, choosePlaces, DEFAULT_PLACES, type Places, places, toFormats } from '../../../lib/format.ts'
import { formatMoment } from '../../../lib/format-time.ts'
import { call } from '../../../lib/http.ts'
import { dropAllAnswers } from '../../../lib/browser-storage.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { useNow } from '../../../ui/feedback/use-now.ts'
import { SelectField } from '../../../ui/form/fields.tsx'
import { CardSection } from '../../../ui/layout/card.tsx'
import { SettingsSection } from '../settings-section.tsx'
import classes from './formats.module.css'

const byExample = (list: readonly { id: string; example: string }[]) =>
  list.map(({ id, example }) => ({ value: id, label: example }))

/** Kept with the account. The page is loaded again, so that every screen has the new formats. */
export function FormatsSection() {
  const now = useNow()
  const chosen = places()
  const save = useMutation({
    mutationFn: (next: Places) => call(saveFormats, { body: toFormats(next) }),
    onSuccess: (_, next) => {
      choosePlaces(next)
      // Their sentences are in the old formats.
      dropAllAnswers()
      window.location.hash = 'formats'
      window.location.reload()
    },
  })
  const choose = (change: Partial<Record<keyof Places, string>>) => save.mutate({ ...chosen, ...change } as Places)
  return (
    <SettingsSection
      id="formats"
      hint="How numbers, dates and times read on every screen, wherever you sign in. Trading hours and statements stay on the exchange's clock."
    >
      <CardSection>
        <div className={classes.fields}>
          <SelectField
            label="Numbers"
            options={byExample(NUMBER_FORMATS)}
            value={chosen.numbers}
            onChange={(numbers) => choose({ numbers })}
          />
          <SelectField
            label="Dates"
            options={byExample(DATE_FORMATS)}
            value={chosen.dates}
            onChange={(dates) => choose({ dates })}
          />
          <SelectField
            label="Clock"
            options={byExample(CLOCKS)}
            value={chosen.clock}
            onChange={(clock) => choose({ clock })}
          />
          <SelectField
            label="Time zone"
            options={zones(chosen.timeZone)}
            value={chosen.timeZone}
            onChange={(timeZone) => choose({ timeZone })}
          />
        </div>
        {save.error && <Banner kind="error" text={serverMessageOr(save.error, 'Failed to save the formats')} />}
        <p className={classes.example}>
          {formatMoney(-1234.56)} · {formatMoment(new Date(now).toISOString())}
        </p>
      </CardSection>
    </SettingsSection>
  )
}

/** The exchange's first, then the browser's, then all others. */
function zones(chosen: string) {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  const names = [own, ...new Set(['UTC', chosen, ...Intl.supportedValuesOf('timeZone')])]
  const rest = [...new Set(names)].filter((name) => name !== EXCHANGE_ZONE)
  return [
    { value: DEFAULT_PLACES.timeZone, label: "The exchange's (New York)" },
    ...rest.map((name) => ({ value: name, label: name === own ? `${name} (this device)` : name })),
  ]
}
