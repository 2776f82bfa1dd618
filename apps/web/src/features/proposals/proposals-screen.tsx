import { Button } from '@mantine/core'
import { IconInbox, IconKey, IconRobot } from '@tabler/icons-react'
import { PROPOSAL_DAYS } from '@tradewright/core/proposal-states'
import type { ProposalItem } from '@tradewright/contract/proposals'
import { useRef } from 'react'
import { useSearchParams } from 'react-router'
import { formatMarketMoment } from '../../lib/format-time.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { CardSkeleton } from '../../ui/feedback/skeletons.tsx'
import { useNow } from '../../ui/feedback/use-now.ts'
import { LinkButton } from '../../ui/form/buttons.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import { ProposalDetail, expiresSoon, expiryWords, STATE_WORDS } from './proposal-detail.tsx'
import classes from './proposals-screen.module.css'
import { useProposalEvents, useProposals } from './queries.ts'

const MAX_ANSWERED_ROWS = 20

/** What agents and scripts have proposed: a list beside the one that is read. */
export function ProposalsScreen() {
  useProposalEvents()
  const proposals = useProposals()
  const [query, setQuery] = useSearchParams()
  const { open = [], answered = [] } = proposals.data ?? {}
  const asked = Number(query.get('id'))
  const shown = [...open, ...answered].find(({ id }) => id === asked) ?? open[0] ?? answered[0]
  const detail = useRef<HTMLDivElement>(null)
  const choose = (id: number) => setQuery({ id: String(id) }, { replace: true, preventScrollReset: true })
  const read = (id: number) => {
    choose(id)
    // On a narrow screen it stands below the list.
    detail.current?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <Page documentTitle="Proposals">
      <PageHeader
        title="Proposals"
        subtitle="Agents and scripts may propose. Nothing changes until you accept it."
        aside={
          <LinkButton to="/settings#api-keys" icon={IconKey}>
            Who may propose
          </LinkButton>
        }
      />
      {proposals.isError && (
        <Banner
          kind="error"
          text="The proposals could not be loaded"
          detail={proposals.error.message}
          action={
            <Button variant="default" onClick={() => void proposals.refetch()}>
              Try again
            </Button>
          }
        />
      )}
      {proposals.isPending && (
        <Card>
          <CardSkeleton rows={6} />
        </Card>
      )}
      {proposals.isSuccess && !shown && <NoProposals />}
      {shown && (
        <div className={classes.columns}>
          <div className={classes.lists}>
            <Card
              title="Waiting for you"
              hint={open.length === 0 ? 'Nothing is waiting for an answer.' : 'Soonest expiry first'}
            >
              <List items={open} shown={shown.id} onChoose={read} />
            </Card>
            {answered.length > 0 && (
              <Card title="Answered">
                <List items={answered.slice(0, MAX_ANSWERED_ROWS)} shown={shown.id} onChoose={read} />
              </Card>
            )}
          </div>
          <div ref={detail} className={classes.detail}>
            <ProposalDetail key={shown.id} id={shown.id} onAnswer={() => choose(shown.id)} />
          </div>
        </div>
      )}
    </Page>
  )
}

function NoProposals() {
  return (
    <Card>
      <EmptyState
        icon={IconInbox}
        title="No proposals"
        text={`An agent or a script with an API key of the scope “propose” can suggest strategies, ticker lists, data jobs and changes of deployments. You read here what each would do, and accept or decline it within ${PROPOSAL_DAYS} days.`}
        action={<LinkButton to="/settings#api-keys">Make an API key</LinkButton>}
      />
    </Card>
  )
}

interface ListProps {
  items: readonly ProposalItem[]
  shown: number
  onChoose: (id: number) => void
}

function List({ items, shown, onChoose }: ListProps) {
  const now = useNow()
  if (items.length === 0) return null
  return (
    <ul className={classes.list}>
      {items.map((item) => (
        <li key={item.id}>
          <button
            type="button"
            className={classes.row}
            aria-current={item.id === shown}
            onClick={() => onChoose(item.id)}
          >
            <span className={classes.glyph} aria-hidden>
              <IconRobot size={16} stroke={1.6} />
            </span>
            <span className={classes.words}>
              <span className={classes.origin}>{item.origin}</span>
              <strong className={classes.title}>{item.title}</strong>
              <span className={classes.subject}>{item.subject}</span>
            </span>
            <span className={classes.when}>
              <span>{formatMarketMoment(item.answered_at ?? item.created_at)}</span>
              {item.state === 'open' ? (
                <span data-soon={expiresSoon(item, now)}>{expiryWords(item, now)}</span>
              ) : (
                <span data-state={item.state}>{STATE_WORDS[item.state]}</span>
              )}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
