import { VisuallyHidden } from '@mantine/core'
import { OPERATOR_USERS_PER_PAGE } from '@tradewright/contract/operator'
import { useState } from 'react'
import { formatPast, formatDate } from '../../lib/format-time.ts'
import { formatCount } from '../../lib/format.ts'
import { CardSkeleton } from '../../ui/feedback/skeletons.tsx'
import { Tag } from '../../ui/feedback/tag.tsx'
import { useNow } from '../../ui/feedback/use-now.ts'
import { Card } from '../../ui/layout/card.tsx'
import { Pagination, numeric, Table } from '../../ui/table/table.tsx'
import { AccountActions } from './account-actions.tsx'
import classes from './admin.module.css'
import { bytes } from './overview-words.ts'
import { useUsers } from './queries.ts'

export function UsersCard() {
  const [page, setPage] = useState(1)
  const { data } = useUsers(page)
  const now = useNow()
  return (
    <Card title="Users" hint="Newest first, with what each uses of this server.">
      {!data && <CardSkeleton rows={3} />}
      {data && (
        <Table label="Users">
          <thead>
            <tr>
              <th>Username</th>
              <th>Registered</th>
              <th>Last seen</th>
              <th className={numeric}>Sessions</th>
              <th className={numeric}>Series files</th>
              <th className={numeric}>Jobs</th>
              <th className={numeric}>Deployments</th>
              <th>
                <VisuallyHidden>Actions</VisuallyHidden>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.users.map((user) => (
              <tr key={user.user_id}>
                <td className={classes.username}>
                  {user.username} {user.is_operator && <Tag>Operator</Tag>} {user.is_suspended && <Tag>Suspended</Tag>}
                </td>
                <td className={classes.nowrap}>{formatDate(user.registered_at)}</td>
                <td className={classes.nowrap}>
                  {user.last_seen_at ? formatPast(user.last_seen_at, now) : 'Signed out'}
                </td>
                <td className={numeric}>{formatCount(user.sessions)}</td>
                <td className={numeric}>{bytes(user.series_bytes)}</td>
                <td className={numeric}>{formatCount(user.jobs)}</td>
                <td className={numeric}>{formatCount(user.running_deployments)}</td>
                <td>{!user.is_operator && <AccountActions user={user} />}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {data && data.total > OPERATOR_USERS_PER_PAGE && (
        <div className={classes.inset}>
          <Pagination
            page={page}
            pageSize={OPERATOR_USERS_PER_PAGE}
            total={data.total}
            onChange={setPage}
            label="Users pages"
            numbersAtMost={7}
          />
        </div>
      )}
    </Card>
  )
}
