import classes from './password-strength-hint.module.css'
import { passwordStrength } from './password-strength.ts'

const STEPS = [1, 2, 3, 4]

interface PasswordStrengthHintProps {
  password: string
  username: string
  /** The server's minimum; 1: anything. */
  minLength: number
}

export function PasswordStrengthHint({ password, username, minLength }: PasswordStrengthHintProps) {
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
        <p>
          {minLength > 1
            ? `At least ${minLength} characters, and not a commonly used password.`
            : 'Any password is accepted; a long one is safer.'}
        </p>
      )}
    </div>
  )
}
