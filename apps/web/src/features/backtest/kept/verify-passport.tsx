import { Button } from '@mantine/core'
import { verifyRecordFile } from '@tradewright/contract/forward-records'
import { PASSPORT_MAX_BYTES, type PassportVerdict, verifyPassport } from '@tradewright/contract/passports'
import { RECORD_FORMAT } from '@tradewright/core/forward-record'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { CallError } from '../../../lib/call-error.ts'
import { callForText, parsed } from '../../../lib/http.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { FileField } from '../../../ui/form/fields/text-fields.tsx'
import { LEAVE_FREELY } from '../../../ui/form/unsaved-work.ts'
import { ContentModal } from '../../../ui/layout/content-modal.tsx'
import classes from './kept.module.css'

export function VerifyPassportModal({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <ContentModal opened={opened} size={720} title="Verify a passport" onClose={onClose}>
      <Verify />
    </ContentModal>
  )
}

async function send(file: File): Promise<PassportVerdict> {
  const form = new FormData()
  form.append('file', file)
  if (await isRecord(file)) return verdictOfRecord(form)
  const answer = verifyPassport.answer.safeParse(parsed(await callForText(verifyPassport, form)))
  if (answer.success) return answer.data
  throw new CallError({ status: 200, code: 'answer.shape', serverMessage: null, cause: answer.error })
}

/** A forward record says what it is at its beginning. */
const isRecord = async (file: File): Promise<boolean> =>
  new RegExp(`"format"\\s*:\\s*"${RECORD_FORMAT}"`).test(await file.slice(0, 1_000).text())

async function verdictOfRecord(form: FormData): Promise<PassportVerdict> {
  const answer = verifyRecordFile.answer.safeParse(parsed(await callForText(verifyRecordFile, form)))
  if (!answer.success) {
    throw new CallError({ status: 200, code: 'answer.shape', serverMessage: null, cause: answer.error })
  }
  const { is_whole: identical, verdict, head, proves } = answer.data
  return { identical, verdict, differences: [], data_differences: [], notes: [`Head: ${head}.`, proves] }
}

function Verify() {
  const [file, setFile] = useState<File | null>(null)
  const verify = useMutation({ mutationFn: send })
  const isTooLarge = file !== null && file.size > PASSPORT_MAX_BYTES
  const choose = (chosen: File | null) => {
    setFile(chosen)
    verify.reset()
  }
  return (
    <form
      className={classes.form}
      aria-label="Verify a passport"
      {...LEAVE_FREELY}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (file) verify.mutate(file)
      }}
    >
      <p className={classes.hint}>
        The backtest of a passport is run again and every value is compared; the chain of a forward record is computed
        anew. Nothing is kept.
      </p>
      <FileField
        label="Passport"
        hint="The JSON file that Passport downloads from a result, or Download from a forward record"
        accept=".json,application/json"
        file={file}
        error={isTooLarge ? `A passport has at most ${PASSPORT_MAX_BYTES / 1024 ** 2} MB.` : undefined}
        onChange={choose}
      />
      {verify.isError && <Banner kind="error" text="The passport was not verified" detail={verify.error.message} />}
      {verify.data && <Verdict verdict={verify.data} />}
      <div className={classes.buttons}>
        <Button type="submit" disabled={file === null || isTooLarge || verify.isPending}>
          {verify.isPending ? 'Running it again...' : 'Verify'}
        </Button>
      </div>
    </form>
  )
}

function Verdict({ verdict }: { verdict: PassportVerdict }) {
  const { identical, differences, data_differences: data, notes } = verdict
  const heading = useId()
  const shown = identical ? data : differences
  return (
    <div className={classes.verdict}>
      <Banner kind={identical ? 'success' : 'error'} text={verdict.verdict} detail={notes.join(' ')} />
      {shown.length > 0 && (
        <>
          <h3 className={classes.subtitle} id={heading}>
            {identical ? 'Where the data differs' : 'Where it differs'}
          </h3>
          <ol className={classes.differences} aria-labelledby={heading}>
            {shown.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ol>
        </>
      )}
    </div>
  )
}
