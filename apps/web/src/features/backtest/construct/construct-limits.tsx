import { Button } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { CONSTRUCTION_LIMITS } from '@tradewright/core/construction-catalogue'
import { nextKey } from '../../../strategy-form/tickers/allocation-rows.ts'
import { BoundedNumberField } from '../../../ui/form/fields/bounded-number-field.tsx'
import { SelectField, TextField } from '../../../ui/form/fields.tsx'
import { IconButton } from '../../../ui/form/buttons.tsx'
import { MultiSelectField } from '../../../ui/form/fields/choice-fields.tsx'
import { CardSection } from '../../../ui/layout/card.tsx'
import type { ConstructForm, GroupText, ViewText } from './construct-form.ts'
import classes from './construct.module.css'

interface PartProps {
  asked: ConstructForm
  tickers: readonly string[]
  edit: (change: Partial<ConstructForm>) => void
}

/** Bounds of single tickers, besides those of all. */
export function Bounds({ asked, tickers, edit }: PartProps) {
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
        label={`Minimum of ${name}`}
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
        label={`Maximum of ${name}`}
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

/** Bounds of several tickers together. */
export function Groups({ asked, tickers, edit }: PartProps) {
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

/** What the user expects, for Black-Litterman. */
export function Views({ asked, tickers, edit }: PartProps) {
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
