import { Button } from '@mantine/core'
import {
  IconCoins,
  IconFileText,
  type Icon,
  IconNotebook,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSquare,
  IconTrash,
} from '@tabler/icons-react'
import type { Deployment } from '@tradewright/contract/live-trading-fields'
import { needsConfirmation } from '../go-live/needs-confirmation.ts'
import type { Tell } from '../messages.ts'
import classes from './deployment-card.module.css'

export interface CardActions {
  onCapital: (deployment: Deployment) => void
  onLedger: (deployment: Deployment) => void
  onLogs: (deployment: Deployment) => void
  onEdit: (deployment: Deployment) => void
  onControl: (deployment: Deployment, action: 'start' | 'pause' | 'resume') => void
  onStop: (deployment: Deployment) => void
  onDelete: (deployment: Deployment) => void
  tell: Tell
  /** A change of this deployment is on its way. */
  isBusy: (deployment: Deployment) => boolean
}

/** Quiet actions at the left, changes of the state at the right. */
export function CardFoot({ deployment, ...actions }: { deployment: Deployment } & CardActions) {
  return (
    <div className={classes.foot}>
      <div className={classes.quiet}>
        <QuietButton icon={IconCoins} label="Capital" onClick={() => actions.onCapital(deployment)} />
        <QuietButton icon={IconNotebook} label="Ledger" onClick={() => actions.onLedger(deployment)} />
        <QuietButton icon={IconFileText} label="View Logs" onClick={() => actions.onLogs(deployment)} />
        <QuietButton
          icon={IconPencil}
          label="Edit"
          {...(deployment.status === 'running' ? { whyDisabled: 'Stop deployment first to edit' } : {})}
          onClick={() => actions.onEdit(deployment)}
        />
      </div>
      <StateButtons deployment={deployment} {...actions} />
    </div>
  )
}

interface QuietButtonProps {
  icon: Icon
  label: string
  whyDisabled?: string
  onClick: () => void
}

function QuietButton({ icon: Glyph, label, whyDisabled, onClick }: QuietButtonProps) {
  return (
    <Button
      variant="subtle"
      color="gray"
      leftSection={<Glyph size={16} stroke={1.7} aria-hidden />}
      {...(whyDisabled ? { disabled: true, title: whyDisabled } : {})}
      onClick={onClick}
    >
      {label}
    </Button>
  )
}

type StateButtonsProps = Pick<CardActions, 'onControl' | 'onStop' | 'onDelete' | 'isBusy'> & { deployment: Deployment }

const WORDS = { start: 'Start', pause: 'Pause', resume: 'Resume' } as const

export function StateButtons({ deployment, onControl, onStop, onDelete, isBusy }: StateButtonsProps) {
  const { next, canStop, canDelete } = ALLOWED[deployment.status]
  const busy = isBusy(deployment)
  const availability = deployment.liquidating
    ? { disabled: true, title: 'It is selling everything' }
    : { disabled: busy }
  const Glyph = next === 'pause' ? IconPlayerPause : IconPlayerPlay
  return (
    <div className={classes.changes}>
      <Button
        {...(needsConfirmation(deployment, next) ? { 'data-danger': true } : { variant: 'default' })}
        {...availability}
        leftSection={<Glyph size={16} stroke={1.7} aria-hidden />}
        onClick={() => onControl(deployment, next)}
      >
        {WORDS[next]}
      </Button>
      {canStop && (
        <Button
          variant="default"
          className={classes.danger ?? ''}
          disabled={busy}
          leftSection={<IconSquare size={13} stroke={2} aria-hidden />}
          onClick={() => onStop(deployment)}
        >
          Stop
        </Button>
      )}
      {canDelete && (
        <Button
          variant="default"
          className={classes.danger ?? ''}
          {...availability}
          leftSection={<IconTrash size={16} stroke={1.7} aria-hidden />}
          onClick={() => onDelete(deployment)}
        >
          Delete
        </Button>
      )}
    </div>
  )
}

interface Allowed {
  /** The one change that is offered first. */
  next: 'start' | 'pause' | 'resume'
  canStop: boolean
  canDelete: boolean
}

/** The actions of a card in each state; the server decides, and refuses what it does not allow. */
const ALLOWED: Record<Deployment['status'], Allowed> = {
  created: { next: 'start', canStop: false, canDelete: true },
  running: { next: 'pause', canStop: true, canDelete: false },
  paused: { next: 'resume', canStop: true, canDelete: false },
  stopped: { next: 'start', canStop: false, canDelete: true },
}
