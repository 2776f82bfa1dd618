import { EmailRow } from './email-row.tsx'
import { GoogleRow } from './google-row.tsx'
import type { SettingsMessage } from './messages.ts'
import { ChangePasswordRow } from './password-form.tsx'
import { PasswordRow } from './password-row.tsx'
import { useAuthMethods } from './queries.ts'
import { LoadedSection } from './settings-section.tsx'

export function AuthenticationSection({ tell }: { tell: (message: SettingsMessage) => void }) {
  return (
    <LoadedSection
      id="authentication"
      hint="Ways to sign in to this account. At least one must stay enabled."
      loading={useAuthMethods()}
      failure="The sign-in methods could not be loaded"
    >
      {(methods) => (
        <>
          <PasswordRow methods={methods} tell={tell} />
          <ChangePasswordRow methods={methods} tell={tell} />
          <GoogleRow methods={methods} tell={tell} />
          <EmailRow tell={tell} />
        </>
      )}
    </LoadedSection>
  )
}
