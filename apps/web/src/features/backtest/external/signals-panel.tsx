import { kindNamed } from '@tradewright/core/strategy-kinds'
import { Button, CopyButton } from '@mantine/core'
import type { SignalEntry } from '@tradewright/contract/external-signals'
import { useState } from 'react'
import { serverMessageOr } from '../../../lib/call-error.ts'
import { formatPast, formatExact } from '../../../lib/format-time.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { type StatusShape, StatusPill } from '../../../ui/feedback/status-pill.tsx'
import { useNow } from '../../../ui/feedback/use-now.ts'
import { TextField } from '../../../ui/form/fields.tsx'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import classes from '../../../strategy-form/setup.module.css'
import { useStrategies } from '../queries.ts'
import own from './external.module.css'
import { useCreateAddress, useDeleteAddress, useSignals } from './queries.ts'

/** The address of the saved strategy of this name, and what it received. */
export function SignalsPanel({ strategyName }: { strategyName: string }) {
  const saved = useStrategies().data?.find(
    ({ name, strategy_type }) => kindNamed(strategy_type).receivesSignals && name === strategyName.trim(),
  )
  return (
    <div className={classes.section}>
      <h2 className={own.heading}>Address for signals</h2>
      {saved ? (
        <Signals key={saved.id} strategyId={saved.id} />
      ) : (
        <p className={classes.hint}>
          Run once with a name and “Save strategy” under Backtest: the saved strategy then gets an address and a secret.
        </p>
      )}
    </div>
  )
}

function Signals({ strategyId }: { strategyId: number }) {
  const signals = useSignals(strategyId)
  const create = useCreateAddress(strategyId)
  const end = useDeleteAddress(strategyId)
  const [asked, setAsked] = useState<'replace' | 'end' | null>(null)
  if (signals.error) {
    return <Banner kind="error" text={serverMessageOr(signals.error, 'The signals could not be loaded.')} />
  }
  if (!signals.data) return <p className={classes.hint}>Loading...</p>
  const { has_address: hasAddress, accepted, current, entries } = signals.data
  const failure = create.error ?? end.error
  return (
    <>
      {failure && <Banner kind="error" text={serverMessageOr(failure, 'The address could not be changed.')} />}
      {create.data && <NewAddress path={create.data.path} secret={create.data.secret} />}
      <p className={classes.hint}>
        {hasAddress ? 'Signals are accepted. ' : 'There is no address yet, so no signals are accepted. '}
        {accepted === 0
          ? 'None has been accepted so far.'
          : `${accepted} accepted so far, the newest says ${current ?? 'nothing'}.`}
      </p>
      <div className={own.buttons}>
        <Button
          variant="default"
          disabled={create.isPending}
          onClick={() => (hasAddress ? setAsked('replace') : create.mutate())}
        >
          {hasAddress ? 'New address and secret' : 'Create address and secret'}
        </Button>
        {hasAddress && (
          <Button variant="default" disabled={end.isPending} onClick={() => setAsked('end')}>
            End the address
          </Button>
        )}
      </div>
      <ul className={own.entries} aria-label="Received signals">
        {entries.slice(0, SHOWN).map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
      <ConfirmModal
        opened={asked !== null}
        title={asked === 'end' ? 'End the address?' : 'Make a new address and secret?'}
        text={
          asked === 'end'
            ? 'No further signals are accepted. Deployments continue with the newest accepted one.'
            : 'The current ones stop working at once: the sender needs the new ones.'
        }
        confirmLabel={asked === 'end' ? 'End the address' : 'Make new ones'}
        busy={create.isPending || end.isPending}
        onCancel={() => setAsked(null)}
        onConfirm={() => {
          const change = asked === 'end' ? end : create
          change.mutate(undefined, { onSettled: () => setAsked(null) })
        }}
      />
    </>
  )
}

const SHOWN = 20

const OUTCOMES: Record<SignalEntry['outcome'], { shape: StatusShape; word: string }> = {
  accepted: { shape: 'disc', word: 'Accepted' },
  doubled: { shape: 'ring', word: 'Duplicate' },
  late: { shape: 'bars', word: 'Late' },
  forged: { shape: 'cross', word: 'Forged' },
  unknown_target: { shape: 'cross', word: 'Unknown target' },
  unreadable: { shape: 'cross', word: 'Refused' },
}

function Entry({ entry: { outcome, target, reason, event_id, received_at } }: { entry: SignalEntry }) {
  const now = useNow()
  return (
    <li className={own.entry}>
      <div className={own.line}>
        {target ?? event_id ?? 'Signal'} <StatusPill {...OUTCOMES[outcome]} />
        <time className={own.about} dateTime={received_at} title={formatExact(received_at)}>
          {formatPast(received_at, now)}
        </time>
      </div>
      {reason && <p className={own.about}>{reason}</p>}
    </li>
  )
}

function NewAddress({ path, secret }: { path: string; secret: string }) {
  const url = `${window.location.origin}${path}`
  const example = JSON.stringify({ secret, allocation: 'risk-on', time: '{{timenow}}' })
  return (
    <>
      <Copied label="Address" value={url} />
      <Copied label="Secret" value={secret} />
      <p className={classes.hint}>
        Copy both now: they cannot be shown again. As the message of a TradingView alert, with the address as its
        webhook URL:
      </p>
      <pre className={own.example}>{example}</pre>
    </>
  )
}

function Copied({ label, value }: { label: string; value: string }) {
  return (
    <div className={own.secret}>
      <TextField label={label} readOnly value={value} onChange={() => {}} />
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button variant="default" aria-label={`Copy ${label.toLowerCase()}`} onClick={copy}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </div>
  )
}
