import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { Button, SegmentedControl } from '@mantine/core'
import { PERIOD_FILTERS } from '@tradewright/contract/portfolio'
import { TextField } from '../../../ui/form/fields.tsx'
import { LEAVE_FREELY } from '../../../ui/form/unsaved-work.ts'
import fields from '../../../ui/form/fields.module.css'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { isApplicable, type Period, PERIOD_LABELS, type PeriodEdit } from '../period.ts'
import classes from './true-performance-card.module.css'

const OPTIONS = PERIOD_FILTERS.map((value) => ({ value, label: PERIOD_LABELS[value] }))

export function PeriodFilter({ period, edit }: { period: Period; edit: (edit: PeriodEdit) => void }) {
  return (
    <form
      className={classes.filter}
      aria-label="Period"
      {...LEAVE_FREELY}
      onSubmit={(event) => {
        event.preventDefault()
        edit({ type: 'apply' })
      }}
    >
      <div className={classes.choice}>
        <SegmentedControl
          size="xs"
          aria-label="Period"
          value={period.filter}
          data={OPTIONS}
          classNames={{ root: fields.segments ?? '', label: fields.segment ?? '', indicator: fields.indicator ?? '' }}
          onChange={(filter) => edit({ type: 'filter', filter })}
        />
        {period.filter !== 'all' && <Tag tone="accent">Filtered</Tag>}
      </div>
      {period.filter === 'custom' && (
        <div className={classes.dates}>
          <TextField
            label="Start date"
            type="date"
            value={period.start}
            onChange={(start) => edit({ type: 'dates', start })}
          />
          <TextField label="End date" type="date" value={period.end} onChange={(end) => edit({ type: 'dates', end })} />
          <Button type="submit" variant="default" disabled={!isApplicable(period)}>
            Apply
          </Button>
        </div>
      )}
    </form>
  )
}
