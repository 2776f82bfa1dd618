import '@mantine/core/styles/Input.layer.css'
import { Button, TextInput } from '@mantine/core'
import {
  confirmFactor,
  type FactorProof,
  type FactorQuestion,
  getFactorQuestion,
} from '@tradewright/contract/second-factor'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { serverMessageOr } from '../lib/call-error.ts'
import { call, onFactorNeeded } from '../lib/http.ts'
import { Banner } from '../ui/feedback/banner.tsx'
import { CardSkeleton } from '../ui/feedback/skeletons.tsx'
import { LEAVE_FREELY } from '../ui/form/unsaved-work.ts'
import { ContentModal } from '../ui/layout/content-modal.tsx'
import classes from './factor-question.module.css'

/** Asks for the second factor where a call is refused for want of it; the call is then made again. */
export function FactorDialog() {
  const [answer, setAnswer] = useState<((isGiven: boolean) => void) | null>(null)
  const waiting = useRef<Promise<boolean> | null>(null)
  useEffect(
    () =>
      onFactorNeeded(() => {
        // Two calls at the same moment wait for one answer.
        waiting.current ??= new Promise<boolean>((resolve) => setAnswer(() => resolve)).finally(() => {
          waiting.current = null
          setAnswer(null)
        })
        return waiting.current
      }),
    [],
  )
  return (
    <ContentModal opened={answer !== null} size={440} title="Confirm that it is you" onClose={() => answer?.(false)}>
      <p className={classes.text}>
        This needs your second factor. You are not asked again for ten minutes in this browser.
      </p>
      <FactorForm
        label="Confirm"
        ask={() => call(getFactorQuestion)}
        prove={async (proof) => {
          await call(confirmFactor, { body: proof })
          answer?.(true)
        }}
      />
    </ContentModal>
  )
}

interface FactorFormProps {
  label: string
  ask: () => Promise<FactorQuestion>
  prove: (proof: FactorProof) => Promise<void>
}

/** A passkey at the press of a button, or a code: of an app, or one of the recovery codes. */
export function FactorForm({ label, ask, prove }: FactorFormProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['factor question', label],
    queryFn: ask,
    gcTime: 0,
    retry: false,
  })
  const [code, setCode] = useState('')
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  // A question for a passkey is answered once, whatever comes of it: after a failure the next press asks a new one.
  const isAnswered = useRef(false)
  const hasCodes = data?.methods.some((method) => method !== 'passkey') ?? false

  useEffect(() => {
    if (hasCodes) field.current?.focus()
  }, [hasCodes])

  const attempt = async (make: () => Promise<FactorProof>, sentence: string) => {
    if (isBusy) return
    setBusy(true)
    setFailure(null)
    try {
      await prove(await make())
    } catch (reason) {
      setFailure(serverMessageOr(reason, sentence))
      field.current?.select()
      isAnswered.current = true
    } finally {
      setBusy(false)
    }
  }
  const usePasskey = async (options: object): Promise<FactorProof> => {
    if (!isAnswered.current) return askPasskey(options)
    const { data: question } = await refetch({ throwOnError: true })
    isAnswered.current = false
    return askPasskey(question?.passkey_options ?? options)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void attempt(() => Promise.resolve({ code }), 'The code could not be checked. Please try again.')
  }
  if (error) return <Banner kind="error" text={serverMessageOr(error, 'The second step could not be loaded.')} />
  if (!data) return <CardSkeleton rows={1} />
  const { passkey_options: options, methods } = data
  return (
    <form className={classes.form} noValidate {...LEAVE_FREELY} onSubmit={submit}>
      {failure && <Banner kind="error" text={failure} />}
      {options && (
        <Button
          size="md"
          fullWidth
          variant={hasCodes ? 'default' : 'filled'}
          aria-disabled={isBusy}
          onClick={() => void attempt(() => usePasskey(options), 'The passkey was not used. Please try again.')}
        >
          Use a passkey
        </Button>
      )}
      {hasCodes && (
        <>
          <TextInput
            ref={field}
            label="Code"
            description={
              methods.includes('totp')
                ? 'From your authenticator app, or a recovery code.'
                : 'One of your recovery codes.'
            }
            name="code"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            size="md"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <Button type="submit" size="md" fullWidth aria-disabled={isBusy}>
            {isBusy ? 'Checking...' : label}
          </Button>
        </>
      )}
    </form>
  )
}

/** The browser asks its user. Its library comes when it is needed. */
async function askPasskey(options: object): Promise<FactorProof> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the standard's own JSON, which the server made
  const passkey = await startAuthentication({ optionsJSON: options as never })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- and what the contract declares of it
  return { passkey: passkey as FactorProof['passkey'] }
}
