import { Link, useLocation, useSearchParams } from 'react-router'
import { googleLoginPath } from '../../app/return-path.ts'
import { useSession } from '../../app/session-context.ts'
import { useRegistration } from '../../app/use-registration.ts'
import { CredentialsForm } from './credentials-form.tsx'
import { GoogleMark } from './google-mark.tsx'
import { googleLoginError, LOGIN_FAILED } from './messages.ts'
import classes from './sign-in-screen.module.css'
import { VisitorPage } from './visitor-page.tsx'

export function SignInScreen() {
  const { session, signIn } = useSession()
  const registration = useRegistration()?.registration
  const [query] = useSearchParams()
  // Where the visitor wanted to go: kept from one of the two screens to the other.
  const { state } = useLocation() as { state: unknown }
  const ended = session.state === 'signed out' ? session.notice : null
  const notice = googleLoginError(query.get('error')) ?? ended

  return (
    <VisitorPage
      documentTitle="Sign in"
      title="Sign in to Tradewright"
      subtitle="Research, test and run your strategies in one place."
    >
      <CredentialsForm
        label="Sign in"
        busyLabel="Signing in..."
        failure={LOGIN_FAILED}
        notice={notice}
        passwordAutoComplete="current-password"
        onSubmit={signIn}
      />
      <div className={classes.or}>or</div>
      {/* A page of its own, not a call: the browser leaves for Google. */}
      <a className={classes.google} href={googleLoginPath(state)}>
        <GoogleMark />
        Sign in with Google
      </a>
      {registration === 'open' && (
        <p className={classes.other}>
          New here?{' '}
          <Link to="/register" state={state}>
            Create an account
          </Link>
        </p>
      )}
    </VisitorPage>
  )
}
