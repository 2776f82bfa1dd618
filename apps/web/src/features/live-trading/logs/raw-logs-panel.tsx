import { IconSearch } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { formatMoment } from '../../../lib/format-time.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { TextField } from '../../../ui/form/fields.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { sentenceOf } from '../messages.ts'
import { LEVELS, type LogFilter, type LogLine, NO_FILTER, readLine, SECTIONS, shownLines } from './log-lines.ts'
import classes from './logs.module.css'

interface RawLogsPanelProps {
  log: UseQueryResult<string[]>
  isChosen: boolean
}

export function RawLogsPanel({ log, isChosen }: RawLogsPanelProps) {
  const [filter, setFilter] = useState(NO_FILTER)
  const lines = useMemo(() => (log.data ?? []).map(readLine), [log.data])
  const shown = shownLines(lines, filter)
  return (
    <Card title="Raw Logs" hint={`${formatCount(shown.length)} of ${formatCount(lines.length)} lines, times in ET`}>
      <FilterFields filter={filter} onChange={setFilter} />
      <RawLines log={log} isChosen={isChosen} shown={shown} />
    </Card>
  )
}

function FilterFields({ filter, onChange }: { filter: LogFilter; onChange: (filter: LogFilter) => void }) {
  return (
    <div className={classes.filters}>
      <TextField
        label="Search the log"
        hideLabel
        type="search"
        placeholder="Search the log..."
        leftSection={<IconSearch size={16} stroke={1.7} aria-hidden />}
        value={filter.search}
        onChange={(search) => onChange({ ...filter, search })}
      />
      <Toggles
        label="Levels"
        options={LEVELS}
        on={filter.levels}
        onChange={(levels) => onChange({ ...filter, levels })}
      />
      <Toggles
        label="Sections"
        options={SECTIONS}
        on={filter.sections}
        onChange={(sections) => onChange({ ...filter, sections })}
      />
    </div>
  )
}

function RawLines({ log, isChosen, shown }: RawLogsPanelProps & { shown: readonly LogLine[] }) {
  if (!isChosen)
    return (
      <p className={classes.empty}>
        There is no deployment with a log yet. Deploy a strategy under Deploy New Strategy.
      </p>
    )
  if (log.isError) {
    return (
      <p className={classes.empty} role="alert">
        {sentenceOf(log.error)}
      </p>
    )
  }
  if (log.isPending) return <CardSkeleton rows={8} />
  if (shown.length === 0) {
    return (
      <p className={classes.empty}>
        {log.data.length === 0
          ? 'Nothing logged yet. Start the deployment to see its checks here.'
          : 'No lines match your filters. Remove a filter.'}
      </p>
    )
  }
  return (
    // The keyboard must be able to scroll what does not fit.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ol className={classes.lines} aria-label="Raw log lines" tabIndex={0}>
      {shown.map((line, index) => (
        // Two lines may be the same in all their parts.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className={classes.line} data-level={line.level}>
          <span className={classes.lineHead}>
            <span className={classes.level}>{line.level}</span>
            {line.timestamp && <time dateTime={line.timestamp}>{formatMoment(line.timestamp, 'seconds')}</time>}
            {line.place && (
              <span className={classes.place}>
                {line.logger} {line.place}
              </span>
            )}
          </span>
          <span className={classes.lineText}>{line.message}</span>
        </li>
      ))}
    </ol>
  )
}

interface TogglesProps<Option extends string> {
  label: string
  options: readonly Option[]
  on: readonly Option[]
  onChange: (on: Option[]) => void
}

/** Each is on or off by itself. */
function Toggles<Option extends string>({ label, options, on, onChange }: TogglesProps<Option>) {
  return (
    <fieldset className={classes.toggles} aria-label={label}>
      {options.map((option) => {
        const isOn = on.includes(option)
        return (
          <button
            key={option}
            type="button"
            className={classes.toggle}
            aria-pressed={isOn}
            onClick={() => onChange(options.filter((one) => (one === option ? !isOn : on.includes(one))))}
          >
            {option}
          </button>
        )
      })}
    </fieldset>
  )
}
