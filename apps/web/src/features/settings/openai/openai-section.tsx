import { Button } from '@mantine/core'
import type { OpenAiStatus } from '@tradewright/contract/openai'
import { useState } from 'react'
import { formatMarketMoment } from '../../../lib/format-time.ts'
import { CardSection } from '../../../ui/layout/card.tsx'
import { SelectField } from '../../../ui/form/fields.tsx'
import { StatusPill } from '../../../ui/feedback/status-pill.tsx'
import type { SettingsMessage } from '../messages.ts'
import { LoadedSection } from '../settings-section.tsx'
import { OpenAiConnectForm } from './openai-connect-form.tsx'
import { modelOptions } from './openai-model-options.ts'
import { useDisconnectOpenAi, useOpenAiModels, useOpenAiStatus, useUpdateModel } from './openai-queries.ts'
import ownClasses from './openai-section.module.css'
import classes from '../settings-screen.module.css'

interface SectionProps {
  tell: (message: SettingsMessage) => void
}

export function OpenAiSection({ tell }: SectionProps) {
  return (
    <LoadedSection
      id="openai"
      hint="The key and model of the AI assistant. The key is kept encrypted and never shown again."
      loading={useOpenAiStatus()}
      failure="The OpenAI connection could not be loaded"
    >
      {(status) => (status.connected ? <Connected status={status} tell={tell} /> : <Disconnected tell={tell} />)}
    </LoadedSection>
  )
}

function Disconnected({ tell }: SectionProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <CardSection>
      <div className={classes.row}>
        <div className={classes.words}>
          <p className={classes.name}>
            OpenAI
            <StatusPill shape="ring" word="Not connected" />
          </p>
          <p className={classes.explanation}>Until a model is connected, the built-in assistant answers.</p>
        </div>
        {!isOpen && (
          <Button variant="default" onClick={() => setOpen(true)}>
            Connect
          </Button>
        )}
      </div>
      {isOpen && <OpenAiConnectForm tell={tell} onDone={() => setOpen(false)} />}
    </CardSection>
  )
}

function Connected({ status, tell }: SectionProps & { status: OpenAiStatus }) {
  const disconnect = useDisconnectOpenAi(tell)
  return (
    <>
      <CardSection>
        <div className={classes.row}>
          <div className={classes.words}>
            <p className={classes.name}>
              OpenAI
              <ConnectionPill status={status} />
            </p>
            <p className={classes.explanation}>{explanationOf(status)}</p>
          </div>
          <Button variant="default" disabled={disconnect.isPending} onClick={() => disconnect.mutate()}>
            {disconnect.isPending ? 'Disconnecting...' : 'Disconnect'}
          </Button>
        </div>
      </CardSection>
      <ModelRow current={status.model_preference} tell={tell} />
    </>
  )
}

function ConnectionPill({ status }: { status: OpenAiStatus }) {
  if (status.enter_again) return <StatusPill shape="bars" word="Enter again" />
  return status.unverified_reason ? (
    <StatusPill shape="bars" word="Not verified yet" />
  ) : (
    <StatusPill shape="disc" word="Connected" />
  )
}

function explanationOf({ enter_again, unverified_reason, last_used, base_url }: OpenAiStatus): string {
  if (enter_again) return 'The stored key can no longer be read. Disconnect, then connect it again.'
  const used = last_used ? `Last used ${formatMarketMoment(last_used)}.` : 'Not used yet.'
  return [unverified_reason, base_url && `Server ${base_url}.`, used].filter(Boolean).join(' ')
}

function ModelRow({ current, tell }: SectionProps & { current: string }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const models = useOpenAiModels(true)
  const update = useUpdateModel(tell)
  const model = chosen ?? current
  return (
    <CardSection>
      <div className={ownClasses.model}>
        <SelectField
          label="Model"
          hint={models.data?.unverified_reason ?? undefined}
          value={model}
          options={modelOptions(models.data?.models, model)}
          onChange={setChosen}
        />
        <Button variant="default" disabled={model === current || update.isPending} onClick={() => update.mutate(model)}>
          {update.isPending ? 'Updating...' : 'Update model'}
        </Button>
      </div>
    </CardSection>
  )
}
