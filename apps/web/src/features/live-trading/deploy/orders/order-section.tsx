import { IconAlertTriangle, IconChevronRight } from '@tabler/icons-react'
import { EXECUTION_BOUNDS, orderTypes } from '@tradewright/core/order-types'
import { BoundedNumberField } from '../../../../ui/form/fields/bounded-number-field.tsx'
import { ChoiceField, SelectField } from '../../../../ui/form/fields.tsx'
import classes from '../deploy-form.module.css'
import { FormSection } from '../form-section.tsx'
import { OrderLimitFields } from './order-limit-fields.tsx'
import { orderTypeProblems } from './order-rules.ts'
import type { SectionProps } from '../section-props.ts'
import { VolumeLines } from './volume-lines.tsx'

interface OrderSectionProps extends SectionProps {
  /** In dollars, as far as it is known. */
  capital: number
  isNew?: boolean
}

export function OrderSection({ chosen, edit, capital, isNew = false }: OrderSectionProps) {
  const { form, account } = chosen
  const problems = orderTypeProblems(form, account)
  const type = orderTypes.find(({ id }) => id === form.orderType)!
  const offered = orderTypes.filter(({ id }) => id === form.orderType || !problems.has(id))
  const problem = problems.get(form.orderType)
  const others = [...problems].filter(([id]) => id !== form.orderType)
  return (
    <FormSection title="Orders" hint="How its orders are sent, and their limits">
      <div className={classes.row}>
        <SelectField
          label="Order type"
          value={form.orderType}
          options={offered.map(({ id, label }) => ({ value: id, label }))}
          onChange={(id) => edit({ orderType: orderTypes.find((one) => one.id === id)?.id ?? form.orderType })}
        />
        <ExecutionFields chosen={chosen} edit={edit} />
      </div>
      <p className={classes.note}>{type.hint}</p>
      {problem && (
        <p className={classes.warning}>
          <IconAlertTriangle size={15} stroke={1.8} aria-hidden />
          {problem}
        </p>
      )}
      {others.length > 0 && (
        <ul className={classes.reasons} aria-label="Order types that are not offered">
          {others.map(([id, sentence]) => (
            <li key={id}>{sentence}</li>
          ))}
        </ul>
      )}
      <VolumeLines form={form} capital={capital} />
      <details className={classes.more}>
        <summary>
          More
          <IconChevronRight size={14} stroke={1.8} aria-hidden />
        </summary>
        <OrderLimitFields chosen={chosen} edit={edit} isNew={isNew} />
      </details>
    </FormSection>
  )
}

const AFTER = { 'Cancel the rest': 'cancel', 'Send the rest at the market': 'market' } as const

function ExecutionFields({ chosen: { form }, edit }: SectionProps) {
  if (form.orderType === 'collar') {
    return (
      <BoundedNumberField
        label="Collar"
        unit="%"
        {...EXECUTION_BOUNDS.collarPct}
        isClamped
        value={form.collarPct}
        onChange={(collarPct) => edit({ collarPct })}
      />
    )
  }
  if (form.orderType === 'limit') {
    return (
      <>
        <BoundedNumberField
          label="Time-out"
          unit="min"
          {...EXECUTION_BOUNDS.timeoutMinutes}
          step={1}
          isClamped
          value={form.timeoutMinutes}
          onChange={(timeoutMinutes) => edit({ timeoutMinutes })}
        />
        <ChoiceField
          label="When the time is up"
          value={form.afterTimeout === 'market' ? 'Send the rest at the market' : 'Cancel the rest'}
          options={['Cancel the rest', 'Send the rest at the market'] as const}
          onChange={(word) => edit({ afterTimeout: AFTER[word] })}
        />
      </>
    )
  }
  if (form.orderType !== 'slices') return null
  return (
    <>
      <BoundedNumberField
        label="Slices"
        {...EXECUTION_BOUNDS.slices}
        step={1}
        isClamped
        value={form.slices}
        onChange={(slices) => edit({ slices })}
      />
      <BoundedNumberField
        label="Over"
        unit="min"
        {...EXECUTION_BOUNDS.sliceMinutes}
        step={1}
        isClamped
        value={form.sliceMinutes}
        onChange={(sliceMinutes) => edit({ sliceMinutes })}
      />
    </>
  )
}
