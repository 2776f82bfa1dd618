import { Button } from '@mantine/core'
import { SECURITY_EVENTS } from '@tradewright/core/security-events'
import { formatCount } from '../../lib/format.ts'
import { CardSkeleton } from '../../ui/feedback/skeletons.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { numeric, Table } from '../../ui/table/table.tsx'
import classes from './admin.module.css'
import { Past } from './overview-cards.tsx'
import { useSecurityLog } from './queries.ts'

export function SecurityLogCard({ now }: { now: number }) {
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useSecurityLog()
  return (
    <Card
      title="Security log"
      hint="Sign-ins, failures and changes of sign-in of all accounts. Names of keys and addresses are their owner's to see."
    >
      {!data && <CardSkeleton rows={3} />}
      {data && (
        <Table label="Security log">
          <thead>
            <tr>
              <th>When</th>
              <th>Account</th>
              <th>Event</th>
              <th className={numeric}>Times</th>
              <th>Address</th>
              <th>Device</th>
            </tr>
          </thead>
          <tbody>
            {data.pages
              .flatMap(({ entries }) => entries)
              .map(({ id, at, username, kind, count, address, device, detail }) => (
                <tr key={id}>
                  <td className={classes.nowrap}>
                    <Past at={at} now={now} />
                  </td>
                  <td className={classes.username}>
                    {username ?? detail ?? <span className={classes.quiet}>none</span>}
                  </td>
                  <td className={classes.nowrap}>{SECURITY_EVENTS[kind].label}</td>
                  <td className={numeric}>{formatCount(count)}</td>
                  <td className={classes.nowrap}>{address ?? 'This server'}</td>
                  <td className={classes.nowrap}>{device ?? ''}</td>
                </tr>
              ))}
          </tbody>
        </Table>
      )}
      {hasNextPage && (
        <div className={classes.inset}>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older entries
          </Button>
        </div>
      )}
    </Card>
  )
}
