import { IconBell } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useProposals } from '../features/proposals/queries.ts'
import classes from './navigation.module.css'

/** How many proposals wait for an answer. Narrow screens have room for it where some do. */
export function ProposalsButton() {
  const count = useProposals().data?.open.length ?? 0
  const words = count === 0 ? 'Proposals' : `Proposals: ${count} waiting for an answer`
  return (
    <Link
      to="/proposals"
      className={`${classes.iconButton} ${classes.bell}`}
      data-count={count}
      aria-label={words}
      title={words}
    >
      <IconBell size={18} stroke={1.7} aria-hidden />
      {count > 0 && <span className={`${classes.badge} tabular`}>{count}</span>}
    </Link>
  )
}
