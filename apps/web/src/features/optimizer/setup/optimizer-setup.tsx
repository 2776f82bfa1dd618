import { choicesOf } from '@tradewright/core/backtest-settings'
import { Button } from '@mantine/core'
import { IconPlayerPlayFilled, IconPlus, IconAdjustmentsHorizontal, IconX } from '@tabler/icons-react'
import type { OptimizationRunItem } from '@tradewright/contract/optimization-run'
import { STUDIO_PROVIDERS } from '@tradewright/contract/backtests'
import { MAX_FEATURES_RF } from '@tradewright/contract/optimizer-form'
import { modelLabels } from '@tradewright/core/model-catalogue'
import type { Feature } from '@tradewright/contract/features'
import { useState } from 'react'
import { formatDateRange } from '../../../lib/format-time.ts'
import { SettingsForm } from '../../../ui/form/settings-form.tsx'
import {
  type EditProps,
  type OptimizerForm,
  type FeatureType,
  featureTypeOf,
  parseRange,
  rangeDefinitions,
} from '../form/form.ts'
import { warningsOf, useFormCheck } from '../form/form-request.ts'
import { type Message, catalogueFailed } from '../messages.ts'
import { EarlyStoppingSection, SearchSection, NestedSection, WalkForwardSection } from './search-section.tsx'
import { SeedsSection, WarningList } from './seeds-section.tsx'
import classes from './form-check.module.css'
import periodSectionClasses from '../../../strategy-form/setup.module.css'
import { EndedTickerFields } from '../../../strategy-form/tickers/ended-ticker-fields.tsx'
import { MixedPricesField } from '../../../strategy-form/data/mixed-prices-field.tsx'
import { SelectField, TextField } from '../../../ui/form/fields.tsx'
import { FieldError } from '../../../ui/form/field-error.tsx'
import { useTargets, useFeatures } from '../../../strategy-form/queries.ts'
import assetsSectionClasses from '../../../strategy-form/setup.module.css'
import { TargetPicker } from '../../../strategy-form/target-picker.tsx'
import { TickerField } from '../../../strategy-form/tickers/ticker-field.tsx'
import { TickerExamples } from '../../../strategy-form/tickers/ticker-examples.tsx'
import { TickerListWidget } from '../ticker-lists/ticker-list-widget.tsx'
import { ModelFields } from '../../../strategy-form/model-fields.tsx'
import modelSectionClasses from '../../../strategy-form/setup.module.css'
import { SplitFields } from '../../../strategy-form/split-fields.tsx'
import { TickerRows } from '../../../strategy-form/tickers/ticker-rows.tsx'
import { findEntry, paramsSummary } from '../../../strategy-form/catalogue.ts'
import { starterFeatures } from '../../../strategy-form/starter-set.ts'
import featuresSectionClasses from '../../../strategy-form/setup.module.css'
import featureRangesListClasses from '../../../strategy-form/setup.module.css'
import { IconButton } from '../../../ui/form/buttons.tsx'

/** A target is about the target asset, so its own ticker is not asked for again. */
const ASKED_ELSEWHERE = ['ticker']

function AssetsSection({ form, edit, tell }: EditProps & { tell: (message: Message | null) => void }) {
  const targets = useTargets()
  return (
    <>
      <div className={assetsSectionClasses.section}>
        <TickerField
          isSeveral
          label="Target asset"
          hint="One or several tickers, separated by commas. The search tries each of them."
          value={form.targetTickers}
          onChange={(targetTickers) => edit({ targetTickers })}
        />
        <TickerListWidget
          type="target"
          title="Target lists"
          text={form.targetTickers}
          listId={form.targetListId}
          onChange={(targetListId, targetTickers) => edit({ targetListId, targetTickers })}
          tell={tell}
        />
        <TargetPicker chosen={form.target} onChange={(target) => edit({ target })} without={ASKED_ELSEWHERE} />
        {targets.isError && <FieldError text={catalogueFailed('target', targets.error)} />}
      </div>
      <div className={assetsSectionClasses.section}>
        <TickerField
          isSeveral
          label="Related assets"
          hint="Tickers that features may use in addition to the target asset"
          placeholder="SPY, TLT, DGS10"
          value={form.relatedTickers}
          onChange={(relatedTickers) => edit({ relatedTickers })}
        />
        <TickerListWidget
          type="feature"
          title="Feature lists"
          text={form.relatedTickers}
          listId={form.relatedListId}
          onChange={(relatedListId, relatedTickers) => edit({ relatedListId, relatedTickers })}
          tell={tell}
        />
        <TickerExamples />
      </div>
    </>
  )
}

interface OptimizerSetupProps extends EditProps {
  runs: readonly OptimizationRunItem[]
  isRunning: boolean
  /** A result is on show, whose own button is the one to press next. */
  hasResults: boolean
  onRun: () => void
  onStartOver: () => void
  tell: (message: Message | null) => void
}

export function OptimizerSetup(props: OptimizerSetupProps) {
  const { form, edit, runs, isRunning, hasResults, onRun, onStartOver, tell } = props
  const warnings = warningsOf(form)
  return (
    <SettingsForm
      label="Optimizer configuration"
      isBelowTabs
      onSubmit={() => warnings.length === 0 && !isRunning && onRun()}
      summary={summaryOf(form)}
      aside={
        <Button variant="subtle" color="gray" size="compact-xs" disabled={isRunning} onClick={onStartOver}>
          Start over
        </Button>
      }
      foot={
        <>
          <WarningList label="Before the run" warnings={warnings} />
          {warnings.length === 0 && !isRunning && <FormCheck form={form} />}
          <Button
            type="submit"
            fullWidth
            size="md"
            variant={hasResults ? 'default' : 'filled'}
            disabled={isRunning || warnings.length > 0}
            {...(isRunning ? {} : { leftSection: <IconPlayerPlayFilled size={14} aria-hidden /> })}
          >
            {isRunning ? 'Running...' : 'Run optimization'}
          </Button>
        </>
      }
    >
      <AssetsSection form={form} edit={edit} tell={tell} />
      <FeaturesSection form={form} edit={edit} />
      <PeriodSection form={form} edit={edit} />
      <SearchSection form={form} edit={edit} />
      <ModelSection form={form} edit={edit} />
      <WalkForwardSection form={form} edit={edit} />
      <NestedSection form={form} edit={edit} />
      <EarlyStoppingSection form={form} edit={edit} />
      <SeedsSection form={form} edit={edit} runs={runs} tell={tell} />
    </SettingsForm>
  )
}

/** The set-up in one line. */
function summaryOf(form: OptimizerForm): string {
  const period = formatDateRange(form.startDate, form.endDate)
  return `${period} · ${form.populationSize} × ${form.generations} · ${form.evaluationMetric}`
}

/** Before Run is pressed: how large the search would be, or the sentence with which it would be refused. */
function FormCheck({ form }: { form: OptimizerForm }) {
  const { size, refusal } = useFormCheck(form)
  return (
    <div aria-live="polite">
      {refusal !== null && <WarningList label="This cannot run yet" warnings={[refusal]} />}
      {size !== null && <p className={`${classes.size} tabular`}>{size}</p>}
    </div>
  )
}

function PeriodSection({ form, edit }: EditProps) {
  return (
    <div className={periodSectionClasses.section}>
      <div className={periodSectionClasses.row}>
        <TextField
          label="Start date"
          type="date"
          value={form.startDate}
          onChange={(startDate) => edit({ startDate })}
        />
        <TextField label="End date" type="date" value={form.endDate} onChange={(endDate) => edit({ endDate })} />
      </div>
      <div className={periodSectionClasses.row}>
        <SelectField
          label="Data granularity"
          value={form.dataGranularity}
          options={choicesOf('dataGranularity')}
          onChange={(dataGranularity) => edit({ dataGranularity })}
        />
        <SelectField
          label="Data provider"
          value={form.dataProvider}
          options={withCurrent(STUDIO_PROVIDERS, form.dataProvider)}
          onChange={(dataProvider) => edit({ dataProvider })}
        />
      </div>
      <EndedTickerFields form={form} edit={edit} />
      <MixedPricesField checked={form.allowMixedPrices} onChange={(allowMixedPrices) => edit({ allowMixedPrices })} />
    </div>
  )
}

/** A run may have used a provider that the form itself does not offer. */
const withCurrent = (options: readonly string[], current: string) =>
  options.includes(current) ? options : [...options, current]

function ModelSection({ form, edit }: EditProps) {
  return (
    <>
      <div className={modelSectionClasses.section}>
        <SelectField
          label="Model"
          value={form.mlModel}
          options={modelLabels}
          onChange={(mlModel) => edit({ mlModel })}
        />
        <SplitFields form={form} edit={edit} />
        <TickerRows
          title="Buy (signal 1)"
          rows={form.signal1Allocations}
          ifEmpty="100% of the target asset"
          onChange={(signal1Allocations) => edit({ signal1Allocations })}
        />
        <TickerRows
          title="Sell (signal 0)"
          isCashLeg
          rows={form.signal0Allocations}
          ifEmpty="Cash"
          onChange={(signal0Allocations) => edit({ signal0Allocations })}
        />
      </div>
      <ModelParameters form={form} edit={edit} />
    </>
  )
}

function ModelParameters({ form, edit }: EditProps) {
  return (
    <ModelFields
      model={form.mlModel}
      legend={form.mlModel}
      range={(from, to) => `${from}–${to}`}
      form={form}
      edit={edit}
      maxFeatures={
        <SelectField
          label="Max features (RF)"
          hint="Per split"
          value={form.maxFeaturesRf}
          options={MAX_FEATURES_RF}
          onChange={(maxFeaturesRf) => edit({ maxFeaturesRf })}
        />
      }
    />
  )
}

function FeaturesSection({ form, edit }: EditProps) {
  const features = useFeatures()
  const catalogue = features.data ?? []
  const [picked, setPicked] = useState('')
  const chosen = form.featureTypes
  const isChosen = (feature: Feature) => chosen.some(({ id }) => findEntry(catalogue, id) === feature)
  const add = (added: readonly Feature[]) =>
    edit({
      featureTypes: [
        ...chosen,
        ...added.filter((feature) => !isChosen(feature)).map((feature) => featureTypeOf(feature)),
      ],
    })

  return (
    <div className={featuresSectionClasses.section}>
      <fieldset className={featuresSectionClasses.group}>
        <legend>Feature types {chosen.length > 0 && chosen.length}</legend>
        <div className={featuresSectionClasses.pickRow}>
          <SelectField
            label="Feature type"
            hideLabel
            value={picked}
            options={[
              { value: '', label: 'Choose a feature...' },
              ...catalogue.map((feature) => ({
                value: String(feature.id),
                label: feature.name,
                disabled: isChosen(feature),
              })),
            ]}
            onChange={setPicked}
          />
          <Button
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={picked === ''}
            onClick={() => {
              add(catalogue.filter(({ id }) => String(id) === picked))
              setPicked('')
            }}
          >
            Add Feature
          </Button>
        </div>
        {picked !== '' && (
          <p className={featuresSectionClasses.hint}>{findEntry(catalogue, Number(picked))?.description}</p>
        )}
        {chosen.length === 0 && catalogue.length > 0 && (
          <p className={featuresSectionClasses.hint}>
            New here?{' '}
            <Button variant="default" size="compact-sm" onClick={() => add(starterFeatures(catalogue))}>
              Add a starter set
            </Button>
          </p>
        )}
        {features.isError && <FieldError text={catalogueFailed('feature', features.error)} />}
      </fieldset>
      {chosen.length > 0 && (
        <FeatureRanges catalogue={catalogue} chosen={chosen} onChange={(featureTypes) => edit({ featureTypes })} />
      )}
    </div>
  )
}

interface FeatureRangesProps {
  catalogue: readonly Feature[]
  chosen: FeatureType[]
  onChange: (chosen: FeatureType[]) => void
}

/** Each kind of feature with the values that its parameters may take. */
function FeatureRanges({ catalogue, chosen, onChange }: FeatureRangesProps) {
  const [openId, setOpenId] = useState<FeatureType['id'] | null>(null)
  return (
    <fieldset className={featureRangesListClasses.group}>
      <legend>Feature Parameters</legend>
      <p className={featureRangesListClasses.hint}>
        Values separated by commas; the search tries their combinations on every asset.
      </p>
      <ul className={featureRangesListClasses.chosen}>
        {chosen.map((type) => (
          <FeatureRow
            key={type.id}
            type={type}
            feature={findEntry(catalogue, type.id)}
            isOpen={openId === type.id}
            onToggle={() => setOpenId(openId === type.id ? null : type.id)}
            onChange={(ranges) => onChange(chosen.map((other) => (other === type ? { ...type, ranges } : other)))}
            onRemove={() => onChange(chosen.filter((other) => other !== type))}
          />
        ))}
      </ul>
    </fieldset>
  )
}

interface FeatureRowProps {
  type: FeatureType
  /** Undefined while the catalogue is on its way, or when it does not know this feature. */
  feature: Feature | undefined
  isOpen: boolean
  onToggle: () => void
  onChange: (ranges: FeatureType['ranges']) => void
  onRemove: () => void
}

function FeatureRow({ type, feature, isOpen, onToggle, onChange, onRemove }: FeatureRowProps) {
  const name = feature?.name ?? type.name
  const definitions = feature ? rangeDefinitions(feature) : []
  const summary = paramsSummary(definitions, type.ranges)
  return (
    <li>
      <div className={featureRangesListClasses.chosenRow}>
        <span className={featureRangesListClasses.chosenName} title={`${name}  ${summary}`}>
          {name} <span className={featureRangesListClasses.hint}>{summary}</span>
        </span>
        {definitions.length > 0 && (
          <IconButton icon={IconAdjustmentsHorizontal} label={`Parameter ranges of ${name}`} onClick={onToggle} />
        )}
        <IconButton icon={IconX} label={`Remove ${name}`} onClick={onRemove} />
      </div>
      {isOpen && (
        <div className={featureRangesListClasses.ranges}>
          {definitions.map((definition) => {
            const text = type.ranges[definition.name] ?? ''
            return (
              <TextField
                key={definition.name}
                label={definition.label}
                error={parseRange(text).length === 0 ? 'Enter at least one value' : undefined}
                value={text}
                onChange={(value) => onChange({ ...type.ranges, [definition.name]: value })}
              />
            )
          })}
        </div>
      )}
    </li>
  )
}
