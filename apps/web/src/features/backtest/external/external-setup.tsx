import { Button } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { MAX_SIGNAL_ALLOCATIONS } from '@tradewright/core/external-signal'
import { useState } from 'react'
import { CheckField, NumberField, SelectField, TextField } from '../../../ui/form/fields.tsx'
import { FileField } from '../../../ui/form/fields/text-fields.tsx'
import { IconButton } from '../../../ui/form/buttons.tsx'
import classes from '../../../strategy-form/setup.module.css'
import { TickerRows } from '../../../strategy-form/tickers/ticker-rows.tsx'
import type { EditProps } from '../form/edit-props.ts'
import { addAllocation, type ExternalForm } from './external-form.ts'
import own from './external.module.css'
import { SignalsPanel } from './signals-panel.tsx'

/** The list of allocations that signals may name, the signals of a backtest, and the address. */
export function ExternalSetup({ form, edit }: EditProps) {
  const { external } = form
  const change = (part: Partial<ExternalForm>) => edit({ external: { ...external, ...part } })
  const named = external.allocations.map(({ name }) => name.trim()).filter((name) => name !== '')
  return (
    <>
      <div className={classes.section}>
        <p className={classes.hint}>
          Another program decides, for example a TradingView alert. It names one of these allocations, and nothing else
          is ever held: no orders can be sent.
        </p>
        {external.allocations.map((one, index) => (
          <div key={one.key} className={own.allocation}>
            <div className={own.head}>
              <TextField
                label={`Name of allocation ${index + 1}`}
                value={one.name}
                onChange={(name) =>
                  change({
                    allocations: external.allocations.map((each) => (each.key === one.key ? { ...each, name } : each)),
                    ...(external.initial === one.name && { initial: name }),
                  })
                }
              />
              <IconButton
                icon={IconX}
                label={`Remove allocation ${one.name}`}
                onClick={() =>
                  change({
                    allocations: external.allocations.filter(({ key }) => key !== one.key),
                    ...(external.initial === one.name && { initial: '' }),
                  })
                }
              />
            </div>
            <TickerRows
              title={one.name || `Allocation ${index + 1}`}
              rows={one.rows}
              ifEmpty="All in cash."
              onChange={(rows) =>
                change({
                  allocations: external.allocations.map((each) => (each.key === one.key ? { ...each, rows } : each)),
                })
              }
            />
          </div>
        ))}
        <div>
          <Button
            variant="default"
            leftSection={<IconPlus size={15} aria-hidden />}
            disabled={external.allocations.length >= MAX_SIGNAL_ALLOCATIONS}
            onClick={() => change({ allocations: addAllocation(external) })}
          >
            Add allocation
          </Button>
        </div>
        <SelectField
          label="Before the first signal"
          value={named.includes(external.initial) ? external.initial : ''}
          options={[{ value: '', label: 'Cash' }, ...named.map((name) => ({ value: name, label: name }))]}
          onChange={(initial) => change({ initial })}
        />
        <CheckField
          label="Signals may set weights"
          hint="Percentages of the tickers above, at most 100% in total; otherwise only names are accepted."
          checked={external.takesWeights}
          onChange={(takesWeights) => change({ takesWeights })}
        />
        {external.takesWeights && (
          <NumberField
            label="Maximum weight of a ticker"
            unit="%"
            value={external.maxWeightPct}
            onChange={(maxWeightPct) => change({ maxWeightPct })}
          />
        )}
      </div>
      <SignalsOfBacktest external={external} change={change} />
      <SignalsPanel strategyName={form.strategyName} />
    </>
  )
}

/** A file of more is none of signals. */
const MAX_FILE_BYTES = 2 * 1024 ** 2

function SignalsOfBacktest({
  external,
  change,
}: {
  external: ExternalForm
  change: (part: Partial<ExternalForm>) => void
}) {
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState<string>()
  const choose = async (chosen: File | null) => {
    setFile(chosen)
    setProblem(undefined)
    if (!chosen) return change({ csv: '', fileName: '' })
    if (chosen.size > MAX_FILE_BYTES) return setProblem('The file is larger than 2 MB.')
    change({ csv: await chosen.text(), fileName: chosen.name })
  }
  return (
    <div className={classes.section}>
      <FileField
        label="Signals of a backtest (optional)"
        accept=".csv,text/csv"
        file={file}
        hint="A CSV with the line time,signal, then 2026-03-04T20:55:00Z,risk-on. Without one, the signals that the saved strategy of this name received."
        {...(problem !== undefined && { error: problem })}
        onChange={(chosen) => void choose(chosen)}
      />
      {external.csv !== '' && (
        <div className={own.chosen}>
          <span>{external.fileName || 'Signals of a file'} is used.</span>
          <Button
            variant="default"
            size="xs"
            onClick={() => {
              setFile(null)
              change({ csv: '', fileName: '' })
            }}
          >
            Use received signals
          </Button>
        </div>
      )}
    </div>
  )
}
