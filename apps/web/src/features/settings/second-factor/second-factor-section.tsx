import { Button, CopyButton } from '@mantine/core'
import {
  addPasskey,
  addTotp,
  beginPasskey,
  beginTotp,
  type Factor,
  listFactors,
  makeRecoveryCodes,
  removeFactor,
} from '@tradewright/contract/second-factor'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useMemo, useState } from 'react'
import { renderSVG } from 'uqr'
import { serverMessageOr } from '../../../lib/call-error.ts'
import { formatPast, formatDate } from '../../../lib/format-time.ts'
import { type AnswerOf, call } from '../../../lib/http.ts'
import { useNow } from '../../../ui/feedback/use-now.ts'
import { CancelFormButton } from '../../../ui/form/buttons.tsx'
import { TextField } from '../../../ui/form/fields.tsx'
import { SecretField } from '../../../ui/form/fields/text-fields.tsx'
import { LEAVE_FREELY } from '../../../ui/form/unsaved-work.ts'
import { CardSection } from '../../../ui/layout/card.tsx'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import type { SettingsMessage } from '../messages.ts'
import { useAuthMethods } from '../queries.ts'
import screen from '../settings-screen.module.css'
import { LoadedSection } from '../settings-section.tsx'
import classes from './second-factor.module.css'

interface SectionProps {
  tell: (message: SettingsMessage) => void
}

const KEY = ['second factors']
type Factors = AnswerOf<typeof listFactors>
type Kind = Factor['kind']

const KIND_WORDS: Record<Kind, string> = { totp: 'Authenticator app', passkey: 'Passkey' }

export function SecondFactorSection({ tell }: SectionProps) {
  const factors = useQuery({ queryKey: KEY, queryFn: ({ signal }) => call(listFactors, { signal }) })
  const [adding, setAdding] = useState<Kind | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const close = () => setAdding(null)
  return (
    <LoadedSection
      id="second-factor"
      hint="Asked for after the password, and again before real money begins to trade, keys are made, or the password or address changes."
      loading={factors}
      failure="The second factors could not be loaded"
    >
      {(loaded) => (
        <>
          {loaded.factors.map((factor) => (
            <CardSection key={factor.id}>
              <FactorRow factor={factor} isLast={loaded.factors.length === 1} tell={tell} />
            </CardSection>
          ))}
          {codes && (
            <CardSection>
              <NewCodes codes={codes} onClose={() => setCodes(null)} />
            </CardSection>
          )}
          {loaded.factors.length > 0 && !codes && (
            <CardSection>
              <RecoveryRow left={loaded.recovery_codes} tell={tell} onCodes={setCodes} />
            </CardSection>
          )}
          <CardSection>
            {adding === null ? (
              <AddRow loaded={loaded} onAdd={setAdding} />
            ) : (
              <AddForm
                key={adding}
                kind={adding}
                isFirst={loaded.factors.length === 0}
                tell={tell}
                onClose={close}
                onCodes={setCodes}
              />
            )}
          </CardSection>
        </>
      )}
    </LoadedSection>
  )
}

function FactorRow({ factor, isLast, tell }: SectionProps & { factor: Factor; isLast: boolean }) {
  const { id, kind, name, created_at, last_used_at } = factor
  const [isAsking, setAsking] = useState(false)
  const now = useNow()
  const queries = useQueryClient()
  const close = () => setAsking(false)
  const remove = useMutation({
    mutationFn: () => call(removeFactor, { params: { id } }),
    onSuccess: () => tell({ kind: 'success', text: `The second factor “${name}” was removed.` }),
    onError: (error) =>
      tell({ kind: 'error', text: `Failed to remove it: ${serverMessageOr(error, 'Unknown error')}` }),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  })
  return (
    <div className={screen.row}>
      <div className={screen.words}>
        <p className={screen.name}>{name}</p>
        <p className={screen.explanation}>
          {KIND_WORDS[kind]} · added {formatDate(created_at)} ·{' '}
          {last_used_at ? `last used ${formatPast(last_used_at, now)}` : 'not used yet'}
        </p>
      </div>
      <Button variant="default" aria-label={`Remove ${name}`} onClick={() => setAsking(true)}>
        Remove
      </Button>
      <ConfirmModal
        opened={isAsking}
        title={`Remove the second factor “${name}”?`}
        text={
          isLast
            ? 'It is the last one: the password alone signs in then, and the recovery codes end.'
            : 'Your other second factors keep working.'
        }
        confirmLabel="Remove"
        busy={remove.isPending}
        onCancel={close}
        onConfirm={() => {
          close()
          remove.mutate()
        }}
      />
    </div>
  )
}

function RecoveryRow({ left, tell, onCodes }: SectionProps & { left: number; onCodes: (codes: string[]) => void }) {
  const queries = useQueryClient()
  const make = useMutation({
    mutationFn: () => call(makeRecoveryCodes),
    onSuccess: ({ recovery_codes }) => {
      onCodes(recovery_codes)
      return queries.invalidateQueries({ queryKey: KEY })
    },
    onError: (error) =>
      tell({ kind: 'error', text: `Failed to make codes: ${serverMessageOr(error, 'Unknown error')}` }),
  })
  return (
    <div className={screen.row}>
      <div className={screen.words}>
        <p className={screen.name}>Recovery codes</p>
        <p className={screen.explanation}>
          {left === 1 ? '1 is left.' : `${left} are left.`} Each signs in once, in place of a factor that you lost.
        </p>
      </div>
      <Button variant="default" disabled={make.isPending} onClick={() => make.mutate()}>
        Make new codes
      </Button>
    </div>
  )
}

function AddRow({ loaded: { factors, passkeys_work }, onAdd }: { loaded: Factors; onAdd: (kind: Kind) => void }) {
  return (
    <div className={screen.row}>
      <p className={`${screen.words} ${screen.explanation}`}>
        {factors.length === 0 && 'You sign in without a second factor. '}
        {!passkeys_work && 'Passkeys need https, or localhost, with a name in the address; an app works everywhere.'}
      </p>
      <div className={screen.buttons}>
        <Button variant="default" onClick={() => onAdd('totp')}>
          Add app
        </Button>
        {passkeys_work && (
          <Button variant="default" onClick={() => onAdd('passkey')}>
            Add passkey
          </Button>
        )}
      </div>
    </div>
  )
}

interface AddFormProps extends SectionProps {
  kind: Kind
  isFirst: boolean
  onClose: () => void
  onCodes: (codes: string[]) => void
}

function AddForm({ kind, isFirst, tell, onClose, onCodes }: AddFormProps) {
  const hasPassword = useAuthMethods().data?.has_password ?? true
  const [name, setName] = useState(kind === 'totp' ? 'Phone' : 'Security key')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [app, setApp] = useState<{ secret: string; uri: string } | null>(null)
  const queries = useQueryClient()
  const asksPassword = isFirst && hasPassword
  const given = asksPassword ? { password } : {}
  const next = useMutation({
    mutationFn: async () => {
      if (kind === 'passkey') {
        const { options } = await call(beginPasskey, { body: given })
        return call(addPasskey, { body: { name, response: await newPasskey(options) } })
      }
      if (app) return call(addTotp, { body: { name, secret: app.secret, code, ...given } })
      const { secret, uri } = await call(beginTotp, { body: given })
      setApp({ secret, uri })
      return null
    },
    onSuccess: (added) => {
      if (!added) return
      tell({ kind: 'success', text: `The second factor “${added.factor.name}” was added.` })
      if (added.recovery_codes) onCodes(added.recovery_codes)
      onClose()
      void queries.invalidateQueries({ queryKey: KEY })
    },
    onError: (error) =>
      tell({ kind: 'error', text: serverMessageOr(error, 'The passkey was not made. Please try again.') }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return tell({ kind: 'error', text: 'Please enter a name.' })
    if (asksPassword && password === '') return tell({ kind: 'error', text: 'Please enter your password.' })
    next.mutate()
  }
  return (
    <form className={classes.form} aria-label={`Add ${KIND_WORDS[kind].toLowerCase()}`} noValidate onSubmit={submit}>
      <TextField label="Name" isFocused value={name} onChange={setName} />
      {asksPassword && !app && (
        <SecretField label="Your password" autoComplete="current-password" value={password} onChange={setPassword} />
      )}
      {app && <AppSecret {...app} code={code} onCode={setCode} />}
      <div className={screen.buttons}>
        <Button type="submit" disabled={next.isPending}>
          {app ? 'Check the code' : 'Continue'}
        </Button>
        <CancelFormButton onCancel={onClose} />
      </div>
    </form>
  )
}

interface AppSecretProps {
  secret: string
  uri: string
  code: string
  onCode: (code: string) => void
}

function AppSecret({ secret, uri, code, onCode }: AppSecretProps) {
  const picture = useMemo(() => `data:image/svg+xml;base64,${btoa(renderSVG(uri, { border: 2 }))}`, [uri])
  return (
    <div className={classes.app}>
      <img className={classes.picture} src={picture} alt="QR code for the authenticator app" width={168} height={168} />
      <div className={classes.steps}>
        <p className={screen.explanation}>
          Scan this with the app, or enter the key by hand. Then enter the code that the app shows.
        </p>
        <TextField label="Key" readOnly value={secret} onChange={() => {}} />
        <TextField label="Code" placeholder="123456" isFocused value={code} onChange={onCode} />
      </div>
    </div>
  )
}

function NewCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = codes.join('\n')
  return (
    <form
      className={classes.form}
      aria-label="Recovery codes"
      {...LEAVE_FREELY}
      onSubmit={(event) => event.preventDefault()}
    >
      <p className={screen.explanation}>
        Print or write down these recovery codes, and keep them away from your phone. Each signs in once. They are not
        shown again.
      </p>
      <ul className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={screen.buttons}>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onClose}>I have them</Button>
      </div>
    </form>
  )
}

/** The browser asks its user. Its library comes when it is needed. */
async function newPasskey(options: object) {
  const { startRegistration } = await import('@simplewebauthn/browser')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the standard's own JSON, which the server made
  return (await startRegistration({ optionsJSON: options as never })) as never
}
