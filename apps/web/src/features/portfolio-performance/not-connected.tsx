import { Button } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { PAPER_CASH_USD } from '@tradewright/core/broker-catalogue'
import { serverMessageOr, unreachableHint } from '../../lib/call-error.ts'
import { formatWholeMoney } from '../../lib/format.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { LinkButton } from '../../ui/form/link-button.tsx'
import { NOT_CONNECTED } from './messages.ts'
import { useAddPaperAccount } from './queries.ts'

export function NotConnected() {
  const add = useAddPaperAccount()
  return (
    <>
      {add.isError && (
        <Banner
          kind="error"
          text={`Failed to add account: ${serverMessageOr(add.error, 'Unknown error')}`}
          detail={unreachableHint(add.error)}
        />
      )}
      <Card>
        <EmptyState
          icon={IconPlugConnectedX}
          title={NOT_CONNECTED}
          text={`Connect an Alpaca account in Settings, or begin at once with the built-in paper account: ${formatWholeMoney(PAPER_CASH_USD)} of virtual money, without keys and without a network.`}
          action={
            <>
              <Button disabled={add.isPending || add.isSuccess} onClick={() => add.mutate()}>
                {add.isPending ? 'Adding...' : 'Use the built-in paper account'}
              </Button>
              <LinkButton to="/settings#alpaca">Go to Settings</LinkButton>
            </>
          }
        />
      </Card>
    </>
  )
}
