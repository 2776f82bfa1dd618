import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react'
import type { Proposal, ProposalItem } from '@tradewright/contract/proposals'
import { DAY, HOUR, MINUTE } from '@tradewright/core/time'
import { formatMarketMoment } from '../../lib/format-time.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { CardSkeleton } from '../../ui/feedback/skeletons.tsx'
import { Tag } from '../../ui/feedback/tag.tsx'
import { useNow } from '../../ui/feedback/use-now.ts'
import { LinkButton } from '../../ui/form/buttons.tsx'
import { Card, CardSection } from '../../ui/layout/card.tsx'
import { Table } from '../../ui/table/table.tsx'
import classes from './proposal-detail.module.css'
import { useAnswerProposal, useProposal } from './queries.ts'

interface DetailProps {
  id: number
  /** Keeps this one on show: the next one in its place could be answered by a second press. */
  onAnswer: () => void
}

export function ProposalDetail({ id, onAnswer }: DetailProps) {
  const found = useProposal(id)
  if (found.isPending) {
    return (
      <Card>
        <CardSkeleton rows={8} />
      </Card>
    )
  }
  if (found.isError) {
    return (
      <Card>
        <CardSection>
          <Banner
            kind="error"
            text="This proposal could not be loaded"
            detail={found.error.message}
            action={
              <Button variant="default" onClick={() => void found.refetch()}>
                Try again
              </Button>
            }
          />
        </CardSection>
      </Card>
    )
  }
  return <Shown proposal={found.data} onAnswer={onAnswer} />
}

interface ShownProps extends Pick<DetailProps, 'onAnswer'> {
  proposal: Proposal
}

/** Every text is Tradewright's own, except for the quoted names and the agent's words, which stand in a quotation. */
function Shown({ proposal, onAnswer }: ShownProps) {
  const { title, origin, state, real_money: isRealMoney, reason, changes, notices, created_at } = proposal
  const now = useNow()
  return (
    <Card
      title={title}
      hint={
        state === 'open'
          ? `Proposed ${formatMarketMoment(created_at)} · ${expiryWords(proposal, now)}`
          : `Proposed ${formatMarketMoment(created_at)}`
      }
      actions={
        <>
          <Tag>{`API key “${origin}”`}</Tag>
          {isRealMoney && <Tag tone="danger">Real money</Tag>}
        </>
      }
    >
      {reason !== null && (
        <CardSection>
          <p className={classes.label}>Its own words, which Tradewright has not checked</p>
          <blockquote className={classes.reason}>{reason}</blockquote>
        </CardSection>
      )}
      <div className={classes.changes}>
        <div className={classes.head}>
          <h3 className={classes.heading}>{state === 'open' ? 'What accepting will do' : 'What was proposed'}</h3>
          <p className={classes.label}>Worked out by Tradewright, not by the agent</p>
        </div>
        <Changes changes={changes} />
      </div>
      {notices.map((notice) => (
        <p key={notice} className={classes.notice}>
          <IconAlertTriangle size={18} stroke={1.7} aria-hidden />
          {notice}
        </p>
      ))}
      <CardSection>
        {state === 'open' ? <Answer proposal={proposal} onAnswer={onAnswer} /> : <Outcome proposal={proposal} />}
      </CardSection>
    </Card>
  )
}

function Changes({ changes }: Pick<Proposal, 'changes'>) {
  const hasBefore = changes.some(({ before }) => before !== null)
  return (
    <Table label="Changes">
      <thead>
        <tr>
          <th>Setting</th>
          {hasBefore && <th>Now</th>}
          <th>{hasBefore ? 'After' : 'Value'}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ label, before, after }) => (
          <tr key={label}>
            <td className={classes.setting}>{label}</td>
            {hasBefore && <td className={classes.value}>{before ?? '—'}</td>}
            <td className={classes.value}>{after}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function Answer({ proposal, onAnswer }: ShownProps) {
  const answer = useAnswerProposal(proposal)
  const press = (given: 'accept' | 'decline') => {
    onAnswer()
    answer.mutate(given)
  }
  return (
    <div className={classes.answer}>
      {answer.isError && <Banner kind="error" text="The proposal was not answered" detail={answer.error.message} />}
      {proposal.obstacle !== null && (
        <Banner kind="warning" text="It cannot be accepted now" detail={proposal.obstacle} />
      )}
      <div className={classes.buttons}>
        <Button
          variant="default"
          leftSection={<IconX size={16} stroke={1.8} aria-hidden />}
          disabled={answer.isPending}
          onClick={() => press('decline')}
        >
          Decline
        </Button>
        <Button
          leftSection={<IconCheck size={16} stroke={1.8} aria-hidden />}
          loading={answer.isPending && answer.variables === 'accept'}
          disabled={answer.isPending || proposal.obstacle !== null}
          onClick={() => press('accept')}
        >
          Accept
        </Button>
      </div>
    </div>
  )
}

const OUTCOME_KINDS = { accepted: 'success', declined: 'info', expired: 'info', failed: 'error' } as const

function Outcome({ proposal: { state, outcome, answered_at, link } }: { proposal: Proposal }) {
  if (state === 'open') return null
  const when = answered_at === null ? '' : ` · ${formatMarketMoment(answered_at)}`
  return (
    <Banner
      kind={OUTCOME_KINDS[state]}
      text={`${STATE_WORDS[state]}${when}`}
      {...(outcome !== null && { detail: outcome })}
      {...(state === 'accepted' && link !== null && { action: <LinkButton to={link}>Open</LinkButton> })}
    />
  )
}

/** Soon enough to be pointed out. */
const SOON_MS = DAY

export const expiresSoon = ({ expires_at }: Pick<ProposalItem, 'expires_at'>, now: number): boolean =>
  Date.parse(expires_at) - now < SOON_MS

/** `Expires in 7 h`. */
export function expiryWords({ expires_at }: Pick<ProposalItem, 'expires_at'>, now: number): string {
  const left = Date.parse(expires_at) - now
  if (left <= 0) return 'Expired'
  if (left < HOUR) return `Expires in ${Math.max(1, Math.floor(left / MINUTE))} min`
  if (left < 2 * DAY) return `Expires in ${Math.floor(left / HOUR)} h`
  return `Expires in ${Math.floor(left / DAY)} days`
}

export const STATE_WORDS: Readonly<Record<Exclude<ProposalItem['state'], 'open'>, string>> = {
  accepted: 'Accepted',
  declined: 'Declined',
  expired: 'Expired',
  failed: 'Failed',
}
