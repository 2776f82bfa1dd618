import { Button } from '@mantine/core'
import { IconPlus, IconX, IconAlertTriangle } from '@tabler/icons-react'
import type { Feature } from '@tradewright/contract/features'
import type { OptimizationRunItem } from '@tradewright/contract/optimization-run'
import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { Params } from '../../../strategy-form/form-values.ts'
import { ParameterInputs } from '../../../strategy-form/parameter-inputs.tsx'
import { useFeatures } from '../../../strategy-form/queries.ts'
import classes from '../../../strategy-form/setup.module.css'
import { SelectField } from '../../../ui/form/fields.tsx'
import { FieldError } from '../../../ui/form/field-error.tsx'
import { IconButton } from '../../../ui/form/buttons.tsx'
import { isTickerParameter, parseRange, assetsOf, type EditProps, type OptimizerForm } from '../form/form.ts'
import { type Message, failedTo, told } from '../messages.ts'
import { readSeed, seedSummary, seedWarnings, nothingToOffer, offeredSeeds } from '../seeds.ts'
import { runOptions, runLabel } from '../queries.ts'
import warningListClasses from './warning-list.module.css'

interface SeedsSectionProps extends EditProps {
  runs: readonly OptimizationRunItem[]
  tell: (message: Message | null) => void
}

/** Features that the first generation starts from, as one individual. */
export function SeedsSection({ form, edit, runs, tell }: SeedsSectionProps) {
  const catalogue = useFeatures().data ?? []
  return (
    <div className={classes.section}>
      <fieldset className={classes.group}>
        <legend>Seed features {form.seeds.length > 0 && form.seeds.length}</legend>
        <p className={classes.hint}>Known good features to start from, together as one individual.</p>
        {form.seeds.length > 0 && (
          <ul className={classes.chosen}>
            {form.seeds.map((seed) => (
              <li key={`${seed.id} ${JSON.stringify(seed.params)}`} className={classes.chosenRow}>
                <span className={classes.chosenName}>
                  {seed.name} <span className={classes.hint}>{seedSummary(seed, catalogue)}</span>
                </span>
                <IconButton
                  icon={IconX}
                  label={`Remove seed ${seed.name}`}
                  onClick={() => edit({ seeds: form.seeds.filter((other) => other !== seed) })}
                />
              </li>
            ))}
          </ul>
        )}
        <WarningList label="Seed warnings" warnings={seedWarnings(form)} />
        <AddSeed form={form} edit={edit} catalogue={catalogue} />
      </fieldset>
      <SeedsFromRun form={form} edit={edit} runs={runs} tell={tell} />
    </div>
  )
}

function AddSeed({ form, edit, catalogue }: EditProps & { catalogue: readonly Feature[] }) {
  const [picked, setPicked] = useState('')
  const [params, setParams] = useState<Params>({})
  const [refusal, setRefusal] = useState<string | null>(null)
  const feature = catalogue.find(({ id }) => String(id) === picked)

  const pick = (id: string) => {
    const next = catalogue.find((one) => String(one.id) === id)
    setPicked(id)
    setParams(next ? firstChoices(next, form) : {})
    setRefusal(null)
  }
  const add = () => {
    if (!feature) return
    const read = readSeed(feature, params, form)
    setRefusal('refusal' in read ? read.refusal : null)
    if ('refusal' in read) return
    edit({ seeds: [...form.seeds, read.seed] })
    setPicked('')
  }

  return (
    <>
      <div className={classes.pickRow}>
        <SelectField
          label="Seed feature"
          hideLabel
          value={picked}
          options={[
            { value: '', label: 'Choose a seed feature...' },
            ...catalogue.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          onChange={pick}
        />
        <Button
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={picked === ''}
          onClick={add}
        >
          Add Seed
        </Button>
      </div>
      {feature && (
        <ParameterInputs
          owner={feature.name}
          definitions={feature.config.params_def}
          params={params}
          onChange={setParams}
        />
      )}
      {refusal && (
        <div role="alert">
          <FieldError text={refusal} />
        </div>
      )}
    </>
  )
}

/** The first value that the form allows for each parameter, so that a seed fits from the start where it can. */
function firstChoices(feature: Feature, form: OptimizerForm): Params {
  const type = form.featureTypes.find(({ id }) => id === feature.id)
  const [asset = ''] = assetsOf(form)
  const values = feature.config.params_def.map(({ name, default: preset }) => {
    if (isTickerParameter(name)) return [name, asset] as const
    return [name, parseRange(type?.ranges[name] ?? '')[0] ?? preset] as const
  })
  return Object.fromEntries(values)
}

interface SeedsFromRunProps extends EditProps {
  runs: readonly OptimizationRunItem[]
  tell: (message: Message | null) => void
}

/** Takes over those best features of an earlier run that fit the form as it is now. */
function SeedsFromRun({ form, edit, runs, tell }: SeedsFromRunProps) {
  const queries = useQueryClient()
  const [runId, setRunId] = useState('')
  const [isLoading, setLoading] = useState(false)
  const completed = runs.filter(({ status }) => status === 'completed')

  const load = async () => {
    setLoading(true)
    tell(null)
    try {
      const best = (await queries.fetchQuery(runOptions(queries, runId))).results?.best_features ?? []
      const nothing = nothingToOffer(best, form)
      const { seeds, skipped } = offeredSeeds(best, form)
      if (nothing === null) edit({ seeds: [...form.seeds, ...seeds] })
      tell(told(nothing ?? summaryOf(seeds.length, skipped)))
    } catch (error) {
      tell(failedTo('load seeds', error))
    } finally {
      setLoading(false)
    }
  }

  return (
    <div className={classes.pickRow}>
      <SelectField
        label="Seeds from a run"
        hideLabel
        value={runId}
        disabled={completed.length === 0}
        options={[
          { value: '', label: completed.length === 0 ? 'No completed runs yet' : 'Choose a run...' },
          ...completed.map((run) => ({ value: String(run.id), label: runLabel(run) })),
        ]}
        onChange={setRunId}
      />
      <Button variant="default" disabled={runId === ''} loading={isLoading} onClick={() => void load()}>
        Load seeds
      </Button>
    </div>
  )
}

function summaryOf(added: number, skipped: number): string {
  const rest = skipped > 0 ? ` ${skipped} were skipped due to configuration differences.` : ''
  return `${added} seed ${added === 1 ? 'feature was' : 'features were'} added.${rest}`
}

/** Nothing where there is nothing to warn of. */
export function WarningList({ label, warnings }: { label: string; warnings: readonly string[] }) {
  if (warnings.length === 0) return null
  return (
    <ul className={warningListClasses.warnings} aria-label={label}>
      {warnings.map((warning) => (
        <li key={warning}>
          <IconAlertTriangle size={14} stroke={1.8} aria-hidden />
          {warning}
        </li>
      ))}
    </ul>
  )
}
