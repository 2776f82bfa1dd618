import { Banner } from '../../ui/feedback/banner.tsx'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import { useAfterFirstPaint } from '../../ui/layout/use-after-first-paint.ts'
import { AccountsSection } from './accounts/accounts-section.tsx'
import { AlertsSection } from './alerts/alerts-section.tsx'
import { ApiKeysSection } from './api-keys/api-keys-section.tsx'
import { AuthenticationSection } from './authentication-section.tsx'
import { DataStoresSection } from './data-stores/data-stores-section.tsx'
import { HealthSection } from './health/health-section.tsx'
import { OpenAiSection } from './openai/openai-section.tsx'
import { PlaceholderSection } from './placeholder-section.tsx'
import { SectionNavigation } from './section-navigation.tsx'
import { SessionsSection } from './sessions/sessions-section.tsx'
import { SharedResultsSection } from './shared-results/shared-results-section.tsx'
import classes from './settings-screen.module.css'
import { useArrivalSection } from './use-arrival-section.ts'
import { useSettingsMessage } from './use-settings-message.ts'
import { UserDataSection } from './user-data/user-data-section.tsx'

const SUCCESS_SHOWN_MS = 5_000

export function SettingsScreen() {
  const isPainted = useAfterFirstPaint()
  return (
    <Page documentTitle="Settings">
      <PageHeader title="Settings" subtitle="Accounts, keys, data stores and how you sign in" />
      {isPainted && <Sections />}
    </Page>
  )
}

function Sections() {
  const { message, tell, dismiss } = useSettingsMessage()
  useArrivalSection()
  return (
    <div className={classes.columns}>
      <SectionNavigation />
      <div className={classes.cards}>
        {message && (
          <div className={classes.message}>
            <Banner
              key={message.id}
              kind={message.kind}
              text={message.text}
              onClose={dismiss}
              {...(message.kind === 'success' ? { closeAfterMs: SUCCESS_SHOWN_MS } : {})}
            />
          </div>
        )}
        <AccountsSection tell={tell} />
        <OpenAiSection tell={tell} />
        <DataStoresSection tell={tell} />
        <AuthenticationSection tell={tell} />
        <PlaceholderSection
          id="notifications"
          mark="Coming soon"
          text="Choose which notifications you receive, and how."
        />
        <AlertsSection tell={tell} />
        <SessionsSection tell={tell} />
        <ApiKeysSection tell={tell} />
        <SharedResultsSection tell={tell} />
        <UserDataSection tell={tell} />
        <HealthSection />
      </div>
    </div>
  )
}
