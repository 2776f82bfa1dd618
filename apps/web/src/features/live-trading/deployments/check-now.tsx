import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import type { Deployment } from '@tradewright/contract/live-trading-fields'
import { useCheckNow } from '../actions.ts'
import type { Tell } from '../messages.ts'

interface CheckNowProps {
  deployment: Deployment
  tell: Tell
  /** Beside a line of text. */
  isSmall?: boolean
}

/** Makes the next check of a running deployment at once; nothing where there is none to make. */
export function CheckNow({ deployment, tell, isSmall = false }: CheckNowProps) {
  const check = useCheckNow(tell)
  if (deployment.status !== 'running') return null
  return (
    <Button
      {...(isSmall ? { variant: 'subtle', size: 'compact-sm' } : { variant: 'default' })}
      loading={check.isPending}
      leftSection={<IconRefresh size={16} stroke={1.7} aria-hidden />}
      onClick={() => check.mutate(deployment.id)}
    >
      Check now
    </Button>
  )
}
