import { Button } from '@mantine/core'
import type { ResultLink } from '@tradewright/contract/shared-results'
import { Link } from 'react-router'
import { serverMessageOr } from '../../../lib/call-error.ts'
import { formatDate } from '../../../lib/format-time.ts'
import { useResultLinks, useRevokeLink } from '../../../strategy-form/result-links.ts'
import { CardSection } from '../../../ui/layout/card.tsx'
import type { SettingsMessage } from '../messages.ts'
import classes from '../settings-screen.module.css'
import { LoadedSection } from '../settings-section.tsx'

interface SectionProps {
  tell: (message: SettingsMessage) => void
}

export function SharedResultsSection({ tell }: SectionProps) {
  return (
    <LoadedSection
      id="shared-results"
      hint="Links with which anyone can see one backtest result, without an account. Revoking ends a link at once."
      loading={useResultLinks()}
      failure="The shared results could not be loaded"
    >
      {(links) =>
        links.length === 0 ? (
          <CardSection>
            <p className={classes.explanation}>
              Nothing is shared. <Link to="/backtest">Open a result</Link> and press Share to create a link.
            </p>
          </CardSection>
        ) : (
          links.map((link) => (
            <CardSection key={link.id}>
              <LinkRow link={link} tell={tell} />
            </CardSection>
          ))
        )
      }
    </LoadedSection>
  )
}

function LinkRow({ link, tell }: SectionProps & { link: ResultLink }) {
  const revoking = useRevokeLink()
  const revoke = () =>
    revoking.mutate(link, {
      onSuccess: () => tell({ kind: 'success', text: `The link to “${link.backtest_name}” was revoked.` }),
      onError: (error) =>
        tell({ kind: 'error', text: `Failed to revoke the link: ${serverMessageOr(error, 'Unknown error')}` }),
    })
  return (
    <div className={classes.row}>
      <div className={classes.words}>
        <p className={classes.name}>
          <Link to={`/backtest?backtest_id=${link.backtest_id}`}>{link.backtest_name}</Link>
        </p>
        <p className={classes.explanation}>
          Created <time dateTime={link.created_at}>{formatDate(link.created_at)}</time> · works until{' '}
          <time dateTime={link.expires_at}>{formatDate(link.expires_at)}</time>
        </p>
      </div>
      <Button
        variant="default"
        aria-label={`Revoke the link to ${link.backtest_name}`}
        disabled={revoking.isPending}
        onClick={revoke}
      >
        Revoke
      </Button>
    </div>
  )
}
