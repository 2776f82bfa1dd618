import type { RegistrationInfo } from '@tradewright/contract/auth'
import { Link, useLocation, useSearchParams } from 'react-router'
import { googleLoginPath, useSession, useRegistration } from '../../app/session.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import type { Credentials } from './credentials.ts'
import { GoogleMark } from './google-mark.tsx'
import { INVITATION_NEEDED, REGISTRATION_CLOSED, REGISTRATION_FAILED } from './messages.ts'
import { PasswordStrengthHint } from './password-strength-hint.tsx'
import classes from './sign-in-screen.module.css'
import { VisitorPage } from './visitor-page.tsx'

/** `?invite=` is the token of an invitation. */
export function RegisterScreen() {
  const info = useRegistration()
  const [query] = useSearchParams()
  // Where the visitor wanted to go: kept from one of the two screens to the other.
  const { state } = useLocation() as { state: unknown }
  const invite = query.get('invite')
  const refusal = info && refusalOf(info, invite)
  return (
    <VisitorPage
      documentTitle="Register"
      title="Create your account"
      subtitle={refusal ? 'Registration is limited on this site.' : 'All you need is a username and a password.'}
    >
      {refusal ? <Banner kind="info" text={refusal} /> : <RegisterForm info={info} invite={invite} />}
      <p className={classes.other}>
        Already registered?{' '}
        <Link to="/login" state={state}>
          Sign in
        </Link>
      </p>
    </VisitorPage>
  )
}

function refusalOf({ registration }: RegistrationInfo, invite: string | null): string | null {
  if (registration === 'closed') return REGISTRATION_CLOSED
  return registration === 'invite' && !invite ? INVITATION_NEEDED : null
}

function RegisterForm({ info, invite }: { info: RegistrationInfo | undefined; invite: string | null }) {
  const { register } = useSession()
  const { state } = useLocation() as { state: unknown }
  return (
    <>
      <CredentialsForm
        label="Create Account"
        busyLabel="Creating account..."
        failure={REGISTRATION_FAILED}
        notice={null}
        passwordAutoComplete="new-password"
        onSubmit={(credentials: Credentials) => register(credentials, invite)}
        PasswordHint={PasswordStrengthHint}
        minPasswordLength={info?.min_password_length ?? 1}
      />
      {invite && (
        <>
          <div className={classes.or}>or</div>
          <a className={classes.google} href={googleLoginPath(state, invite)}>
            <GoogleMark />
            Register with Google
          </a>
        </>
      )}
    </>
  )
}
