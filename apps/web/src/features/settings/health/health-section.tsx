import { getSystemHealth } from '@tradewright/contract/health'
import { getOperatorAccess } from '@tradewright/contract/operator'
import { useQuery } from '@tanstack/react-query'
import { CardSection } from '../../../ui/layout/card.tsx'
import { StatusPill } from '../../../ui/feedback/status-pill.tsx'
import { LinkButton } from '../../../ui/form/buttons.tsx'
import { useNow } from '../../../ui/feedback/use-now.ts'
import classes from '../settings-screen.module.css'
import { LoadedSection } from '../settings-section.tsx'
import { type HealthRow, healthRows } from './health-rows.ts'
import { call } from '../../../lib/http.ts'

export function HealthSection() {
  const now = useNow()
  const isOperator = useIsOperator()
  return (
    <LoadedSection
      id="health"
      hint="Health of the server, across all users."
      actions={isOperator && <LinkButton to="/admin">Administration</LinkButton>}
      loading={useSystemHealth()}
      failure="The health of the server could not be loaded"
    >
      {(health) =>
        healthRows(health, now).map((row) => (
          <CardSection key={row.name}>
            <Row {...row} />
          </CardSection>
        ))
      }
    </LoadedSection>
  )
}

function Row({ name, shape, word, sentences }: HealthRow) {
  return (
    <div className={classes.row}>
      <div className={classes.words}>
        <p className={classes.name}>{name}</p>
        {sentences.map((sentence) => (
          <p key={sentence} className={classes.explanation}>
            {sentence}
          </p>
        ))}
      </div>
      <StatusPill shape={shape} word={word} />
    </div>
  )
}

/** Whether the admin page is theirs. */
function useIsOperator(): boolean {
  const { data } = useQuery({
    queryKey: ['operator'],
    queryFn: ({ signal }) => call(getOperatorAccess, { signal }),
    staleTime: Infinity,
  })
  return data?.is_operator ?? false
}

const POLL_INTERVAL_MS = 15_000

function useSystemHealth() {
  return useQuery({
    queryKey: ['system health'],
    queryFn: ({ signal }) => call(getSystemHealth, { signal }),
    refetchInterval: POLL_INTERVAL_MS,
  })
}
