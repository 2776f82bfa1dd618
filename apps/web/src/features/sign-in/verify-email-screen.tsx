import { Button } from '@mantine/core'
import { confirmEmail } from '@tradewright/contract/email'
import { confirmRecipient } from '@tradewright/contract/live-trading-watch'
import { useMutation } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { useSession } from '../../app/session.ts'
import { serverMessageOr, unreachableHint } from '../../lib/call-error.ts'
import { call } from '../../lib/http.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import classes from './sign-in-screen.module.css'
import { VisitorPage } from './visitor-page.tsx'

const ACCOUNT = {
  documentTitle: 'Confirm e-mail',
  title: 'Confirm your e-mail address',
  subtitle:
    'Confirm only if you recognise the account named in the e-mail: its owner can then sign in with your address.',
  button: 'Confirm e-mail address',
  done: 'is verified.',
}
const RECIPIENT = {
  documentTitle: 'Receive notifications',
  title: 'Receive notifications?',
  subtitle:
    'Somebody with an account on this server wants you to receive e-mails about their trading. They get no access to your address.',
  button: 'Receive notifications',
  done: 'receives notifications.',
}

/** Where links in mails lead. A click confirms: programs that open links in mails do not. */
export function VerifyEmailScreen() {
  const [query] = useSearchParams()
  const recipient = query.get('recipient')
  const token = recipient ?? query.get('token') ?? ''
  const words = recipient === null ? ACCOUNT : RECIPIENT
  const confirm = useMutation({
    mutationFn: () => call(recipient === null ? confirmEmail : confirmRecipient, { body: { token } }),
  })
  return (
    <VisitorPage documentTitle={words.documentTitle} title={words.title} subtitle={words.subtitle}>
      {confirm.error && (
        <Banner
          kind="error"
          text={serverMessageOr(confirm.error, 'The address could not be confirmed. Please try again.')}
          detail={unreachableHint(confirm.error)}
        />
      )}
      {confirm.data ? (
        <Banner kind="success" text={`${confirm.data.email} ${words.done}`} />
      ) : (
        <Button size="md" fullWidth mt="md" disabled={confirm.isPending} onClick={() => confirm.mutate()}>
          {confirm.isPending ? 'Confirming...' : words.button}
        </Button>
      )}
      {recipient === null && (
        <p className={classes.other}>
          <NextStep />
        </p>
      )}
    </VisitorPage>
  )
}

function NextStep() {
  const { session } = useSession()
  return session.state === 'signed in' ? (
    <Link to="/settings#authentication">Go to Settings</Link>
  ) : (
    <Link to="/login">Sign in</Link>
  )
}
