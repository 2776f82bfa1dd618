import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import { SEC_TICKERS_MAX } from '@tradewright/contract/collected-data'
import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { NumberField } from '../../../ui/fields.tsx'
import layout from '../layout.module.css'
import type { useDialog } from '../use-dialog.ts'
import type { Notice } from '../use-notice.ts'
import { useSecTickers } from './job-queries.ts'

const DEFAULT_COUNT = 50

interface SecTickersModalProps {
  dialog: ReturnType<typeof useDialog<true>>
  onTickers: (tickers: string[]) => void
}

/** Asks how many; a number outside the range is moved into it. */
export function SecTickersModal({ dialog, onTickers }: SecTickersModalProps) {
  const [count, setCount] = useState<number | string>(DEFAULT_COUNT)
  const [failure, setFailure] = useState<Notice | null>(null)
  const fetching = useSecTickers({
    onTickers: (tickers) => {
      onTickers(tickers)
      dialog.close()
    },
    onError: setFailure,
  })
  const ask = () => {
    setFailure(null)
    const wanted = Math.trunc(Number(count)) || DEFAULT_COUNT
    fetching.mutate(Math.min(SEC_TICKERS_MAX, Math.max(1, wanted)))
  }
  return (
    <Modal
      opened={dialog.isOpen}
      onClose={dialog.close}
      title="Add top SEC tickers"
      size={440}
      centered
      radius={12}
      withCloseButton={false}
      transitionProps={{ duration: 200 }}
    >
      <div className={layout.form}>
        {failure && <Banner kind="error" text={failure.text} detail={failure.detail} />}
        <NumberField
          label="How many of the largest companies?"
          hint={`1 to ${SEC_TICKERS_MAX}, in the order of the SEC's list`}
          value={count}
          onChange={setCount}
        />
        <div className={layout.foot}>
          <Button variant="default" onClick={dialog.close}>
            Cancel
          </Button>
          <Button disabled={fetching.isPending} onClick={ask}>
            {fetching.isPending ? 'Fetching...' : 'Add tickers'}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
