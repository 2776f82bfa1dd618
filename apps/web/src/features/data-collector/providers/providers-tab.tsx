import { Button } from '@mantine/core'
import { IconPlugConnected, IconSparkles, IconPencil, IconTrash } from '@tabler/icons-react'
import type { Provider } from '@tradewright/contract/data-collector'
import { useState } from 'react'
import type { DryRun } from '@tradewright/contract/custom-providers'
import { Card, CardSection } from '../../../ui/layout/card.tsx'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { NotLoaded } from '../load-failure.tsx'
import {
  useProviders,
  useDeleteProvider,
  useRenameProvider,
  type ApiForm,
  useGenerateProvider,
  useSaveProvider,
  useTryProvider,
} from '../queries.ts'
import { useDialog, type Tell, useNotice, NoticeBanner } from '../notice.tsx'
import classes from './providers-tab.module.css'
import { ContentModal, CancelButton } from '../../../ui/layout/content-modal.tsx'
import layout from '../layout.module.css'
import { TextField } from '../../../ui/form/fields.tsx'
import { formatCount, formatQuantity } from '../../../lib/format.ts'
import { Fact, Facts } from '../../../ui/table/figure.tsx'
import { IconButton } from '../../../ui/form/buttons.tsx'
import { SourceBadge } from '../../../ui/feedback/source-badge.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { TextAreaField, SecretField } from '../../../ui/form/fields/text-fields.tsx'
import { parsed } from '../../../lib/http.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { numeric, Table } from '../../../ui/table/table.tsx'

export function ProvidersTab({ tell }: { tell: Tell }) {
  const providers = useProviders()
  const generation = useDialog<true>()
  const renaming = useDialog<Provider>()
  const removal = useDialog<Provider>()
  const deletion = useDeleteProvider(tell)
  const { subject: removed } = removal
  return (
    <div className={classes.tab}>
      <div className={classes.head}>
        <p className={classes.note}>Data sources, and the limits of each provider</p>
        <Button leftSection={<IconSparkles size={15} aria-hidden />} onClick={() => generation.open(true)}>
          Generate Custom Provider
        </Button>
      </div>
      {providers.isPending && (
        <Card>
          <CardSkeleton rows={5} />
        </Card>
      )}
      {providers.isError && !providers.data && (
        <Card>
          <NotLoaded onRetry={() => void providers.refetch()} />
        </Card>
      )}
      {providers.data?.length === 0 && (
        <Card>
          <EmptyState
            icon={IconPlugConnected}
            title="No Providers Configured"
            text="Generate a custom provider from the documentation of an API, or ask the operator of this site."
          />
        </Card>
      )}
      <div className={classes.cards}>
        {providers.data?.map((provider) => (
          <ProviderCard
            key={provider.id}
            provider={provider}
            onRename={() => renaming.open(provider)}
            onDelete={() => removal.open(provider)}
          />
        ))}
      </div>
      <GenerateModal dialog={generation} tell={tell} />
      <RenameProvider dialog={renaming} tell={tell} />
      <ConfirmModal
        opened={removal.isOpen}
        title={`Delete provider “${removed?.display_name ?? ''}”?`}
        text="Its definition and key are removed; the data it collected is kept. This cannot be undone."
        confirmLabel="Delete provider"
        busy={deletion.isPending}
        onCancel={removal.close}
        onConfirm={() => removed && deletion.mutate(removed.id, { onSettled: removal.close })}
      />
    </div>
  )
}

interface GenerateModalProps {
  dialog: ReturnType<typeof useDialog<true>>
  tell: Tell
}

function GenerateModal({ dialog, tell }: GenerateModalProps) {
  return (
    <ContentModal opened={dialog.isOpen} title="Generate New Provider" onClose={dialog.close}>
      <Generation key={dialog.times} tell={tell} onClose={dialog.close} />
    </ContentModal>
  )
}

/** First the documentation, then what the model made of it: nothing is saved before the user has seen it work. */
function Generation({ tell, onClose }: { tell: Tell; onClose: () => void }) {
  const [definition, setDefinition] = useState<unknown>(undefined)
  const { notice, tell: tellHere, dismiss } = useNotice()
  return (
    <div className={layout.form}>
      <NoticeBanner notice={notice} onClose={dismiss} />
      {definition === undefined ? (
        <DescribeForm tell={tellHere} onGenerated={setDefinition} />
      ) : (
        <ReviewDefinition
          definition={definition}
          tell={tell}
          tellHere={tellHere}
          onBack={() => setDefinition(undefined)}
          onClose={onClose}
        />
      )}
    </div>
  )
}

interface RenameProviderProps {
  dialog: ReturnType<typeof useDialog<Provider>>
  tell: Tell
}

function RenameProvider({ dialog, tell }: RenameProviderProps) {
  return (
    <ContentModal opened={dialog.isOpen} title="Rename Provider" onClose={dialog.close}>
      {dialog.subject && <RenameForm key={dialog.times} provider={dialog.subject} tell={tell} onClose={dialog.close} />}
    </ContentModal>
  )
}

function RenameForm({ provider, tell, onClose }: { provider: Provider; tell: Tell; onClose: () => void }) {
  const [name, setName] = useState(provider.display_name)
  const renaming = useRenameProvider(tell)
  return (
    <form
      className={layout.form}
      onSubmit={(event) => {
        event.preventDefault()
        renaming.mutate({ id: provider.id, display_name: name }, { onSettled: onClose })
      }}
    >
      <TextField label="Provider name" value={name} onChange={setName} />
      <div className={layout.foot}>
        <CancelButton />
        <Button type="submit" disabled={name.trim() === '' || renaming.isPending}>
          Rename
        </Button>
      </div>
    </form>
  )
}

interface ProviderCardProps {
  provider: Provider
  onRename: () => void
  onDelete: () => void
}

/** Only custom providers can be changed; the others come with the program. */
function ProviderCard({ provider, onRename, onDelete }: ProviderCardProps) {
  const { display_name: name, max_ticker_batch: batch } = provider
  return (
    <Card
      title={name}
      actions={
        <>
          {provider.synthetic && <SourceBadge synthetic />}
          {provider.is_custom && (
            <>
              <Tag tone="accent">Custom</Tag>
              <IconButton icon={IconPencil} label={`Rename ${name}`} onClick={onRename} />
              <IconButton icon={IconTrash} label={`Delete ${name}`} onClick={onDelete} />
            </>
          )}
        </>
      }
    >
      <CardSection>
        <Facts>
          <Fact label="Type">{provider.provider_type}</Fact>
          <Fact label="Auth required">{provider.requires_auth ? 'Yes' : 'No'}</Fact>
          <Fact label="Max batch">
            {formatCount(batch)} {batch === 1 ? 'ticker' : 'tickers'}
          </Fact>
        </Facts>
        <p className={classes.offers}>
          {provider.granularities.join(', ')} · {provider.supported_categories.join(', ')}
        </p>
      </CardSection>
    </Card>
  )
}

interface DescribeFormProps {
  tell: Tell
  onGenerated: (definition: unknown) => void
}

const EMPTY: ApiForm = { provider_name: '', api_documentation: '', additional_context: '' }

/** Marks what is needed and leaves the checking to the server. */
function DescribeForm({ tell, onGenerated }: DescribeFormProps) {
  const [form, setForm] = useState(EMPTY)
  const generation = useGenerateProvider(tell)
  const edit = (change: Partial<ApiForm>) => setForm((before) => ({ ...before, ...change }))
  return (
    <form
      className={layout.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        generation.mutate(form, { onSuccess: ({ definition }) => onGenerated(definition) })
      }}
    >
      <p className={layout.words}>
        Your AI model turns the documentation of an API into a definition: addresses and the fields to read, never code.
        You can test it before it is saved.
      </p>
      <TextField
        label="Provider name"
        required
        value={form.provider_name}
        onChange={(provider_name) => edit({ provider_name })}
      />
      <TextAreaField
        label="Documentation URL"
        required
        hint="The address of the API's documentation, or its text"
        rows={3}
        value={form.api_documentation}
        onChange={(api_documentation) => edit({ api_documentation })}
      />
      <TextAreaField
        label="Additional context"
        hint="Which endpoint to use and which tickers it supports"
        rows={2}
        value={form.additional_context}
        onChange={(additional_context) => edit({ additional_context })}
      />
      <div className={layout.foot}>
        <CancelButton />
        <Button type="submit" disabled={generation.isPending}>
          {generation.isPending ? 'Generating...' : 'Generate Provider'}
        </Button>
      </div>
    </form>
  )
}

interface ReviewDefinitionProps {
  definition: unknown
  tell: Tell
  tellHere: Tell
  onBack: () => void
  onClose: () => void
}

/** The definition can be mended by hand; what is saved is what was tried last. */
function ReviewDefinition({ definition, tell, tellHere, onBack, onClose }: ReviewDefinitionProps) {
  const [text, setText] = useState(() => JSON.stringify(definition, null, 2))
  const [ticker, setTicker] = useState('')
  const [apiKey, setApiKey] = useState('')
  const trial = useTryProvider(tellHere)
  const save = useSaveProvider({ tell, onSaved: onClose, onFailed: tellHere })
  const candidate = { definition: parsed(text), ticker, api_key: apiKey }
  const isJson = candidate.definition !== undefined
  const change = (apply: () => void) => {
    apply()
    trial.reset()
  }
  return (
    <form
      className={layout.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        trial.mutate(candidate)
      }}
    >
      <TextAreaField
        label="Definition"
        hint="A definition is read as data, never executed as code"
        mono
        rows={14}
        value={text}
        error={isJson ? undefined : 'This is not JSON.'}
        onChange={(value) => change(() => setText(value))}
      />
      <div className={classes.two}>
        <TextField
          label="Ticker to try"
          hint="A ticker that the API supports"
          placeholder="AAPL"
          value={ticker}
          onChange={(value) => change(() => setTicker(value))}
        />
        <SecretField
          label="API key"
          hint="Stored encrypted; leave empty if none is needed"
          value={apiKey}
          onChange={(value) => change(() => setApiKey(value))}
        />
      </div>
      {trial.data && <DryRunReport run={trial.data} />}
      <div className={layout.foot}>
        <Button variant="subtle" color="gray" onClick={onBack}>
          Back
        </Button>
        <Button type="submit" variant="default" disabled={!isJson || trial.isPending}>
          {trial.isPending ? 'Trying...' : 'Try it'}
        </Button>
        <Button disabled={!trial.data?.works || save.isPending} onClick={() => save.mutate(candidate)}>
          {save.isPending ? 'Saving...' : 'Save Provider'}
        </Button>
      </div>
    </form>
  )
}

/** The API's records as they would be stored, and what is wrong with them. */
function DryRunReport({ run }: { run: DryRun }) {
  const columns = [...new Set(run.sample.flatMap((row) => Object.keys(row)))]
  return (
    <section aria-label="Dry run" className={classes.report}>
      {run.works ? (
        <Banner kind="success" text={`It works: ${formatCount(run.row_count)} rows of the last month`} />
      ) : (
        <Banner kind="error" text="It does not work yet" detail={run.problems.join(' ')} />
      )}
      {run.sample.length > 0 && (
        <Table label="First rows">
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} className={name === 'date' ? undefined : numeric}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {run.sample.map((row) => (
              <tr key={String(row['date'])}>
                {columns.map((name) => (
                  <td key={name} className={name === 'date' ? 'tabular' : numeric}>
                    {typeof row[name] === 'number' ? formatQuantity(row[name]) : row[name]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </section>
  )
}
