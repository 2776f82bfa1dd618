import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ApiKey } from '@tradewright/contract/api-keys'
import { KEY_SCOPES } from '@tradewright/core/key-scopes'
import { useState } from 'react'
import { formatPast, formatDate, formatExact } from '../../../lib/format-time.ts'
import { StatusPill } from '../../../ui/feedback/status-pill.tsx'
import { useNow } from '../../../ui/feedback/use-now.ts'
import { CardSection } from '../../../ui/layout/card.tsx'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import type { SettingsMessage } from '../messages.ts'
import screen from '../settings-screen.module.css'
import { LoadedSection } from '../settings-section.tsx'
import { KeyForm } from './key-form.tsx'
import { useApiKeys, useRevokeApiKey } from './queries.ts'

interface SectionProps {
  tell: (message: SettingsMessage) => void
}

export function ApiKeysSection({ tell }: SectionProps) {
  const [isCreating, setCreating] = useState(false)
  return (
    <LoadedSection
      id="api-keys"
      hint="For scripts and other programs that use this server for you, each with the rights that you give it. No key can change your account, keys or passwords."
      loading={useApiKeys()}
      failure="The API keys could not be loaded"
      actions={
        !isCreating && (
          <Button variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={() => setCreating(true)}>
            Create API key
          </Button>
        )
      }
      lead={
        isCreating && (
          <CardSection>
            <KeyForm tell={tell} onClose={() => setCreating(false)} />
          </CardSection>
        )
      }
    >
      {(keys) =>
        keys.length === 0
          ? !isCreating && (
              <CardSection>
                <p className={screen.explanation}>
                  No API keys. The calls are described at <a href="/api/v1/docs">/api/v1/docs</a>.
                </p>
              </CardSection>
            )
          : keys.map((key) => (
              <CardSection key={key.id}>
                <KeyRow apiKey={key} tell={tell} />
              </CardSection>
            ))
      }
    </LoadedSection>
  )
}

const labelOf = (scope: string): string => KEY_SCOPES.find(({ id }) => id === scope)?.label ?? scope

function KeyRow({ apiKey, tell }: SectionProps & { apiKey: ApiKey }) {
  const [isAsking, setAsking] = useState(false)
  const revoke = useRevokeApiKey(tell)
  const now = useNow()
  const { name, begins_with, scopes, calls_per_minute, expires_at, is_expired, last_used_at } = apiKey
  const close = () => setAsking(false)
  return (
    <div className={screen.row}>
      <div className={screen.words}>
        <p className={screen.name}>
          {name}
          {is_expired && <StatusPill shape="ring" word="Expired" />}
        </p>
        <p className={screen.explanation}>
          {begins_with}… · {scopes.map(labelOf).join(', ')} · {calls_per_minute} calls a minute
        </p>
        <p className={screen.explanation}>
          {last_used_at === null ? (
            'Never used'
          ) : (
            <>
              Last used{' '}
              <time dateTime={last_used_at} title={formatExact(last_used_at)}>
                {formatPast(last_used_at, now)}
              </time>
            </>
          )}{' '}
          · {is_expired ? 'expired' : 'expires'} <time dateTime={expires_at}>{formatDate(expires_at)}</time>
        </p>
      </div>
      <Button variant="default" aria-label={`Revoke ${name}`} onClick={() => setAsking(true)}>
        Revoke
      </Button>
      <ConfirmModal
        opened={isAsking}
        title={`Revoke the API key “${name}”?`}
        text="Programs that use it are refused at once. Deployments and runs that they started continue."
        confirmLabel="Revoke API key"
        busy={revoke.isPending}
        onCancel={close}
        onConfirm={() => revoke.mutate(apiKey, { onSettled: close })}
      />
    </div>
  )
}
