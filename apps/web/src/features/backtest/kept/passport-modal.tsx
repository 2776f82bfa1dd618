import { Button } from '@mantine/core'
import { getPassport } from '@tradewright/contract/passports'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { downloadText } from '../../../lib/download.ts'
import { call } from '../../../lib/http.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { CheckField } from '../../../ui/form/fields.tsx'
import { LEAVE_FREELY } from '../../../ui/form/unsaved-work.ts'
import { ContentModal } from '../../../ui/layout/content-modal.tsx'
import type { KeptRun } from './kept-run.ts'
import classes from './kept.module.css'

interface PassportModalProps {
  opened: boolean
  kept: KeptRun
  onClose: () => void
}

/** Gives the result as a file that others can verify. */
export function PassportModal({ opened, kept, onClose }: PassportModalProps) {
  return (
    <ContentModal opened={opened} size={440} title="Result passport" onClose={onClose}>
      <Download kept={kept} onDone={onClose} />
    </ContentModal>
  )
}

function Download({ kept, onDone }: { kept: KeptRun; onDone: () => void }) {
  const [withRows, setWithRows] = useState(false)
  const download = useMutation({
    mutationFn: () => call(getPassport, { params: { id: kept.id }, query: { rows: withRows ? 'true' : 'false' } }),
    onSuccess: (passport) => {
      downloadText(`passport-${kept.id}.json`, JSON.stringify(passport), 'application/json')
      onDone()
    },
  })
  return (
    <form
      className={classes.form}
      aria-label="Result passport"
      {...LEAVE_FREELY}
      onSubmit={(event) => {
        event.preventDefault()
        download.mutate()
      }}
    >
      {download.isError && (
        <Banner kind="error" text="The passport could not be made" detail={download.error.message} />
      )}
      <p className={classes.hint}>
        A file with which others can check this result: strategy, settings, seed, versions and the checksum of every
        series and figure. Another instance runs it again and says whether everything is the same to the last bit.
        Nothing about you or your accounts is in it.
      </p>
      <CheckField
        label="Include the rows"
        hint="Also works where the data is not at hand, and names the first value that differs. Check that the provider of the data lets you pass it on."
        checked={withRows}
        onChange={setWithRows}
      />
      <div className={classes.buttons}>
        <Button type="submit" disabled={download.isPending}>
          {download.isPending ? 'Preparing...' : 'Download passport'}
        </Button>
      </div>
    </form>
  )
}
