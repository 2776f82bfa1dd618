import { Link } from 'react-router'
import { useSession } from '../../app/session-context.ts'
import { CredentialsForm } from './credentials-form.tsx'
import { REGISTRATION_FAILED } from './messages.ts'
import { PasswordStrengthHint } from './password-strength-hint.tsx'
import classes from './sign-in-screen.module.css'
import { VisitorPage } from './visitor-page.tsx'

export function RegisterScreen() {
  const { register } = useSession()
  return (
    <VisitorPage
      documentTitle="Register"
      title="Create your account"
      subtitle="A name and a password are all it takes."
    >
      <CredentialsForm
        label="Create Account"
        busyLabel="Creating account..."
        failure={REGISTRATION_FAILED}
        notice={null}
        passwordAutoComplete="new-password"
        onSubmit={register}
        PasswordHint={PasswordStrengthHint}
      />
      <p className={classes.other}>
        Already registered? <Link to="/login">Sign in</Link>
      </p>
    </VisitorPage>
  )
}
