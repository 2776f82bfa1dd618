import { Button, Checkbox, CopyButton } from '@mantine/core'
import { DEFAULT_LINK_DAYS, LINK_DAYS } from '@tradewright/contract/shared-results'
import { useState } from 'react'
import { formatDate } from '../../../lib/format-time.ts'
import {
  addressOf,
  isLoopback,
  useCreateLink,
  useResultLinks,
  useRevokeLink,
} from '../../../strategy-form/result-links.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { SelectField, TextField } from '../../../ui/form/fields.tsx'
import { LEAVE_FREELY } from '../../../ui/form/unsaved-work.ts'
import { ContentModal } from '../../../ui/layout/content-modal.tsx'
import type { KeptRun } from './kept-run.ts'
import classes from './kept.module.css'

interface ShareModalProps {
  opened: boolean
  kept: KeptRun
  onClose: () => void
}

export function ShareModal({ opened, kept, onClose }: ShareModalProps) {
  return (
    <ContentModal opened={opened} size={440} title="Share result" onClose={onClose}>
      <Share kept={kept} />
    </ContentModal>
  )
}

const OPTIONS = LINK_DAYS.map((days) => ({ value: String(days), label: days === 365 ? '1 year' : `${days} days` }))

function Share({ kept }: { kept: KeptRun }) {
  const [days, setDays] = useState<string>(String(DEFAULT_LINK_DAYS))
  const [withPassport, setWithPassport] = useState(false)
  const creating = useCreateLink()
  const links = (useResultLinks().data ?? []).filter(({ backtest_id }) => backtest_id === kept.id)
  const revoking = useRevokeLink()
  const create = () => {
    const chosen = LINK_DAYS.find((one) => String(one) === days) ?? DEFAULT_LINK_DAYS
    creating.mutate({ id: kept.id, days: chosen, withPassport })
  }
  // A link that was revoked here is not offered for copying.
  const made = links.some(({ id }) => id === creating.data?.link.id) ? creating.data : undefined
  return (
    <form
      className={classes.form}
      aria-label="Share result"
      {...LEAVE_FREELY}
      onSubmit={(event) => {
        event.preventDefault()
        create()
      }}
    >
      {(creating.isError || revoking.isError) && (
        <Banner
          kind="error"
          text={creating.isError ? 'Failed to create the link' : 'Failed to revoke the link'}
          detail={(creating.error ?? revoking.error)?.message}
        />
      )}
      <p className={classes.hint}>
        Anyone with the link can see this result: figures, charts, settings and data sources. They need no account, and
        see nothing else of yours.
      </p>
      <SelectField label="Link works for" value={days} options={OPTIONS} onChange={setDays} />
      <Checkbox
        label="Share the passport too"
        description="A file to verify the result with. It has every trade with its price and quantity, and the signals that were received."
        checked={withPassport}
        onChange={(event) => setWithPassport(event.currentTarget.checked)}
      />
      {made && (
        <>
          <div className={classes.address}>
            <TextField label="Link" readOnly value={addressOf(made.token)} onChange={() => {}} />
            <CopyButton value={addressOf(made.token)}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy}>
                  {copied ? 'Copied' : 'Copy'}
                </Button>
              )}
            </CopyButton>
          </div>
          <p className={classes.hint}>Copy it now: for safety it is not shown again.</p>
          {isLoopback(window.location.hostname) && (
            <p className={classes.hint}>
              You opened Tradewright at an address of this computer alone, so the link works on no other. Open it at its
              network address to make a link for others.
            </p>
          )}
        </>
      )}
      <div className={classes.buttons}>
        <Button type="submit" variant={made ? 'default' : 'filled'} disabled={creating.isPending}>
          {creating.isPending ? 'Creating...' : made ? 'Create another link' : 'Create link'}
        </Button>
      </div>
      {links.length > 0 && (
        <ul className={classes.links} aria-label="Links of this result">
          {links.map((link) => (
            <li key={link.id} className={classes.link}>
              <span>
                Created {formatDate(link.created_at)}
                <span className={classes.below}>
                  Works until {formatDate(link.expires_at)}
                  {link.with_passport && ', with the passport'}
                </span>
              </span>
              <Button
                variant="default"
                size="xs"
                disabled={revoking.isPending}
                onClick={() => revoking.mutate(link)}
                aria-label={`Revoke the link created ${formatDate(link.created_at)}`}
              >
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
    </form>
  )
}
