import { IconAdjustmentsHorizontal, IconPlus, IconX } from '@tabler/icons-react'
import { Button } from '@mantine/core'
import type { Feature } from '@tradewright/contract/features'
import { type FeatureOperand, MAX_SUM_TERMS, type Operand } from '@tradewright/core/rules/tree'
import { useState } from 'react'
import { ParameterInputs } from '../../../strategy-form/parameter-inputs.tsx'
import { useFeatures } from '../../../strategy-form/queries.ts'
import { TickerField } from '../../../strategy-form/tickers/ticker-field.tsx'
import { NumberField, SelectField } from '../../../ui/form/fields.tsx'
import { IconButton } from '../../../ui/form/buttons.tsx'
import { NumberBox } from './number-box.tsx'
import classes from './rules.module.css'

type Term = Omit<FeatureOperand, 'kind'>

interface OperandFieldsProps {
  /** `Left side`: read out before each field. */
  label: string
  operand: Operand
  onChange: (operand: Operand, field?: string) => void
  /** A feature without a ticker is that of each member of the pick. */
  isByMember: boolean
  /** A ranking is by a feature. */
  hasNumber?: boolean
}

/** A number, a feature with its parameters, or a sum of features. */
export function OperandFields({ label, operand, onChange, isByMember, hasNumber = true }: OperandFieldsProps) {
  const features = useFeatures().data ?? []
  const choose = (choice: string) => {
    if (choice === 'number') onChange({ kind: 'number', value: 0 })
    else if (choice === 'sum') onChange({ kind: 'sum', terms: [{ times: 1, ...firstTerm(operand, isByMember) }] })
    else onChange({ kind: 'feature', ...termOf(choice, features, firstTerm(operand, isByMember), isByMember) })
  }
  const others = [
    ...(hasNumber ? [{ value: 'number', label: 'Number' }] : []),
    { value: 'sum', label: 'Sum of features' },
  ]
  return (
    <div className={classes.operand}>
      <FeatureSelect
        label={`${label}: kind of value`}
        value={operand.kind === 'feature' ? choiceOf(operand) : operand.kind}
        features={features}
        others={others}
        onChange={choose}
      />
      {operand.kind === 'number' && (
        <NumberBox
          label={`${label}: number`}
          value={operand.value}
          onChange={(value) => onChange({ kind: 'number', value }, `${label} number`)}
        />
      )}
      {operand.kind === 'feature' && (
        <TermFields
          label={label}
          term={operand}
          features={features}
          isByMember={isByMember}
          onChange={(term, field) => onChange({ kind: 'feature', ...term }, field)}
        />
      )}
      {operand.kind === 'sum' && (
        <SumFields label={label} operand={operand} features={features} isByMember={isByMember} onChange={onChange} />
      )}
    </div>
  )
}

interface SumFieldsProps extends Omit<OperandFieldsProps, 'operand'> {
  operand: Extract<Operand, { kind: 'sum' }>
  features: readonly Feature[]
}

function SumFields({ label, operand, features, onChange, isByMember }: SumFieldsProps) {
  const { terms } = operand
  const put = (next: typeof terms, field?: string) => onChange({ kind: 'sum', terms: next }, field)
  return (
    <ul className={classes.terms} aria-label={`${label}: terms`}>
      {terms.map((term, i) => {
        const name = `${label}, term ${i + 1}`
        return (
          // A term has no name of its own, and is only added at the end.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={i} className={classes.term}>
            <NumberBox
              label={`${name}: factor`}
              unit=" ×"
              step={0.25}
              value={term.times}
              onChange={(times) => put(terms.with(i, { ...term, times }), `${name} factor`)}
            />
            <FeatureSelect
              label={`${name}: feature`}
              value={choiceOf(term)}
              features={features}
              others={[]}
              onChange={(choice) =>
                put(terms.with(i, { times: term.times, ...termOf(choice, features, term, isByMember) }))
              }
            />
            <TermFields
              label={name}
              term={term}
              features={features}
              isByMember={isByMember}
              onChange={(next, field) => put(terms.with(i, { times: term.times, ...next }), field)}
            />
            <IconButton
              icon={IconX}
              label={`Remove ${name}`}
              disabled={terms.length < 2}
              onClick={() => put(terms.toSpliced(i, 1))}
            />
          </li>
        )
      })}
      <li>
        <Button
          className={classes.add ?? ''}
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={terms.length >= MAX_SUM_TERMS}
          onClick={() =>
            put([...terms, terms.at(-1) ?? { times: 1, ...termOf('percent_change', features, undefined, isByMember) }])
          }
        >
          Add term
        </Button>
      </li>
    </ul>
  )
}

interface FeatureSelectProps {
  label: string
  value: string
  features: readonly Feature[]
  others: { value: string; label: string }[]
  onChange: (choice: string) => void
}

/** The closing price is the average over one bar: most rules begin with it, so it has a line of its own. */
const CLOSE = 'close'

function FeatureSelect({ label, value, features, others, onChange }: FeatureSelectProps) {
  const isUnknown = ![CLOSE, ...others.map((one) => one.value), ...features.map(({ key }) => key)].includes(value)
  return (
    <span className={classes.select}>
      <SelectField
        label={label}
        hideLabel
        value={value}
        options={[
          ...(isUnknown ? [{ value, label: value }] : []),
          { value: CLOSE, label: 'Close' },
          ...others,
          { group: 'Features', items: features.map(({ key, name }) => ({ value: key, label: name })) },
        ]}
        onChange={onChange}
      />
    </span>
  )
}

interface TermFieldsProps {
  label: string
  term: Term
  features: readonly Feature[]
  isByMember: boolean
  onChange: (term: Term, field?: string) => void
}

function TermFields({ label, term, features, isByMember, onChange }: TermFieldsProps) {
  const [isOpen, setOpen] = useState(false)
  const { feature, params } = term
  const entry = features.find(({ key }) => key === feature)
  const definitions = entry?.config.params_def ?? []
  const window = definitions.find(({ name }) => name === 'window')
  const isClose = choiceOf(term) === CLOSE
  const others = definitions.filter(({ name }) => name !== 'ticker' && name !== 'window')
  const put = (name: string, value: string | number) => {
    const { [name]: _, ...rest } = params
    // An empty ticker in a pick is that of each member; elsewhere it is a field that is not filled in yet.
    const isLeftOut = value === '' && isByMember && name === 'ticker'
    onChange({ feature, params: isLeftOut ? rest : { ...params, [name]: value } }, `${label} ${name}`)
  }
  return (
    <>
      <span className={classes.together}>
        <span className={classes.of} aria-hidden>
          of
        </span>
        <span className={classes.ticker}>
          <TickerField
            label={`${label}: ticker`}
            hideLabel
            hasNote={false}
            placeholder={isByMember ? 'each ticker' : 'Ticker'}
            value={String(params['ticker'] ?? '')}
            onChange={(ticker) => put('ticker', ticker.toUpperCase())}
          />
        </span>
      </span>
      {window && !isClose && (
        <span className={classes.window}>
          <NumberField
            label={`${label}: window`}
            hideLabel
            unit=" bars"
            value={params['window'] ?? window.default}
            onChange={(value) => put('window', value)}
          />
        </span>
      )}
      {others.length > 0 && !isClose && (
        <IconButton
          icon={IconAdjustmentsHorizontal}
          label={`${label}: more parameters`}
          pressed={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      )}
      {isOpen && others.length > 0 && !isClose && (
        <div className={classes.parameters}>
          <ParameterInputs
            owner={entry?.name ?? feature}
            definitions={others}
            params={params}
            onChange={(next) =>
              onChange({ feature, params: next as Record<string, string | number> }, `${label} parameters`)
            }
          />
        </div>
      )}
    </>
  )
}

const choiceOf = ({ feature, params }: Term): string =>
  feature === 'sma' && params['window'] === 1 && (params['field'] ?? 'close') === 'close' ? CLOSE : feature

/** The feature chosen, of the ticker that the value before was of. */
function termOf(choice: string, features: readonly Feature[], before: Term | undefined, isByMember: boolean): Term {
  const feature = choice === CLOSE ? 'sma' : choice
  const definitions = features.find(({ key }) => key === feature)?.config.params_def ?? []
  const ticker = before?.params['ticker'] ?? (isByMember ? undefined : 'SPY')
  const needed = definitions.filter(({ name, required }) => required && name !== 'ticker')
  const window = definitions.find(({ name }) => name === 'window')
  return {
    feature,
    params: {
      ...(ticker !== undefined && { ticker }),
      ...Object.fromEntries(needed.map(({ name, default: preset }) => [name, preset])),
      ...(choice === CLOSE ? { window: 1 } : window && { window: window.default }),
    },
  }
}

function firstTerm(operand: Operand, isByMember: boolean): Term {
  if (operand.kind === 'feature') return { feature: operand.feature, params: operand.params }
  const first = operand.kind === 'sum' ? operand.terms[0] : undefined
  if (first) return { feature: first.feature, params: first.params }
  return { feature: 'percent_change', params: { ...(!isByMember && { ticker: 'SPY' }), window: 21 } }
}
