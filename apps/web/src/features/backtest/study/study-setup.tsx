import { Button } from '@mantine/core'
import { IconPlayerPlayFilled, IconX } from '@tabler/icons-react'
import type { TreeNumber } from '@tradewright/core/rules/numbers'
import {
  STUDY_LIMITS,
  type StudyMeasure,
  studyMeasureKeys,
  studyMeasures,
  type StudyMethod,
} from '@tradewright/core/rules/study'
import { useState } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { BoundedNumberField } from '../../../ui/form/fields/bounded-number-field.tsx'
import { SelectField } from '../../../ui/form/fields.tsx'
import { IconButton } from '../../../ui/form/buttons.tsx'
import { Card, CardSection } from '../../../ui/layout/card.tsx'
import type { BacktestForm } from '../form/form.ts'
import { studyQueries } from './queries.ts'
import { formatValue } from './study-cells.ts'
import {
  countVariants,
  durationWords,
  estimatedSeconds,
  newStudyForm,
  type RangeText,
  rangeText,
  type StudyForm,
  toStudyRequest,
  valuesOf,
} from './study-form.ts'
import classes from './study.module.css'

interface StudySetupProps {
  form: BacktestForm
  numbers: readonly TreeNumber[]
  onStarted: (id: number) => void
}

const METHODS: Readonly<Record<StudyMethod, string>> = { grid: 'Every combination', random: 'Random search' }

/** Which numbers vary, over which values, and how many variants that makes. */
export function StudySetup({ form, numbers, onStarted }: StudySetupProps) {
  const [study, setStudy] = useState(() => newStudyForm(numbers))
  const studies = studyQueries.useRuns().data ?? []
  const start = studyQueries.useStart(onStarted)
  const edit = (change: Partial<StudyForm>) => setStudy((before) => ({ ...before, ...change }))
  // Numbers that an edit of the rules took away.
  const known = { ...study, ranges: study.ranges.filter(({ path }) => numbers.some((number) => number.path === path)) }
  const { variants, words, problem } = countVariants(known, numbers)
  const rest = numbers.filter(({ path }) => !known.ranges.some((range) => range.path === path))
  if (numbers.length === 0) {
    return (
      <Card>
        <EmptyState
          icon={IconX}
          title="Nothing to vary"
          text="These rules have no numbers: add a condition with a window or a threshold, or a pick with a count."
        />
      </Card>
    )
  }
  return (
    <Card
      title="New parameter study"
      hint="Runs this backtest with other numbers, and says how much of the best result may be luck"
    >
      {start.error && (
        <div className={classes.message}>
          <Banner kind="error" text="The study was not started." detail={start.error.message} />
        </div>
      )}
      {known.ranges.map((range) => (
        <Range
          key={range.path}
          number={numbers.find(({ path }) => path === range.path)!}
          range={range}
          onChange={(changed) => edit({ ranges: known.ranges.map((one) => (one.path === range.path ? changed : one)) })}
          onRemove={() => edit({ ranges: known.ranges.filter(({ path }) => path !== range.path) })}
        />
      ))}
      <CardSection>
        <div className={classes.fields}>
          {rest.length > 0 && known.ranges.length < STUDY_LIMITS.numbers && (
            <SelectField
              label="Add a number"
              value=""
              options={[
                { value: '', label: 'Choose a number' },
                ...rest.map(({ path, label, value }) => ({
                  value: path,
                  label: `${label} (now ${formatValue(value)})`,
                })),
              ]}
              onChange={(path) => {
                const number = rest.find((one) => one.path === path)
                if (number) edit({ ranges: [...known.ranges, rangeText(number)] })
              }}
            />
          )}
          <SelectField
            label="Best by"
            value={study.measure}
            options={studyMeasureKeys.map((value) => ({ value, label: studyMeasures[value].label }))}
            onChange={(measure) => edit({ measure: measure as StudyMeasure })}
          />
          <SelectField
            label="Method"
            value={study.method}
            options={Object.entries(METHODS).map(([value, label]) => ({ value, label }))}
            onChange={(method) => edit({ method: method as StudyMethod })}
          />
          {study.method === 'random' && (
            <BoundedNumberField
              label="Variants"
              value={study.count}
              min={2}
              max={STUDY_LIMITS.variants}
              step={1}
              onChange={(count) => edit({ count })}
            />
          )}
          <BoundedNumberField
            label="Hold-out"
            unit="%"
            value={study.holdOutPct}
            min={STUDY_LIMITS.holdOutPct.min}
            max={STUDY_LIMITS.holdOutPct.max}
            isClamped
            term="hold-out"
            onChange={(holdOutPct) => edit({ holdOutPct })}
          />
        </div>
      </CardSection>
      <CardSection>
        <div className={classes.start}>
          <Button
            leftSection={<IconPlayerPlayFilled size={14} aria-hidden />}
            disabled={problem !== null || start.isPending}
            onClick={() => start.mutate(toStudyRequest(known, form))}
          >
            {start.isPending ? 'Starting...' : 'Run study'}
          </Button>
          <output className={`${classes.count} tabular`}>
            {problem ?? `${words} · ${durationWords(estimatedSeconds(variants, form, studies))}`}
          </output>
        </div>
      </CardSection>
    </Card>
  )
}

interface RangeProps {
  number: TreeNumber
  range: RangeText
  onChange: (range: RangeText) => void
  onRemove: () => void
}

function Range({ number, range, onChange, onRemove }: RangeProps) {
  const { label, value, min, max } = number
  const count = valuesOf(range)
  return (
    <CardSection>
      <fieldset className={classes.range}>
        <legend className={classes.rangeName}>{label}</legend>
        <div className={classes.rangeTags}>
          <Tag>{count === 1 ? '1 value' : `${formatCount(count)} values`}</Tag>
          <span className={`${classes.now} tabular`}>now {formatValue(value)}</span>
          <IconButton icon={IconX} label={`Do not vary ${label}`} onClick={onRemove} />
        </div>
        <div className={classes.ends}>
          {(['from', 'to', 'step'] as const).map((end) => (
            <BoundedNumberField
              key={end}
              label={end === 'from' ? 'From' : end === 'to' ? 'To' : 'Step'}
              value={range[end]}
              min={end === 'step' ? 0 : min}
              {...(end === 'step' ? {} : { max })}
              onChange={(text) => onChange({ ...range, [end]: text })}
            />
          ))}
        </div>
      </fieldset>
    </CardSection>
  )
}
