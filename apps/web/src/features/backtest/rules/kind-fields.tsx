import { type Block, MAX_STREAK, type Rebalance, rebalancePeriods } from '@tradewright/core/rules/tree'
import type { ReactNode } from 'react'
import { equalPercentages } from '../../../strategy-form/tickers/ticker-text.ts'
import { Comparison } from './compare-fields.tsx'
import { useTreeFacts } from './editing.ts'
import type { FieldsProps, OfKind } from './fields-props.ts'
import { HoldRows } from './hold-fields.tsx'
import { InlineSelect } from './inline-select.tsx'
import type { FieldName, RuleNode } from './kinds.ts'
import { NumberBox } from './number-box.tsx'
import { Percentages } from './percentages.tsx'
import { PickTickers, PickWeighting, Ranking } from './pick-fields.tsx'
import classes from './rules.module.css'

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

function GroupWeighting({ node, onChange }: FieldsProps<OfKind<'group'>>) {
  const { weights, children } = node
  return (
    <div className={classes.line}>
      <span>Divide</span>
      <InlineSelect
        label="How the group is divided"
        value={weights.kind}
        options={[
          { value: 'equal', label: 'equally' },
          { value: 'fixed', label: 'by fixed percentages' },
        ]}
        onChange={(kind) =>
          onChange({
            ...node,
            weights: kind === 'fixed' ? { kind, pcts: equalPercentages(children.length) } : { kind: 'equal' },
          })
        }
      />
      {weights.kind === 'fixed' && (
        <Percentages
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
      <InlineSelect
        label="When it is rebalanced"
        value={rebalance?.on === 'calendar' ? rebalance.every : (rebalance?.on ?? 'check')}
        options={REBALANCE_OPTIONS}
        onChange={choose}
      />
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
      <InlineSelect
        label="Block to use once more"
        value={node.of}
        options={[
          ...(isKnown ? [] : [{ value: node.of, label: node.of === '' ? 'Choose a block...' : node.of }]),
          ...others.map(({ id, title }) => ({ value: id, label: title })),
        ]}
        onChange={(of) => onChange({ ...node, of })}
      />
    </div>
  )
}

function CashWords() {
  const { cash } = useTreeFacts()
  return <p className={classes.words}>All in {cash === 'CASHX' ? 'cash' : cash || 'the cash ticker'}.</p>
}
