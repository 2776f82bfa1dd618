import { Button } from '@mantine/core'
import { SEC_TICKERS_MAX } from '@tradewright/contract/collected-data'
import { useState } from 'react'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { CancelButton, ContentModal } from '../../../ui/layout/content-modal.tsx'
import { NumberField } from '../../../ui/form/fields.tsx'
import layout from '../layout.module.css'
import type { useDialog } from '../use-dialog.ts'
import type { Notice } from '../use-notice.ts'
import { useSecTickers } from './job-queries.ts'

const DEFAULT_COUNT = 50

interface SecTickersModalProps {
  dialog: ReturnType<typeof useDialog<true>>
  onTickers: (tickers: string[]) => void
}

export function SecTickersModal({ dialog, onTickers }: SecTickersModalProps) {
  return (
    <ContentModal opened={dialog.isOpen} title="Add top SEC tickers" size={440} onClose={dialog.close}>
      <Question key={dialog.times} onTickers={onTickers} onClose={dialog.close} />
    </ContentModal>
  )
}

/** Asks how many; a number outside the range is moved into it. */
function Question({ onTickers, onClose }: { onTickers: (tickers: string[]) => void; onClose: () => void }) {
  const [count, setCount] = useState<number | string>(DEFAULT_COUNT)
  const [failure, setFailure] = useState<Notice | null>(null)
  const fetching = useSecTickers({
    onTickers: (tickers) => {
      onTickers(tickers)
      onClose()
    },
    onError: setFailure,
  })
  const ask = () => {
    setFailure(null)
    const wanted = Math.trunc(Number(count)) || DEFAULT_COUNT
    fetching.mutate(Math.min(SEC_TICKERS_MAX, Math.max(1, wanted)))
  }
  return (
    <div className={layout.form}>
      {failure && <Banner kind="error" text={failure.text} detail={failure.detail} />}
      <NumberField
        label="How many of the largest companies?"
        hint={`1 to ${SEC_TICKERS_MAX}, in the order of the SEC's list`}
        value={count}
        onChange={setCount}
      />
      <div className={layout.foot}>
        <CancelButton />
        <Button disabled={fetching.isPending} onClick={ask}>
          {fetching.isPending ? 'Fetching...' : 'Add tickers'}
        </Button>
      </div>
    </div>
  )
}
