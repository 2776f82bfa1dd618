import { Button } from '@mantine/core'
import type { OwnEmail } from '@tradewright/contract/email'
import { type FormEvent, useState } from 'react'
import { CancelFormButton } from '../../ui/form/buttons.tsx'
import { CardSection } from '../../ui/layout/card.tsx'
import { TextField } from '../../ui/form/fields.tsx'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import type { SettingsMessage } from './messages.ts'
import { useOwnEmail, useSendVerification } from './queries.ts'
import classes from './settings-screen.module.css'

interface EmailRowProps {
  tell: (message: SettingsMessage) => void
}

/** The address of the account, and the link that proves it. Without one there is nothing to say where no mail is sent. */
export function EmailRow({ tell }: EmailRowProps) {
  const { data: own } = useOwnEmail()
  const [isOpen, setOpen] = useState(false)
  const send = useSendVerification(tell)
  if (!own || (!own.email && !own.can_verify)) return null
  const waiting = own.pending_email ?? (own.verified ? null : own.email)
  return (
    <CardSection>
      <div className={classes.row}>
        <div className={classes.words}>
          <p className={classes.name}>
            E-mail
            {own.email && <StatusPill {...(own.verified ? VERIFIED : NOT_VERIFIED)} />}
          </p>
          <p className={classes.explanation}>{explanationOf(own)}</p>
        </div>
        {own.can_verify && !isOpen && (
          <div className={classes.buttons}>
            {waiting && (
              <Button variant="default" disabled={send.isPending} onClick={() => send.mutate(waiting)}>
                {send.isPending ? 'Sending...' : 'Resend link'}
              </Button>
            )}
            <Button variant="default" onClick={() => setOpen(true)}>
              {own.email ? 'Change e-mail' : 'Add e-mail'}
            </Button>
          </div>
        )}
      </div>
      {isOpen && <EmailForm tell={tell} onClose={() => setOpen(false)} />}
    </CardSection>
  )
}

const VERIFIED = { shape: 'disc', word: 'Verified' } as const
const NOT_VERIFIED = { shape: 'ring', word: 'Not verified' } as const

function explanationOf({ email, verified, pending_email, can_verify }: OwnEmail): string {
  if (pending_email) return `A link was sent to ${pending_email}. Open it to verify the address.`
  if (!email) return 'Once it is verified, you can also sign in with your address.'
  if (verified) return `${email}. You can sign in with it.`
  return can_verify ? `${email}. Verify it to sign in with it.` : `${email}. This server cannot send mail to verify it.`
}

function EmailForm({ tell, onClose }: EmailRowProps & { onClose: () => void }) {
  const [email, setEmail] = useState('')
  const send = useSendVerification(tell)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (email.trim() === '') tell({ kind: 'error', text: 'Please enter an e-mail address.' })
    else send.mutate(email, { onSuccess: onClose })
  }
  return (
    <form className={classes.form} aria-label="E-mail" noValidate onSubmit={submit}>
      <TextField label="E-mail address" value={email} onChange={setEmail} />
      <div className={classes.buttons}>
        <Button type="submit" disabled={send.isPending}>
          {send.isPending ? 'Sending...' : 'Send link'}
        </Button>
        <CancelFormButton onCancel={onClose} />
      </div>
    </form>
  )
}
