import { IconAlertCircle, IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import type { TickerValidation } from '@tradewright/contract/live-trading-fields'
import { TickerField } from '../../../../strategy-form/tickers/ticker-field.tsx'
import classes from './ticker-mapping.module.css'
import { FormSection } from '../form-section.tsx'
import type { SectionProps } from '../section-props.ts'
import { isCash, leverageOf } from '../signal-ticker.ts'
import { useTickerValidation } from './use-ticker-validation.ts'

export function TickerMappingSection({ chosen: { form }, edit }: SectionProps) {
  const signals = Object.keys(form.tickerMapping)
  return (
    <FormSection
      title="Trading Ticker Mapping"
      hint="The ticker that is traded for each ticker of the signal. Leverage comes from the mapped ticker or from account margin."
    >
      {signals.length === 0 && <p className={classes.empty}>Select a strategy to map its tickers.</p>}
      <ul className={classes.rows}>
        {signals.map((signal) => (
          <li key={signal}>
            {isCash(signal) ? (
              <CashRow signal={signal} />
            ) : (
              <MappingRow
                accountId={form.accountId}
                signal={signal}
                trading={form.tickerMapping[signal] ?? ''}
                onChange={(trading) => edit({ tickerMapping: { ...form.tickerMapping, [signal]: trading } })}
              />
            )}
          </li>
        ))}
      </ul>
    </FormSection>
  )
}

function CashRow({ signal }: { signal: string }) {
  return (
    <div className={classes.row}>
      <span className={classes.signal}>{signal}</span>
      <span className={classes.held}>Held as cash, not traded</span>
    </div>
  )
}

interface MappingRowProps {
  accountId: string
  signal: string
  trading: string
  onChange: (trading: string) => void
}

function MappingRow({ accountId, signal, trading, onChange }: MappingRowProps) {
  const validation = useTickerValidation(accountId, signal, trading)
  const leverage = leverageOf(signal)
  return (
    <div className={classes.row}>
      <span className={classes.signal}>
        {signal}
        {leverage !== 1 && <small>{leverage}× leverage</small>}
      </span>
      <TickerField
        hasNote={false}
        label={`Trading ticker for ${signal}`}
        hideLabel
        value={trading}
        placeholder="Trading ticker"
        onChange={(typed) => onChange(typed.toUpperCase())}
      />
      <output className={classes.status}>{validation && <ValidationStatus validation={validation} />}</output>
    </div>
  )
}

function ValidationStatus({ validation }: { validation: TickerValidation }) {
  const { valid, error, warning, max_leverage } = validation
  if (!valid) {
    return (
      <span className={classes.invalid}>
        <IconAlertCircle size={14} stroke={1.8} aria-hidden />
        {error ?? 'Validation failed'}
      </span>
    )
  }
  return (
    <>
      <span className={classes.valid}>
        <IconCircleCheck size={14} stroke={1.8} aria-hidden />
        {`Valid (Max: ${max_leverage}x)`}
      </span>
      {warning && (
        <span className={classes.warning}>
          <IconAlertTriangle size={14} stroke={1.8} aria-hidden />
          {warning}
        </span>
      )}
    </>
  )
}
