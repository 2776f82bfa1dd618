import { Button, CopyButton } from '@mantine/core'
import { serverMessageOr } from '../../../lib/call-error.ts'
import { formatDate } from '../../../lib/format-time.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { TextField } from '../../../ui/form/fields.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import classes from './record.module.css'
import {
  fileOf,
  type Recorded,
  useCloseRecord,
  useOpenRecord,
  useRecord,
  useShareRecord,
  useUnshareRecord,
} from './queries.ts'
import { RecordSummary } from './record-view.tsx'

/** The forward record of a deployment or a saved strategy: begin, share, download. */
export function RecordCard({ recorded }: { recorded: Recorded }) {
  const own = useRecord(recorded)
  const open = useOpenRecord(recorded)
  const close = useCloseRecord(recorded)
  const share = useShareRecord(recorded)
  const unshare = useUnshareRecord(recorded)
  const failure = own.error ?? open.error ?? close.error ?? share.error ?? unshare.error
  if (!own.data && !failure) return null
  const record = own.data?.record ?? null
  const isBusy = [open, close, share, unshare].some(({ isPending }) => isPending)
  return (
    <Card title="Forward record" hint="Decisions written down before their outcome is known">
      <div className={classes.body}>
        {failure && <Banner kind="error" text={serverMessageOr(failure, 'The forward record could not be loaded.')} />}
        {record ? <RecordSummary record={record} /> : <p className={classes.text}>{BEFORE[recorded.of]}</p>}
        {share.data && own.data?.link_expires_at && <LinkOnce token={share.data.token} />}
        <div className={classes.buttons}>
          {record?.is_open ? (
            <Button variant="default" disabled={isBusy} onClick={() => close.mutate()}>
              End record
            </Button>
          ) : (
            <Button variant="default" disabled={isBusy} onClick={() => open.mutate()}>
              {record ? 'Resume record' : 'Begin record'}
            </Button>
          )}
          {record && (
            <>
              <Button component="a" variant="default" href={fileOf(recorded)} download>
                Download
              </Button>
              <Button variant="default" disabled={isBusy} onClick={() => share.mutate()}>
                {own.data?.link_expires_at ? 'New link' : 'Share'}
              </Button>
            </>
          )}
          {own.data?.link_expires_at && (
            <Button variant="default" disabled={isBusy} onClick={() => unshare.mutate()}>
              Revoke link
            </Button>
          )}
        </div>
        {own.data?.link_expires_at && (
          <p className={classes.text}>Shared by a link that works until {formatDate(own.data.link_expires_at)}.</p>
        )}
      </div>
    </Card>
  )
}

const BEFORE = {
  deployment:
    'From when you begin it, each decision is written down with its weights and probability, chained by hashes, in the same transaction. Nothing about money is in it.',
  strategy:
    'From when you begin it, the strategy decides on each daily bar, after the close and before the next open, and the decision is written down with its weights and probability, chained by hashes. Nothing is traded, and a day that is missed is named and never filled in. The record keeps to the strategy as it is saved now.',
} as const

function LinkOnce({ token }: { token: string }) {
  const link = `${window.location.origin}/records/${token}`
  return (
    <div className={classes.link}>
      <TextField label="Link, shown once" readOnly value={link} onChange={() => {}} />
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
