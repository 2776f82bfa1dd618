import { Button } from '@mantine/core'
import { confirmEmail } from '@tradewright/contract/email'
import { useMutation } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { useSession } from '../../app/session-context.ts'
import { serverMessageOr, unreachableHint } from '../../lib/call-error.ts'
import { call } from '../../lib/http.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import classes from './sign-in-screen.module.css'
import { VisitorPage } from './visitor-page.tsx'

/** Where the link of a verification mail leads. A click confirms: programs that open links in mails do not. */
export function VerifyEmailScreen() {
  const [query] = useSearchParams()
  const token = query.get('token') ?? ''
  const confirm = useMutation({ mutationFn: () => call(confirmEmail, { body: { token } }) })
  return (
    <VisitorPage
      documentTitle="Confirm e-mail"
      title="Confirm your e-mail address"
      subtitle="Confirm only if you recognise the account named in the e-mail: its owner can then sign in with your address."
    >
      {confirm.error && (
        <Banner
          kind="error"
          text={serverMessageOr(confirm.error, 'The address could not be confirmed. Please try again.')}
          detail={unreachableHint(confirm.error)}
        />
      )}
      {confirm.data ? (
        <Banner kind="success" text={`${confirm.data.email} is verified.`} />
      ) : (
        <Button size="md" fullWidth mt="md" disabled={confirm.isPending} onClick={() => confirm.mutate()}>
          {confirm.isPending ? 'Confirming...' : 'Confirm e-mail address'}
        </Button>
      )}
      <p className={classes.other}>
        <NextStep />
      </p>
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
