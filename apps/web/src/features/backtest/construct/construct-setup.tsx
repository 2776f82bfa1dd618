import { Button } from '@mantine/core'
import { IconPlayerPlayFilled } from '@tabler/icons-react'
import {
  CONSTRUCTION_LIMITS,
  type ConstructionMethodId,
  type ConstructionRebalance,
  constructionRebalances,
  type CovarianceEstimator,
  covarianceEstimators,
} from '@tradewright/core/construction-catalogue'
import { useKeptForm } from '../../../app/use-kept-form.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { BoundedNumberField } from '../../../ui/form/fields/bounded-number-field.tsx'
import { CheckField, SelectField } from '../../../ui/form/fields.tsx'
import { Card, CardSection } from '../../../ui/layout/card.tsx'
import type { BacktestForm } from '../form/form.ts'
import {
  checkedConstructForm,
  choosableMethods,
  type ConstructForm,
  newConstructForm,
  problemOf,
  tickersOf,
  toConstructRequest,
} from './construct-form.ts'
import { Bounds, Groups, Views } from './construct-limits.tsx'
import { constructionQueries } from './queries.ts'
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

const DRAFT = { name: 'construction', checked: checkedConstructForm, fresh: newConstructForm }

/** Which methods, within which limits, estimated from how much of the past. */
export function ConstructSetup({ form, onStarted }: ConstructSetupProps) {
  const { form: asked, change, startOver } = useKeptForm(DRAFT)
  const start = constructionQueries.useStart((id) => {
    startOver()
    onStarted(id)
  })
  const edit: Edit = (part) => change((before) => ({ ...before, ...part }))
  const tickers = tickersOf(form)
  const known = withoutGone(asked, tickers)
  const problem = problemOf(known, form)
  return (
    <Card
      title="What mix would have been better?"
      hint="Weights found again at each rebalance from what was known then, with costs, beside equal weights and, where the allocation has percentages, your own"
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
            label="Minimum weight"
            unit="%"
            value={asked.min}
            min={0}
            max={100}
            isClamped
            onChange={(min) => edit({ min })}
          />
          <BoundedNumberField
            label="Maximum weight"
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
              {...(one.unit && { unit: one.unit })}
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
