import { IconPlus, IconRocket } from '@tabler/icons-react'
import { useUser } from '../../app/session-context.ts'
import { CardSkeleton } from '../../ui/feedback/skeletons.tsx'
import { useNow } from '../../ui/feedback/use-now.ts'
import { LinkButton } from '../../ui/form/link-button.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { AttentionPanel } from './panels/attention-panel.tsx'
import { ChecklistPanel } from './panels/checklist-panel.tsx'
import { DeploymentsPanel } from './panels/deployments-panel.tsx'
import { EquityPanel } from './panels/equity-panel.tsx'
import classes from './home-screen.module.css'
import { JobsPanel } from './panels/jobs-panel.tsx'
import { marketDay, marketSentence } from './market-words.ts'
import { greeting, WELCOME } from './messages.ts'
import { NextStepCard } from './next-step-card.tsx'
import { Panel } from './panels/panel.tsx'
import { useAccounts, useGlance, useJobs, useLiveHome } from './queries.ts'
import { QuickLinkCard } from './quick-link-card.tsx'
import { QUICK_LINKS } from './quick-links.ts'
import { BestResultsPanel, LatestResultsPanel } from './panels/results-panels.tsx'
import { useHomeState } from './use-home-state.ts'

export function HomeScreen() {
  useLiveHome()
  const home = useHomeState()
  return (
    <Page documentTitle="Home">
      <Header home={home} />
      <div className={classes.panels}>{home.isNew ? <FirstSteps home={home} /> : <LivePanels home={home} />}</div>
    </Page>
  )
}

/** Shown before there is anything else to show. */
function FirstSteps({ home }: { home: Home }) {
  const jobs = useJobs()
  const hasJobs = (jobs.data?.length ?? 0) > 0
  return (
    <div className={classes.top} data-alone={!home.isLoading && !home.hasChecklist && !hasJobs}>
      <div className={classes.stack}>
        {home.isLoading ? <CardSkeleton rows={6} /> : <NextStepCard {...home} />}
        <QuickLinks columns={2} />
      </div>
      <div className={classes.stack}>
        {hasJobs && <JobsPanel />}
        {(home.isLoading || home.hasChecklist) && <ChecklistPanel layout="column" />}
      </div>
    </div>
  )
}

function LivePanels({ home }: { home: Home }) {
  // Beside the one next step, as it was before there was anything else; below the account once there is one.
  const isListBeside = home.hasChecklist && !home.account
  const hasAside = home.hasNews || isListBeside
  return (
    <>
      <div className={classes.top} data-alone={!hasAside}>
        <div className={classes.stack}>
          <LeadPanel home={home} />
          {isListBeside && <ResultsPanels />}
        </div>
        {hasAside && (
          <div className={classes.stack}>
            <AttentionPanel />
            <JobsPanel />
            {isListBeside && <ChecklistPanel layout="column" />}
          </div>
        )}
      </div>
      {home.hasChecklist && !isListBeside && <ChecklistPanel layout="row" />}
      <DeploymentsPanel />
      {!isListBeside && (
        <div className={classes.pair}>
          <ResultsPanels />
        </div>
      )}
      <QuickLinks columns={4} />
      {home.account && (
        <p className={classes.credit}>
          Charts are drawn with{' '}
          <a href="https://www.tradingview.com/lightweight-charts/" rel="noreferrer" target="_blank">
            Lightweight Charts
          </a>{' '}
          by TradingView.
        </p>
      )}
    </>
  )
}

function ResultsPanels() {
  return (
    <>
      <BestResultsPanel />
      <LatestResultsPanel />
    </>
  )
}

type Home = ReturnType<typeof useHomeState>

function Header({ home: { isNew, account } }: { home: Home }) {
  const user = useUser()
  return (
    <header className={classes.header}>
      <div className={classes.words}>
        <h1 className={classes.greeting}>{greeting(user.username)}</h1>
        <p className={classes.welcome}>{WELCOME}</p>
        <MarketLine />
      </div>
      {!isNew && (
        <div className={classes.actions}>
          <LinkButton to="/live-trading?tab=deploy" icon={IconRocket}>
            Deploy
          </LinkButton>
          <LinkButton to="/backtest?new" primary={account !== undefined} icon={IconPlus}>
            New backtest
          </LinkButton>
        </div>
      )}
    </header>
  )
}

/** Without the market's hours, nothing is missing. */
function MarketLine() {
  const { data } = useGlance()
  const now = new Date(useNow())
  if (!data) return null
  return (
    <p className={classes.welcome}>
      {marketDay(now)}. {marketSentence(data.market, now)}
    </p>
  )
}

/** The account's equity; before there is one, the one next step. */
function LeadPanel({ home }: { home: Home }) {
  const accounts = useAccounts()
  if (home.account) return <EquityPanel account={home.account} />
  if (accounts.data === undefined) {
    return (
      <Panel title="Equity" query={accounts}>
        {() => null}
      </Panel>
    )
  }
  return <NextStepCard {...home} />
}

function QuickLinks({ columns }: { columns: 2 | 4 }) {
  return (
    <section aria-labelledby="quick-links">
      <h2 className={classes.linksTitle} id="quick-links">
        Quick links
      </h2>
      <ul className={classes.links} data-columns={columns}>
        {QUICK_LINKS.map((link) => (
          <li key={link.path}>
            <QuickLinkCard link={link} />
          </li>
        ))}
      </ul>
    </section>
  )
}
