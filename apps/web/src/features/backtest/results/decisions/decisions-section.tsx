import { useMemo, useState } from 'react'
import { formatCount, formatNumber } from '../../../../lib/format.ts'
import { CheckField } from '../../../../ui/form/fields.tsx'
import { Card } from '../../../../ui/layout/card.tsx'
import { Pagination, numeric, secondary, Table } from '../../../../ui/table/table.tsx'
import { ReadingLines } from '../../rules/rules-reading.tsx'
import { formatBarDate } from '../bar-date.ts'
import { pageOf } from '../newest-first.ts'
import {
  blockNames,
  type BlockNames,
  changesByDate,
  conditionStates,
  holdingsAt,
  reasonsOf,
  type RulesSection,
  segmentsOf,
  wayWords,
} from './decisions.ts'
import { DecisionTimeline } from './decision-timeline.tsx'
import classes from './decisions.module.css'

/** What a strategy of rules decided, when and why. */
export function DecisionsSection({ rules }: { rules: RulesSection }) {
  const names = useMemo(() => blockNames(rules), [rules])
  const changes = useMemo(() => changesByDate(rules), [rules])
  if (rules.check_dates.length === 0) return null
  return (
    <>
      <Card title="Which block decided" hint={summaryOf(rules)}>
        <DecisionTimeline rules={rules} names={names} changes={changes} />
      </Card>
      <ChecksCard rules={rules} names={names} changes={changes} />
      <div className={classes.pair}>
        <StatesCard rules={rules} names={names} />
        <BlocksCard rules={rules} names={names} />
      </div>
      <RulesCard rules={rules} />
    </>
  )
}

/** The tree that ran, to a reader who does not have its cards. */
export function RulesCard({ rules }: { rules: RulesSection }) {
  return (
    <Card title="The rules in plain English" folds>
      <ReadingLines lines={rules.reading} />
    </Card>
  )
}

function summaryOf({ check_dates, trades_history, way_history }: RulesSection): string {
  const switches = segmentsOf(way_history).length - 1
  const trades = trades_history.filter(Boolean).length
  return [
    `${formatBarDate(check_dates[0] ?? '')} – ${formatBarDate(check_dates.at(-1) ?? '')}`,
    `${formatCount(check_dates.length)} checks`,
    `${formatCount(trades)} that traded`,
    `${formatCount(switches)} ${switches === 1 ? 'switch' : 'switches'} between blocks`,
    'darker is a larger weight',
  ].join(' · ')
}

interface DecisionsProps {
  rules: RulesSection
  names: BlockNames
}

const PAGE_SIZE = 8
const MAX_REASONS = 4

function ChecksCard({ rules, names, changes }: DecisionsProps & { changes: ReturnType<typeof changesByDate> }) {
  const [page, setPage] = useState(1)
  const [onlyChanges, setOnlyChanges] = useState(true)
  const { check_dates: dates, trades_history: trades, way_history: ways } = rules
  const shown = useMemo(
    () => dates.map((date, i) => ({ date, i })).filter(({ date }) => !onlyChanges || changes.has(date)),
    [dates, changes, onlyChanges],
  )
  return (
    <Card
      title="Decisions"
      hint={`${formatCount(shown.length)}, newest first${rules.changes_left_out > 0 ? '; reasons of the oldest are not kept' : ''}`}
      actions={
        <CheckField
          label="Only checks at which something changed"
          checked={onlyChanges}
          onChange={(isOn) => {
            setOnlyChanges(isOn)
            setPage(1)
          }}
        />
      }
      folds
    >
      <Table label="Decisions">
        <thead>
          <tr>
            <th>Date</th>
            <th className={secondary}>Block that decided</th>
            <th>Holds</th>
            <th>Traded</th>
            <th className={secondary}>Why</th>
          </tr>
        </thead>
        <tbody>
          {pageOf(shown, page, PAGE_SIZE).map(({ item: { date, i } }) => (
            <tr key={i}>
              <td className="tabular" title={date}>
                {formatBarDate(date)}
              </td>
              <td className={secondary}>{wayWords(rules.ways[ways[i] ?? -1] ?? '', names)}</td>
              <td className={`${classes.wraps} ${classes.holds}`}>{holdingsAt(rules, i)}</td>
              <td>{trades[i] ? 'Yes' : 'No'}</td>
              <td className={`${secondary} ${classes.wraps}`}>
                <Reasons all={reasonsOf(changes.get(date) ?? [], trades[i] ?? false, names)} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      <Pagination page={page} pageSize={PAGE_SIZE} total={shown.length} onChange={setPage} label="Pages of decisions" />
    </Card>
  )
}

function Reasons({ all }: { all: readonly string[] }) {
  const more = all.length - MAX_REASONS
  return (
    <>
      {all.slice(0, MAX_REASONS).join(' ')}
      {more > 0 && ` And ${formatCount(more)} more.`}
    </>
  )
}

function StatesCard({ rules, names }: DecisionsProps) {
  const states = useMemo(() => conditionStates(rules, names), [rules, names])
  const [page, setPage] = useState(1)
  if (states.length === 0) return null
  return (
    <Card title="Latches and conditions" hint="After the last check; those that keep a state first" folds>
      <Table label="Latches and conditions">
        <thead>
          <tr>
            <th>Condition</th>
            <th className={secondary}>Kind</th>
            <th>Answer</th>
            <th>Since</th>
          </tr>
        </thead>
        <tbody>
          {states.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map(({ key, title, kind, ticker, answer, since }) => (
            <tr key={key}>
              <td className={classes.wraps}>{ticker === null ? title : `${title}, ${ticker}`}</td>
              <td className={secondary}>{kind}</td>
              <td>{answer === null ? 'None' : answer ? 'True' : 'False'}</td>
              <td className="tabular">{since === null ? 'n/a' : formatBarDate(since)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      <Pagination
        page={page}
        pageSize={PAGE_SIZE}
        total={states.length}
        onChange={setPage}
        label="Pages of conditions"
      />
    </Card>
  )
}

function BlocksCard({ rules, names }: DecisionsProps) {
  const blocks = useMemo(() => rules.blocks.toSorted((a, b) => b.turnover - a.turnover), [rules])
  if (blocks.length === 0) return null
  return (
    <Card
      title="Turnover by block"
      hint="In values of the account over the whole run. A switch counts for the If and for the block it turns to."
      folds
    >
      <Table label="Turnover by block">
        <thead>
          <tr>
            <th>Block</th>
            <th className={numeric}>Held</th>
            <th className={`${numeric} ${secondary}`}>Rebalanced</th>
            <th className={numeric}>Turnover</th>
          </tr>
        </thead>
        <tbody>
          {blocks.map(({ id, checks_held, rebalances, turnover }) => (
            <tr key={id}>
              <td className={classes.wraps}>{names.titleOf(id)}</td>
              <td className={numeric}>
                {formatNumber((checks_held / rules.check_dates.length) * 100, { decimals: 0, suffix: '%' })}
              </td>
              <td className={`${numeric} ${secondary}`}>{formatCount(rebalances)}</td>
              <td className={numeric}>{formatNumber(turnover, { decimals: 2, suffix: '×' })}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}
