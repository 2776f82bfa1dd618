import { type FactorProof, getSecondStep, SECOND_STEP_NEEDED } from '@tradewright/contract/second-factor'
import { useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { googleLoginPath, useSession, useRegistration } from '../../app/session.ts'
import { FactorForm } from '../../app/factor-question.tsx'
import { CallError } from '../../lib/call-error.ts'
import { call } from '../../lib/http.ts'
import { CredentialsForm } from './credentials-form.tsx'
import type { Credentials } from './credentials.ts'
import { GoogleMark } from './google-mark.tsx'
import { googleLoginError, LOGIN_FAILED } from './messages.ts'
import classes from './sign-in-screen.module.css'
import { VisitorPage } from './visitor-page.tsx'

export function SignInScreen() {
  const { session, signIn, signInWithFactor } = useSession()
  const navigate = useNavigate()
  const registration = useRegistration()?.registration
  const [query] = useSearchParams()
  // Where the visitor wanted to go: kept from one of the two screens to the other.
  const { state } = useLocation() as { state: unknown }
  const ended = session.state === 'signed out' ? session.notice : null
  const [isSecondStep, setSecondStep] = useState(query.get('step') === '2')
  const notice = googleLoginError(query.get('error')) ?? ended

  const secondStep = async (proof: FactorProof) => {
    const path = await signInWithFactor(proof)
    // Google leads back here without what this page knew of where the visitor wanted to go.
    if (path !== null) void navigate(path, { replace: true })
  }
  if (isSecondStep) {
    return (
      <VisitorPage documentTitle="Sign in" title="One more step" subtitle="This account has a second factor.">
        <FactorForm label="Sign in" ask={() => call(getSecondStep)} prove={secondStep} />
        <p className={classes.other}>
          <Link to="/login" state={state} onClick={() => setSecondStep(false)}>
            Start again
          </Link>
        </p>
      </VisitorPage>
    )
  }
  const firstStep = async (credentials: Credentials) => {
    try {
      await signIn(credentials)
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== SECOND_STEP_NEEDED) throw error
      setSecondStep(true)
    }
  }

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
        onSubmit={firstStep}
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
