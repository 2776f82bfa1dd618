import { Button, CopyButton } from '@mantine/core'
import type { Invitation } from '@tradewright/contract/operator'
import { useState } from 'react'
import { serverMessageOr } from '../../lib/call-error.ts'
import { formatDate, formatExact } from '../../lib/format-time.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { CardSkeleton } from '../../ui/feedback/skeletons.tsx'
import { SelectField, TextField } from '../../ui/form/fields.tsx'
import { Card, CardSection } from '../../ui/layout/card.tsx'
import { ConfirmModal } from '../../ui/layout/confirm-modal.tsx'
import classes from './admin.module.css'
import { useCreateInvitation, useInvitations, useRevokeInvitation } from './queries.ts'

const LIFETIMES = [1, 7, 30, 90].map((days) => ({
  value: String(days),
  label: days === 1 ? '1 day' : `${days} days`,
}))

const HINTS = {
  open: 'Registration is open: visitors need no invitation. Set REGISTRATION=invite to ask for one.',
  invite: 'New accounts need an invitation. Each link makes one account.',
  closed: 'Registration is closed: invitations are not accepted. Set REGISTRATION=invite to use them.',
}

export function InvitationsCard() {
  const { data } = useInvitations()
  const create = useCreateInvitation()
  const [days, setDays] = useState('7')
  const failure = create.error && serverMessageOr(create.error, 'The invitation could not be made.')
  return (
    <Card title="Invitations" hint={data ? HINTS[data.registration] : 'Links that make one account each.'}>
      <CardSection>
        <div className={classes.invite}>
          <SelectField label="Valid for" options={LIFETIMES} value={days} onChange={setDays} />
          <Button loading={create.isPending} onClick={() => create.mutate(Number(days))}>
            Make invitation
          </Button>
        </div>
        {failure && <Banner kind="error" text={failure} />}
        {create.data && <NewLink token={create.data.token} expiresAt={create.data.invitation.expires_at} />}
      </CardSection>
      {!data && <CardSkeleton rows={1} />}
      {data?.invitations.length === 0 && <p className={classes.none}>No invitation is open.</p>}
      {data?.invitations.map((invitation) => (
        <CardSection key={invitation.id}>
          <InvitationRow invitation={invitation} />
        </CardSection>
      ))}
    </Card>
  )
}

function NewLink({ token, expiresAt }: { token: string; expiresAt: string }) {
  const link = `${window.location.origin}/register?invite=${token}`
  return (
    <div className={classes.link}>
      <TextField
        label={`Link, shown once; valid until ${formatDate(expiresAt)}`}
        value={link}
        readOnly
        onChange={() => {}}
      />
      <CopyButton value={link}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </div>
  )
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const [isAsking, setAsking] = useState(false)
  const revoke = useRevokeInvitation()
  const close = () => setAsking(false)
  const made = formatDate(invitation.created_at)
  return (
    <div className={classes.row}>
      <p title={formatExact(invitation.created_at)}>
        Made {made}, valid until {formatDate(invitation.expires_at)}
      </p>
      <Button variant="default" aria-label={`Revoke the invitation made ${made}`} onClick={() => setAsking(true)}>
        Revoke
      </Button>
      <ConfirmModal
        opened={isAsking}
        title="Revoke this invitation?"
        text="Its link no longer makes an account. Accounts that were made with other links stay."
        confirmLabel="Revoke invitation"
        busy={revoke.isPending}
        onCancel={close}
        onConfirm={() => revoke.mutate(invitation, { onSettled: close })}
      />
    </div>
  )
}
