import { Button } from '@mantine/core'
import { Banner } from '../../ui/banner.tsx'
import { Card } from '../../ui/card.tsx'
import { CardSkeleton } from '../../ui/skeletons.tsx'
import { GoogleRow } from './google-row.tsx'
import type { SettingsMessage } from './messages.ts'
import { ChangePasswordRow } from './password-form.tsx'
import { PasswordRow } from './password-row.tsx'
import { useAuthMethods } from './queries.ts'
import classes from './settings-screen.module.css'

export function AuthenticationSection({ tell }: { tell: (message: SettingsMessage) => void }) {
  const methods = useAuthMethods()
  return (
    <Card
      id="authentication"
      title="Authentication & Security"
      hint="Ways to sign in to this account. At least one stays enabled."
    >
      {methods.isPending && <CardSkeleton rows={2} />}
      {methods.isError && (
        <div className={classes.inset}>
          <Banner
            kind="error"
            text="The sign-in methods could not be loaded"
            detail={methods.error.message}
            action={
              <Button variant="default" onClick={() => void methods.refetch()}>
                Try again
              </Button>
            }
          />
        </div>
      )}
      {methods.data && (
        <>
          <PasswordRow methods={methods.data} tell={tell} />
          <ChangePasswordRow methods={methods.data} tell={tell} />
          <GoogleRow methods={methods.data} tell={tell} />
        </>
      )}
    </Card>
  )
}
