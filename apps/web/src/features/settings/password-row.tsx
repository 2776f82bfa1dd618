import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { Switch } from '@mantine/core'
import { CardSection } from '../../ui/layout/card.tsx'
import { PASSWORD_NEEDS_GOOGLE, type SettingsMessage } from './messages.ts'
import { type AuthMethods, useTogglePassword } from './queries.ts'
import classes from './settings-screen.module.css'

/** Can only be switched where Google is linked: otherwise it would be the last way in. */
export function PasswordRow({ methods, tell }: { methods: AuthMethods; tell: (message: SettingsMessage) => void }) {
  const toggle = useTogglePassword(tell)
  const isOn = toggle.isPending ? toggle.variables : methods.password_enabled
  return (
    <CardSection>
      <div className={classes.row}>
        <div className={classes.words}>
          <p className={classes.name} id="password-sign-in">
            Password sign-in
          </p>
          <p className={classes.explanation} id="password-sign-in-hint">
            {methods.google_linked ? 'Sign in with your username and password.' : PASSWORD_NEEDS_GOOGLE}
          </p>
        </div>
        <div className={classes.control}>
          <span className={classes.state}>{isOn ? 'Enabled' : 'Disabled'}</span>
          <Switch
            aria-labelledby="password-sign-in"
            aria-describedby="password-sign-in-hint"
            checked={isOn}
            disabled={!methods.google_linked || toggle.isPending}
            onChange={(event) => toggle.mutate(event.currentTarget.checked)}
          />
        </div>
      </div>
    </CardSection>
  )
}
