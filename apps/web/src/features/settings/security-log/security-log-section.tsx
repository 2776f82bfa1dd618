import { Button } from '@mantine/core'
import { getSecurityLog, type SecurityLogEntry } from '@tradewright/contract/security-log'
import { SECURITY_EVENTS, SECURITY_LOG_DAYS } from '@tradewright/core/security-events'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../../lib/http.ts'
import { formatPast, formatExact } from '../../../lib/format-time.ts'
import { formatCount } from '../../../lib/format.ts'
import { StatusPill } from '../../../ui/feedback/status-pill.tsx'
import { useNow } from '../../../ui/feedback/use-now.ts'
import { CardSection } from '../../../ui/layout/card.tsx'
import classes from '../settings-screen.module.css'
import { LoadedSection } from '../settings-section.tsx'

/** The first is read again with every visit: the rest of the page may have changed it. */
function useSecurityLog() {
  return useInfiniteQuery({
    queryKey: ['security log'],
    queryFn: ({ pageParam, signal }) => call(getSecurityLog, { query: { before: pageParam }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ entries, has_more }) => (has_more ? entries.at(-1)?.id : undefined),
    refetchOnMount: 'always',
  })
}

export function SecurityLogSection() {
  const log = useSecurityLog()
  return (
    <LoadedSection
      id="security-log"
      hint={`Sign-ins, failures and changes of how this account is signed in to, for ${SECURITY_LOG_DAYS} days. If you do not recognise something, change your password.`}
      loading={log}
      failure="The security log could not be loaded"
    >
      {({ pages }) => (
        <>
          {pages
            .flatMap(({ entries }) => entries)
            .map((entry) => (
              <CardSection key={entry.id}>
                <Entry entry={entry} />
              </CardSection>
            ))}
          {log.hasNextPage && (
            <CardSection>
              <Button variant="default" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
                Show older entries
              </Button>
            </CardSection>
          )}
        </>
      )}
    </LoadedSection>
  )
}

function Entry({ entry: { kind, at, count, address, device, detail } }: { entry: SecurityLogEntry }) {
  const now = useNow()
  const { label, concern } = SECURITY_EVENTS[kind]
  return (
    <div className={classes.words}>
      <p className={classes.name}>
        {label}
        {detail !== null && `: ${detail}`}
        {concern === 'failure' && (
          <StatusPill shape="ring" word={count === 1 ? 'Failed' : `${formatCount(count)} times`} />
        )}
      </p>
      <p className={classes.explanation}>
        <time dateTime={at} title={formatExact(at)}>
          {formatPast(at, now)}
        </time>{' '}
        · {address === null ? 'by the operator of this server' : `${device ?? 'Unknown device'} at ${address}`}
      </p>
    </div>
  )
}
