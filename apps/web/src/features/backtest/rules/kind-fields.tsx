import { Button } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import {
  type Block,
  type Condition,
  MAX_STREAK,
  type PickBlock,
  type PickWeights,
  type Rebalance,
  rebalancePeriods,
  type Tolerance,
} from '@tradewright/core/rules/tree'
import { type ReactNode, useState } from 'react'
import { TickerField, TickerNote } from '../../../strategy-form/ticker-field.tsx'
import { TickerListSelect } from '../../../strategy-form/ticker-list-select.tsx'
import { equalPercents } from '../../../strategy-form/ticker-text.ts'
import { CheckField, SelectField } from '../../../ui/form/fields.tsx'
import { IconButton } from '../../../ui/form/icon-button.tsx'
import { useTreeFacts } from './editing.ts'
import type { FieldName, RuleNode } from './kinds.ts'
import { NumberBox } from './number-box.tsx'
import { OperandFields } from './operand-fields.tsx'
import classes from './rules.module.css'

interface FieldsProps<Node> {
  node: Node
  /** `field`: typing on in the same field is one step to undo. */
  onChange: (node: Node, field?: string) => void
  isByMember: boolean
}

/** One component for each name in the catalogue of kinds. */
export function KindField({ name, ...props }: FieldsProps<RuleNode> & { name: FieldName }): ReactNode {
  const { node } = props
  if (name === 'rows' && node.kind === 'hold') return <HoldRows {...props} node={node} />
  if (name === 'tickers' && node.kind === 'pick') return <PickTickers {...props} node={node} />
  if (name === 'rank' && node.kind === 'pick') return <Ranking {...props} node={node} />
  if (name === 'pick weights' && node.kind === 'pick') return <PickWeighting {...props} node={node} />
  if (name === 'group weights' && node.kind === 'group') return <GroupWeighting {...props} node={node} />
  if (name === 'rebalance' && (node.kind === 'hold' || node.kind === 'pick' || node.kind === 'group')) {
    return <Rebalancing {...props} node={node} />
  }
  if (name === 'use' && node.kind === 'use') return <UsedBlock {...props} node={node} />
  if (name === 'cash') return <CashWords />
  if (name === 'compare' && node.kind === 'compare') return <Comparison {...props} node={node} />
  if (name === 'checks' && node.kind === 'streak') {
    return (
      <div className={classes.line}>
        <span>At</span>
        <NumberBox
          label="Checks in a row"
          min={1}
          max={MAX_STREAK}
          value={node.checks}
          onChange={(checks) => props.onChange({ ...node, checks }, 'checks')}
        />
        <span>checks in a row</span>
      </div>
    )
  }
  return null
}

type OfKind<Kind extends RuleNode['kind']> = Extract<RuleNode, { kind: Kind }>

function HoldRows({ node, onChange }: FieldsProps<OfKind<'hold'>>) {
  const { rows } = node
  const put = (next: typeof rows, field?: string) => onChange({ ...node, rows: next }, field)
  return (
    <div className={classes.rows}>
      {rows.map((row, i) => (
        // A row has no name of its own.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={i} className={classes.line}>
          <span className={classes.ticker}>
            <TickerField
              label={`Ticker ${i + 1}`}
              hideLabel
              hasNote={false}
              placeholder="Ticker"
              value={row.ticker}
              onChange={(ticker) => put(rows.with(i, { ...row, ticker: ticker.toUpperCase() }), `ticker ${i}`)}
            />
          </span>
          <NumberBox
            label={`Percent ${i + 1}`}
            unit="%"
            value={row.pct}
            onChange={(pct) => put(rows.with(i, { ...row, pct }), `pct ${i}`)}
          />
          <IconButton
            icon={IconX}
            label={`Remove ticker ${i + 1}${row.ticker ? `, ${row.ticker}` : ''}`}
            onClick={() => put(rows.toSpliced(i, 1))}
          />
        </div>
      ))}
      <TickerNote text={rows.map(({ ticker }) => ticker).join(',')} />
      <div className={classes.line}>
        <AddButton label="Add ticker" onClick={() => put([...rows, { ticker: '', pct: restOf(rows) }])} />
        <TickerListSelect
          label="Ticker list"
          prompt="Fill from a ticker list..."
          onTickers={(tickers) => {
            const pcts = equalPercents(tickers.length)
            put(tickers.map((ticker, i) => ({ ticker, pct: pcts[i] ?? 0 })))
          }}
        />
      </div>
    </div>
  )
}

const restOf = (rows: OfKind<'hold'>['rows']): number =>
  Math.max(0, Math.round((100 - rows.reduce((sum, { pct }) => sum + pct, 0)) * 100) / 100)

function PickTickers({ node, onChange }: FieldsProps<PickBlock>) {
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

function Ranking({ node, onChange }: FieldsProps<PickBlock>) {
  const { rank } = node
  const put = (next: PickBlock['rank'], field?: string) => {
    const { rank: _, ...rest } = node
    onChange(withPlaces(next ? { ...rest, rank: next } : rest), field)
  }
  return (
    <div className={classes.line}>
      <span>Take</span>
      <span className={classes.select}>
        <SelectField
          label="Which of the tickers"
          hideLabel
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
      </span>
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
  fixed: 'by fixed percents',
  rank: 'by rank',
  'inverse-volatility': 'by inverse volatility',
  'risk-parity': 'by risk parity',
  'minimum-variance': 'by minimum variance',
}

function PickWeighting({ node, onChange }: FieldsProps<PickBlock>) {
  const { weights, volatilityTarget } = node
  const window = 'window' in weights ? weights.window : DEFAULT_WINDOW
  const places = node.rank?.count ?? node.tickers.length
  const choose = (kind: string) => {
    if (kind === 'equal' || kind === 'rank') onChange({ ...node, weights: { kind } })
    else if (kind === 'fixed')
      onChange({ ...node, weights: { kind, pcts: equalPercents(Math.min(places, MAX_PLACES)) } })
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
        <span className={classes.select}>
          <SelectField
            label="How the picked tickers are weighted"
            hideLabel
            value={weights.kind}
            options={Object.entries(PICK_WEIGHTS).map(([value, label]) => ({ value, label }))}
            onChange={choose}
          />
        </span>
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
          <Percents
            label="Weight of place"
            pcts={weights.pcts}
            onChange={(pcts, field) => onChange({ ...node, weights: { kind: 'fixed', pcts } }, field)}
          />
        )}
      </div>
      {(node.eligible || node.keep) && (
        <div className={classes.line}>
          <span>Empty places go to</span>
          <span className={classes.select}>
            <SelectField
              label="Where empty places go"
              hideLabel
              value={node.unfilled ?? 'rest'}
              options={[
                { value: 'rest', label: 'the rest' },
                { value: 'spread', label: 'the tickers that are held' },
              ]}
              onChange={(unfilled) => onChange({ ...node, unfilled: unfilled === 'spread' ? 'spread' : 'rest' })}
            />
          </span>
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

interface PercentsProps {
  label: string
  pcts: readonly number[]
  onChange: (pcts: readonly number[], field: string) => void
}

function Percents({ label, pcts, onChange }: PercentsProps) {
  return pcts.map((pct, i) => (
    <NumberBox
      // A place is its number.
      // oxlint-disable-next-line react/no-array-index-key
      key={i}
      label={`${label} ${i + 1}`}
      unit="%"
      value={pct}
      onChange={(next) => onChange(pcts.with(i, next), `pct ${i}`)}
    />
  ))
}

function GroupWeighting({ node, onChange }: FieldsProps<OfKind<'group'>>) {
  const { weights, children } = node
  return (
    <div className={classes.line}>
      <span>Divide</span>
      <span className={classes.select}>
        <SelectField
          label="How the group is divided"
          hideLabel
          value={weights.kind}
          options={[
            { value: 'equal', label: 'equally' },
            { value: 'fixed', label: 'by fixed percents' },
          ]}
          onChange={(kind) =>
            onChange({
              ...node,
              weights: kind === 'fixed' ? { kind, pcts: equalPercents(children.length) } : { kind: 'equal' },
            })
          }
        />
      </span>
      {weights.kind === 'fixed' && (
        <Percents
          label="Percent of part"
          pcts={weights.pcts}
          onChange={(pcts, field) => onChange({ ...node, weights: { kind: 'fixed', pcts } }, field)}
        />
      )}
    </div>
  )
}

type Dividing = Extract<Block, { kind: 'hold' | 'pick' | 'group' }>

const REBALANCE_OPTIONS = [
  { value: 'check', label: 'at every check' },
  ...rebalancePeriods.map((every) => ({ value: every as string, label: every as string })),
  { value: 'band', label: 'outside a band' },
  { value: 'change', label: 'when what is held changes' },
]

function Rebalancing({ node, onChange }: FieldsProps<Dividing>) {
  const { rebalance } = node
  const put = (next: Rebalance | undefined, field?: string) => {
    const { rebalance: _, ...rest } = node
    onChange(next ? { ...rest, rebalance: next } : rest, field)
  }
  const choose = (choice: string) => {
    const every = rebalancePeriods.find((period) => period === choice)
    if (every) put({ on: 'calendar', every })
    else if (choice === 'band') put({ on: 'band', points: 5 })
    else put(choice === 'change' ? { on: 'change' } : undefined)
  }
  return (
    <div className={classes.line}>
      <span>Rebalance</span>
      <span className={classes.select}>
        <SelectField
          label="When it is rebalanced"
          hideLabel
          value={rebalance?.on === 'calendar' ? rebalance.every : (rebalance?.on ?? 'check')}
          options={REBALANCE_OPTIONS}
          onChange={choose}
        />
      </span>
      {rebalance?.on === 'band' && (
        <>
          <span>of</span>
          <NumberBox
            label="Rebalance band"
            unit=" points"
            value={rebalance.points}
            onChange={(points) => put({ on: 'band', points }, 'band')}
          />
        </>
      )}
    </div>
  )
}

function UsedBlock({ node, onChange }: FieldsProps<OfKind<'use'>>) {
  const { blocks } = useTreeFacts()
  const others = blocks.filter(({ id }) => id !== node.id)
  const isKnown = others.some(({ id }) => id === node.of)
  return (
    <div className={classes.line}>
      <span>The same as</span>
      <span className={classes.select}>
        <SelectField
          label="Block to use once more"
          hideLabel
          value={node.of}
          options={[
            ...(isKnown ? [] : [{ value: node.of, label: node.of === '' ? 'Choose a block...' : node.of }]),
            ...others.map(({ id, title }) => ({ value: id, label: title })),
          ]}
          onChange={(of) => onChange({ ...node, of })}
        />
      </span>
    </div>
  )
}

function CashWords() {
  const { cash } = useTreeFacts()
  return <p className={classes.words}>All in {cash === 'CASHX' ? 'cash' : cash || 'the cash ticker'}.</p>
}

type CompareNode = Extract<Condition, { kind: 'compare' }>

function Comparison({ node, onChange, isByMember }: FieldsProps<CompareNode>) {
  const { tolerance } = node
  const put = (next: Tolerance | undefined, field?: string) => {
    const { tolerance: _, ...rest } = node
    onChange(next ? { ...rest, tolerance: next } : rest, field)
  }
  return (
    <>
      <div className={classes.line}>
        <OperandFields
          label="Left side"
          operand={node.left}
          isByMember={isByMember}
          onChange={(left, field) => onChange({ ...node, left }, field)}
        />
        <span className={classes.select}>
          <SelectField
            label="Comparison"
            hideLabel
            value={node.is}
            options={[
              { value: 'above', label: 'is above' },
              { value: 'below', label: 'is below' },
            ]}
            onChange={(is) => onChange({ ...node, is: is === 'below' ? 'below' : 'above' })}
          />
        </span>
        <OperandFields
          label="Right side"
          operand={node.right}
          isByMember={isByMember}
          onChange={(right, field) => onChange({ ...node, right }, field)}
        />
      </div>
      <div className={classes.line}>
        <CheckField
          label="Tolerance"
          checked={tolerance !== undefined}
          onChange={(isOn) => put(isOn ? { size: 3, unit: 'percent', latched: true } : undefined)}
        />
        {tolerance && (
          <>
            <NumberBox
              label="Size of the tolerance"
              min={0}
              value={tolerance.size}
              onChange={(size) => put({ ...tolerance, size }, 'tolerance')}
            />
            <span className={classes.select}>
              <SelectField
                label="Unit of the tolerance"
                hideLabel
                value={tolerance.unit}
                options={[
                  { value: 'percent', label: '%' },
                  { value: 'points', label: 'points' },
                ]}
                onChange={(unit) => put({ ...tolerance, unit: unit === 'points' ? 'points' : 'percent' })}
              />
            </span>
            <CheckField
              label="Keeps its answer inside it"
              checked={tolerance.latched}
              onChange={(latched) => put({ ...tolerance, latched })}
            />
          </>
        )}
      </div>
    </>
  )
}

function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button
      className={classes.add ?? ''}
      variant="subtle"
      size="compact-sm"
      leftSection={<IconPlus size={14} aria-hidden />}
      onClick={onClick}
    >
      {label}
    </Button>
  )
}
