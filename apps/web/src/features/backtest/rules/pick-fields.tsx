import type { PickBlock, PickWeights } from '@tradewright/core/rules/tree'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { TickerField, TickerNote } from '../../../strategy-form/tickers/ticker-field.tsx'
import { TickerListSelect } from '../../../strategy-form/tickers/ticker-list-select.tsx'
import { equalPercentages } from '../../../strategy-form/tickers/ticker-text.ts'
import { CheckField } from '../../../ui/form/fields.tsx'
import { IconButton } from '../../../ui/form/buttons.tsx'
import type { FieldsProps } from './fields-props.ts'
import { InlineSelect } from './inline-select.tsx'
import { NumberBox } from './number-box.tsx'
import { OperandFields } from './operand-fields.tsx'
import { Percentages } from './percentages.tsx'
import classes from './rules.module.css'

export function PickTickers({ node, onChange }: FieldsProps<PickBlock>) {
  const [typed, setTyped] = useState('')
  const { tickers } = node
  const put = (next: readonly string[]) => onChange(withPlaces({ ...node, tickers: next }))
  const add = (text: string) => {
    const named = text
      .split(/[\s,;]+/)
      .map((ticker) => ticker.trim().toUpperCase())
      .filter((ticker) => ticker !== '' && !tickers.includes(ticker))
    if (named.length > 0) put([...tickers, ...new Set(named)])
    setTyped('')
  }
  return (
    <div className={classes.rows}>
      <div className={classes.line}>
        <span>{node.rank ? 'Of' : 'All of'}</span>
        {tickers.map((ticker, i) => (
          // An imported list may name one twice.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={`${ticker} ${i}`} className={classes.chip}>
            {ticker}
            <IconButton icon={IconX} label={`Remove ${ticker}`} onClick={() => put(tickers.toSpliced(i, 1))} />
          </span>
        ))}
        <span className={classes.ticker} onBlur={() => typed.trim() !== '' && add(typed)}>
          <TickerField
            label="Add a ticker to pick from"
            hideLabel
            hasNote={false}
            placeholder="Add ticker"
            value={typed}
            onChange={(text) => (/[,;\s]/.test(text) ? add(text) : setTyped(text))}
            onChoose={add}
          />
        </span>
        <TickerListSelect
          label="Ticker list to pick from"
          prompt="Add a ticker list..."
          onTickers={(list) => add(list.join(','))}
        />
      </div>
      <TickerNote text={tickers.join(',')} />
    </div>
  )
}

export function Ranking({ node, onChange }: FieldsProps<PickBlock>) {
  const { rank } = node
  const put = (next: PickBlock['rank'], field?: string) => {
    const { rank: _, ...rest } = node
    onChange(withPlaces(next ? { ...rest, rank: next } : rest), field)
  }
  return (
    <div className={classes.line}>
      <span>Take</span>
      <InlineSelect
        label="Which of the tickers"
        value={rank?.order ?? 'every'}
        options={[
          { value: 'every', label: 'every one' },
          { value: 'top', label: 'the top' },
          { value: 'bottom', label: 'the bottom' },
        ]}
        onChange={(order) => {
          if (order !== 'top' && order !== 'bottom') put(undefined)
          else put(rank ? { ...rank, order } : { order, count: 1, by: STRENGTH })
        }}
      />
      {rank && (
        <>
          <NumberBox
            label="How many"
            min={1}
            value={rank.count}
            onChange={(count) => put({ ...rank, count }, 'count')}
          />
          <span>by</span>
          <OperandFields
            label="Ranking"
            operand={rank.by}
            isByMember
            hasNumber={false}
            onChange={(by, field) => put({ ...rank, by }, field)}
          />
        </>
      )}
    </div>
  )
}

/** The return over half a year of daily bars. */
const STRENGTH = { kind: 'feature', feature: 'percent_change', params: { window: 126 } } as const

/** Fixed weights are by place: as many as there are. */
function withPlaces(node: PickBlock): PickBlock {
  const { weights } = node
  if (weights.kind !== 'fixed') return node
  const places = node.rank?.count ?? node.tickers.length
  const pcts = Array.from({ length: Math.min(places, MAX_PLACES) }, (_, i) => weights.pcts[i] ?? 0)
  return { ...node, weights: { kind: 'fixed', pcts } }
}

const MAX_PLACES = 100
const DEFAULT_WINDOW = 63

const PICK_WEIGHTS: Readonly<Record<PickWeights['kind'], string>> = {
  equal: 'equally',
  fixed: 'by fixed percentages',
  rank: 'by rank',
  'inverse-volatility': 'by inverse volatility',
  'risk-parity': 'by risk parity',
  'minimum-variance': 'by minimum variance',
}

export function PickWeighting({ node, onChange }: FieldsProps<PickBlock>) {
  const { weights, volatilityTarget } = node
  const window = 'window' in weights ? weights.window : DEFAULT_WINDOW
  const places = node.rank?.count ?? node.tickers.length
  const choose = (kind: string) => {
    if (kind === 'equal' || kind === 'rank') onChange({ ...node, weights: { kind } })
    else if (kind === 'fixed')
      onChange({ ...node, weights: { kind, pcts: equalPercentages(Math.min(places, MAX_PLACES)) } })
    else onChange({ ...node, weights: { kind: kind as 'risk-parity', window } })
  }
  const target = (next: PickBlock['volatilityTarget'], field?: string) => {
    const { volatilityTarget: _, ...rest } = node
    onChange(next ? { ...rest, volatilityTarget: next } : rest, field)
  }
  return (
    <>
      <div className={classes.line}>
        <span>Weight</span>
        <InlineSelect
          label="How the picked tickers are weighted"
          value={weights.kind}
          options={Object.entries(PICK_WEIGHTS).map(([value, label]) => ({ value, label }))}
          onChange={choose}
        />
        {'window' in weights && (
          <>
            <span>over</span>
            <NumberBox
              label="Window of the weights"
              unit=" bars"
              min={2}
              value={weights.window}
              onChange={(next) => onChange({ ...node, weights: { ...weights, window: next } }, 'weight window')}
            />
          </>
        )}
        {weights.kind === 'fixed' && (
          <Percentages
            label="Weight of place"
            pcts={weights.pcts}
            onChange={(pcts, field) => onChange({ ...node, weights: { kind: 'fixed', pcts } }, field)}
          />
        )}
      </div>
      {(node.eligible || node.keep) && (
        <div className={classes.line}>
          <span>Empty places go to</span>
          <InlineSelect
            label="Where empty places go"
            value={node.unfilled ?? 'rest'}
            options={[
              { value: 'rest', label: 'the rest' },
              { value: 'spread', label: 'the tickers that are held' },
            ]}
            onChange={(unfilled) => onChange({ ...node, unfilled: unfilled === 'spread' ? 'spread' : 'rest' })}
          />
        </div>
      )}
      <div className={classes.line}>
        <CheckField
          label="Volatility target"
          checked={volatilityTarget !== undefined}
          onChange={(isOn) => target(isOn ? { pct: 10, window: 21 } : undefined)}
        />
        {volatilityTarget && (
          <>
            <NumberBox
              label="Volatility target a year"
              unit="%"
              value={volatilityTarget.pct}
              onChange={(pct) => target({ ...volatilityTarget, pct }, 'volatility target')}
            />
            <span>a year, over</span>
            <NumberBox
              label="Window of the volatility target"
              unit=" bars"
              min={2}
              value={volatilityTarget.window}
              onChange={(next) => target({ ...volatilityTarget, window: next }, 'volatility window')}
            />
          </>
        )}
      </div>
    </>
  )
}
