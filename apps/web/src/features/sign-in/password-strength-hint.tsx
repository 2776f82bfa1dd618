import classes from './password-strength-hint.module.css'
import { passwordStrength } from './password-strength.ts'

const STEPS = [1, 2, 3, 4]

export function PasswordStrengthHint({ password, username }: { password: string; username: string }) {
  const strength = passwordStrength(password, username)
  return (
    <div className={classes.hint} id="password-strength" aria-live="polite">
      <div className={classes.bar} aria-hidden>
        {STEPS.map((step) => (
          <span key={step} data-filled={step <= (strength?.steps ?? 0)} data-word={strength?.word} />
        ))}
      </div>
      {strength ? (
        <p>
          <strong>{strength.word}.</strong> {strength.advice}
        </p>
      ) : (
        <p>Any password is accepted; a long one is safer.</p>
      )}
    </div>
  )
}
