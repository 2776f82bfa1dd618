import { Button } from '@mantine/core'
import { IconPlayerPlayFilled, IconPlus, IconX } from '@tabler/icons-react'
import {
  CONSTRUCTION_LIMITS,
  type ConstructionMethodId,
  type ConstructionRebalance,
  constructionRebalances,
  type CovarianceEstimator,
  covarianceEstimators,
} from '@tradewright/core/construction-catalogue'
import { useState } from 'react'
import { nextKey } from '../../../strategy-form/allocation-rows.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { BoundedNumberField } from '../../../ui/form/bounded-number-field.tsx'
import { CheckField, SelectField, TextField } from '../../../ui/form/fields.tsx'
import { IconButton } from '../../../ui/form/icon-button.tsx'
import { MultiSelectField } from '../../../ui/form/multi-select-field.tsx'
import { Card, CardSection } from '../../../ui/layout/card.tsx'
import type { BacktestForm } from '../form.ts'
import {
  choosableMethods,
  type ConstructForm,
  type GroupText,
  newConstructForm,
  problemOf,
  tickersOf,
  toConstructRequest,
  type ViewText,
} from './construct-form.ts'
import { useStartConstruction } from './queries.ts'
import classes from './construct.module.css'

interface ConstructSetupProps {
  form: BacktestForm
  onStarted: (id: number) => void
}

type Edit = (change: Partial<ConstructForm>) => void

const REBALANCES: Readonly<Record<ConstructionRebalance, string>> = {
  monthly: 'Monthly',
  quarterly: 'Quarterly',
  yearly: 'Yearly',
}

/** Which methods, within which limits, estimated from how much of the past. */
export function ConstructSetup({ form, onStarted }: ConstructSetupProps) {
  const [asked, setAsked] = useState(newConstructForm)
  const start = useStartConstruction(onStarted)
  const edit: Edit = (change) => setAsked((before) => ({ ...before, ...change }))
  const tickers = tickersOf(form)
  const known = withoutGone(asked, tickers)
  const problem = problemOf(known, form)
  return (
    <Card
      title="What mix would have been better?"
      hint="Weights found again at each rebalance from what was known then, with costs, beside equal weights and your own"
    >
      {start.error && (
        <div className={classes.message}>
          <Banner kind="error" text="The construction was not started." detail={start.error.message} />
        </div>
      )}
      <CardSection>
        <p className={classes.tickers}>
          {tickers.length === 0 ? 'No tickers yet: add them under Allocation.' : tickers.join(' · ')}
        </p>
        <fieldset className={classes.group}>
          <legend>Methods</legend>
          <div className={classes.methods}>
            {choosableMethods.map((method) => (
              <Method key={method.id} method={method} asked={known} edit={edit} />
            ))}
          </div>
        </fieldset>
      </CardSection>
      <CardSection>
        <div className={classes.fields}>
          <BoundedNumberField
            label="Estimation window"
            unit="mo"
            value={asked.windowMonths}
            min={CONSTRUCTION_LIMITS.windowMonths.min}
            max={CONSTRUCTION_LIMITS.windowMonths.max}
            step={1}
            isClamped
            onChange={(windowMonths) => edit({ windowMonths })}
          />
          <SelectField
            label="Rebalance"
            value={asked.rebalance}
            options={constructionRebalances.map((value) => ({ value, label: REBALANCES[value] }))}
            onChange={(rebalance) => edit({ rebalance: rebalance as ConstructionRebalance })}
          />
          <SelectField
            label="Risk estimate"
            value={asked.covariance}
            options={Object.entries(covarianceEstimators).map(([value, { label }]) => ({ value, label }))}
            onChange={(covariance) => edit({ covariance: covariance as CovarianceEstimator })}
          />
          <BoundedNumberField
            label="Least weight"
            unit="%"
            value={asked.min}
            min={0}
            max={100}
            isClamped
            onChange={(min) => edit({ min })}
          />
          <BoundedNumberField
            label="Largest weight"
            unit="%"
            value={asked.max}
            min={0}
            max={100}
            isClamped
            onChange={(max) => edit({ max })}
          />
          <BoundedNumberField
            label="Turnover limit"
            unit="%"
            placeholder="None"
            value={asked.turnover}
            min={0}
            max={100}
            isClamped
            term="turnover limit"
            onChange={(turnover) => edit({ turnover })}
          />
        </div>
      </CardSection>
      <Bounds asked={known} tickers={tickers} edit={edit} />
      <Groups asked={known} tickers={tickers} edit={edit} />
      {known.methods.includes('black_litterman') && <Views asked={known} tickers={tickers} edit={edit} />}
      <CardSection>
        <div className={classes.start}>
          <Button
            leftSection={<IconPlayerPlayFilled size={14} aria-hidden />}
            disabled={problem !== null || start.isPending}
            onClick={() => start.mutate(toConstructRequest(known, form))}
          >
            {start.isPending ? 'Starting...' : 'Find weights'}
          </Button>
          <output className={classes.note}>
            {problem ?? 'Period, costs and data are those of Backtest Config and Advanced.'}
          </output>
        </div>
      </CardSection>
    </Card>
  )
}

/** Tickers that an edit of the allocation took away. */
function withoutGone(asked: ConstructForm, tickers: readonly string[]): ConstructForm {
  const isThere = (ticker: string) => tickers.includes(ticker)
  return {
    ...asked,
    bounds: asked.bounds.filter(({ ticker }) => isThere(ticker)),
    groups: asked.groups.map((group) => ({ ...group, tickers: group.tickers.filter(isThere) })),
    views: asked.views.map((view) => ({
      ...view,
      ticker: isThere(view.ticker) ? view.ticker : '',
      against: isThere(view.against) ? view.against : '',
    })),
  }
}

interface MethodProps {
  method: (typeof choosableMethods)[number]
  asked: ConstructForm
  edit: Edit
}

function Method({ method, asked, edit }: MethodProps) {
  const { id, label, definition, parameters, needsReturns } = method
  const isChosen = asked.methods.includes(id)
  const toggle = (isNow: boolean) =>
    edit({
      methods: choosableMethods
        .map((one): ConstructionMethodId => one.id)
        .filter((one) => (one === id ? isNow : asked.methods.includes(one))),
    })
  return (
    <div className={classes.method}>
      <CheckField
        label={label}
        hint={needsReturns ? `${definition} Mean returns are hard to know.` : definition}
        checked={isChosen}
        onChange={toggle}
      />
      {isChosen && parameters.length > 0 && (
        <div className={classes.parameters}>
          {parameters.map((one) => (
            <BoundedNumberField
              key={one.key}
              label={one.label}
              hint={one.hint}
              value={asked.parameters[`${id}.${one.key}`] ?? String(one.default)}
              min={one.min}
              max={one.max}
              step={one.step}
              isClamped
              onChange={(value) => edit({ parameters: { ...asked.parameters, [`${id}.${one.key}`]: value } })}
            />
          ))}
        </div>
      )}
    </div>
  )
}

interface PartProps {
  asked: ConstructForm
  tickers: readonly string[]
  edit: Edit
}

function Bounds({ asked, tickers, edit }: PartProps) {
  const free = tickers.filter((ticker) => !asked.bounds.some((bound) => bound.ticker === ticker))
  if (tickers.length === 0) return null
  const change = (ticker: string, part: object) =>
    edit({ bounds: asked.bounds.map((one) => (one.ticker === ticker ? { ...one, ...part } : one)) })
  return (
    <CardSection>
      <fieldset className={classes.group}>
        <legend>Bounds of single tickers</legend>
        {asked.bounds.map(({ ticker, min, max }) => (
          <div key={ticker} className={classes.row} data-kind="bound">
            <b>{ticker}</b>
            <Range name={ticker} min={min} max={max} onChange={(part) => change(ticker, part)} />
            <IconButton
              icon={IconX}
              label={`Remove the bounds of ${ticker}`}
              onClick={() => edit({ bounds: asked.bounds.filter((one) => one.ticker !== ticker) })}
            />
          </div>
        ))}
        {free.length > 0 && (
          <div className={classes.adder}>
            <SelectField
              label="Add bounds for a ticker"
              hideLabel
              value=""
              options={[{ value: '', label: 'Add bounds for...' }, ...free]}
              onChange={(ticker) => ticker && edit({ bounds: [...asked.bounds, { ticker, min: '0', max: '100' }] })}
            />
          </div>
        )}
      </fieldset>
    </CardSection>
  )
}

interface RangeProps {
  name: string
  min: string
  max: string
  onChange: (part: { min: string } | { max: string }) => void
}

function Range({ name, min, max, onChange }: RangeProps) {
  return (
    <>
      <BoundedNumberField
        label={`Least of ${name}`}
        hideLabel
        prefix="≥"
        unit="%"
        value={min}
        min={0}
        max={100}
        isClamped
        onChange={(text) => onChange({ min: text })}
      />
      <BoundedNumberField
        label={`Most of ${name}`}
        hideLabel
        prefix="≤"
        unit="%"
        value={max}
        min={0}
        max={100}
        isClamped
        onChange={(text) => onChange({ max: text })}
      />
    </>
  )
}

function Groups({ asked, tickers, edit }: PartProps) {
  const change = (key: number, part: Partial<GroupText>) =>
    edit({ groups: asked.groups.map((one) => (one.key === key ? { ...one, ...part } : one)) })
  return (
    <CardSection>
      <fieldset className={classes.group}>
        <legend>Groups</legend>
        {asked.groups.map(({ key, name, tickers: members, min, max }, at) => (
          <div key={key} className={classes.row} data-kind="group">
            <TextField
              label={`Name of group ${at + 1}`}
              hideLabel
              placeholder="Name"
              value={name}
              onChange={(text) => change(key, { name: text })}
            />
            <MultiSelectField
              label={`Tickers of group ${at + 1}`}
              hideLabel
              placeholder={members.length === 0 ? 'Tickers' : ''}
              value={members}
              options={tickers}
              onChange={(chosen) => change(key, { tickers: chosen })}
            />
            <Range name={name || `group ${at + 1}`} min={min} max={max} onChange={(part) => change(key, part)} />
            <IconButton
              icon={IconX}
              label={`Remove group ${at + 1}`}
              onClick={() => edit({ groups: asked.groups.filter((one) => one.key !== key) })}
            />
          </div>
        ))}
        {asked.groups.length < CONSTRUCTION_LIMITS.groups && (
          <Button
            className={classes.adder}
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() =>
              edit({
                groups: [...asked.groups, { key: nextKey(asked.groups), name: '', tickers: [], min: '0', max: '100' }],
              })
            }
          >
            Add group
          </Button>
        )}
      </fieldset>
    </CardSection>
  )
}

function Views({ asked, tickers, edit }: PartProps) {
  const change = (key: number, part: Partial<ViewText>) =>
    edit({ views: asked.views.map((one) => (one.key === key ? { ...one, ...part } : one)) })
  return (
    <CardSection>
      <fieldset className={classes.group}>
        <legend>Views of Black-Litterman</legend>
        <p className={classes.note}>
          A view counts from the day you held it. Without a day it counts for the weights of today alone: in the past it
          would be hindsight.
        </p>
        {asked.views.map(({ key, ticker, against, expected, confidence, since }, at) => (
          <div key={key} className={classes.row} data-kind="view">
            <SelectField
              label={`Ticker of view ${at + 1}`}
              hideLabel
              value={ticker}
              options={[{ value: '', label: 'Ticker' }, ...tickers]}
              onChange={(chosen) => change(key, { ticker: chosen })}
            />
            <SelectField
              label={`View ${at + 1} against`}
              hideLabel
              value={against}
              options={[
                { value: '', label: 'earns' },
                ...tickers.map((one) => ({ value: one, label: `beats ${one} by` })),
              ]}
              onChange={(chosen) => change(key, { against: chosen })}
            />
            <BoundedNumberField
              label={`Return of view ${at + 1} a year`}
              hideLabel
              unit="%"
              placeholder="a year"
              value={expected}
              min={-1000}
              max={1000}
              onChange={(text) => change(key, { expected: text })}
            />
            <BoundedNumberField
              label={`Confidence of view ${at + 1}`}
              hideLabel
              unit="%"
              value={confidence}
              min={1}
              max={99}
              isClamped
              onChange={(text) => change(key, { confidence: text })}
            />
            <TextField
              label={`View ${at + 1} held since`}
              hideLabel
              type="date"
              value={since}
              onChange={(text) => change(key, { since: text })}
            />
            <IconButton
              icon={IconX}
              label={`Remove view ${at + 1}`}
              onClick={() => edit({ views: asked.views.filter((one) => one.key !== key) })}
            />
          </div>
        ))}
        {asked.views.length < CONSTRUCTION_LIMITS.views && (
          <Button
            className={classes.adder}
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() =>
              edit({
                views: [
                  ...asked.views,
                  { key: nextKey(asked.views), ticker: '', against: '', expected: '', confidence: '50', since: '' },
                ],
              })
            }
          >
            Add view
          </Button>
        )}
      </fieldset>
    </CardSection>
  )
}
