import { useEffect, useCallback, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import { useAfterFirstPaint } from '../../ui/layout/two-columns.tsx'
import { AccountsSection } from './accounts/accounts-section.tsx'
import { AlertsSection } from './alerts/alerts-section.tsx'
import { ApiKeysSection } from './api-keys/api-keys-section.tsx'
import { DataStoresSection } from './data-stores/data-stores-section.tsx'
import { FormatsSection } from './formats/formats-section.tsx'
import { HealthSection } from './health/health-section.tsx'
import { OpenAiSection } from './openai/openai-section.tsx'
import { SecondFactorSection } from './second-factor/second-factor-section.tsx'
import { SecurityLogSection } from './security-log/security-log-section.tsx'
import { SessionsSection } from './sessions/sessions-section.tsx'
import { SharedResultsSection } from './shared-results/shared-results-section.tsx'
import classes from './settings-screen.module.css'
import { UserDataSection } from './user-data/user-data-section.tsx'
import { EmailRow } from './email-row.tsx'
import { GoogleRow } from './google-row.tsx'
import { type SettingsMessage, arrivalMessage } from './messages.ts'
import { ChangePasswordRow } from './password-form.tsx'
import { PasswordRow } from './password-row.tsx'
import { useAuthMethods } from './queries.ts'
import { LoadedSection, SettingsSection } from './settings-section.tsx'
import { Tag } from '../../ui/feedback/tag.tsx'
import { type SectionId, SECTIONS } from './sections.ts'
import { useSectionInSight } from '../../ui/layout/use-section-in-sight.ts'

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
              onClose={() => dismiss(message.id)}
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
          text="Notifications of backtests, searches and collected data. Alerts of live trading are set below."
        />
        <AlertsSection tell={tell} />
        <SecondFactorSection tell={tell} />
        <SessionsSection tell={tell} />
        <SecurityLogSection />
        <ApiKeysSection tell={tell} />
        <SharedResultsSection tell={tell} />
        <FormatsSection />
        <UserDataSection tell={tell} />
        <HealthSection />
      </div>
    </div>
  )
}

function AuthenticationSection({ tell }: { tell: (message: SettingsMessage) => void }) {
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

interface PlaceholderSectionProps {
  id: SectionId
  mark: 'Coming soon' | 'Not available yet'
  text: string
}

/** A section that is listed but not there yet, and says so. */
function PlaceholderSection({ id, mark, text }: PlaceholderSectionProps) {
  return <SettingsSection id={id} hint={text} actions={<Tag>{mark}</Tag>} />
}

const IDS = SECTIONS.map(({ id }) => id)

/** The list at the left; on narrow screens a row above the cards. The section in sight is marked. */
function SectionNavigation() {
  const [current] = useSectionInSight(IDS)
  return (
    <nav className={classes.sections} aria-label="Settings sections">
      {SECTIONS.map(({ id, title }) => (
        <a key={id} href={`#${id}`} aria-current={id === current ? 'location' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  )
}

/** A link from another screen may name a section, which is not there yet when the browser looks for it. */
function useArrivalSection(): void {
  useEffect(() => {
    const id = window.location.hash.slice(1)
    if (id) document.getElementById(id)?.scrollIntoView()
  }, [])
}

/** One message at a time, the newest. The first may come with the address, which is then cleaned. */
function useSettingsMessage() {
  const [query, setQuery] = useSearchParams()
  const [message, setMessage] = useState<(SettingsMessage & { id: number }) | null>(() =>
    numbered(arrivalMessage(query)),
  )

  useEffect(() => {
    if (query.size > 0) setQuery({}, { replace: true })
  }, [query, setQuery])

  const tell = useCallback((next: SettingsMessage) => setMessage(numbered(next)), [])
  const dismiss = useCallback((id: number) => setMessage((now) => (now?.id === id ? null : now)), [])
  return { message, tell, dismiss }
}

let last = 0

/** The same words twice are two messages: the second starts its own time. */
function numbered(message: SettingsMessage | null) {
  last += 1
  return message && { ...message, id: last }
}
