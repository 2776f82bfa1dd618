import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { type Deployment, RAW_LINE_COUNTS } from '@tradewright/contract/live-trading-fields'
import { Card } from '../../../ui/layout/card.tsx'
import { SelectField } from '../../../ui/form/fields.tsx'
import { useActivity, useLogTail } from '../queries.ts'
import { ActivityPanel } from './activity-panel.tsx'
import classes from './logs.module.css'
import { RawLogsPanel } from './raw-logs-panel.tsx'

interface LogsTabProps {
  deployments: readonly Deployment[]
  deploymentId: string
  onDeployment: (id: string) => void
  lines: number
  onLines: (lines: number) => void
}

/** Activity at the left, the raw lines at the right. */
export function LogsTab({ deployments, deploymentId, onDeployment, lines, onLines }: LogsTabProps) {
  const shownId = deploymentId || String(deployments[0]?.id ?? '')
  const activity = useActivity(shownId)
  const log = useLogTail(shownId, lines)
  return (
    <>
      <div className={classes.choices}>
        <SelectField
          label="Deployment"
          value={shownId}
          options={
            deployments.length === 0
              ? [{ value: '', label: 'No deployments yet' }]
              : deployments.map(({ id, deployment_name }) => ({ value: String(id), label: deployment_name }))
          }
          onChange={onDeployment}
        />
        <SelectField
          label="Raw lines"
          value={String(lines)}
          options={RAW_LINE_COUNTS.map(String)}
          onChange={(value) => onLines(Number(value))}
        />
        <Button
          variant="default"
          disabled={shownId === '' || activity.isFetching || log.isFetching}
          leftSection={<IconRefresh size={16} stroke={1.7} aria-hidden />}
          onClick={() => void Promise.all([activity.refetch(), log.refetch()])}
        >
          Refresh
        </Button>
      </div>
      <div className={classes.panes}>
        <Card title="Activity" hint="Signals & Trades">
          <ActivityPanel activity={activity} isChosen={shownId !== ''} />
        </Card>
        <RawLogsPanel log={log} isChosen={shownId !== ''} />
      </div>
    </>
  )
}
