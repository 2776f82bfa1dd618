import {
  IconPlus,
  IconRocket,
  type Icon,
  IconChartAreaLine,
  IconFlask2,
  IconSparkles,
  IconStack2,
  IconAlertTriangle,
  IconPlugConnectedX,
  IconArrowRight,
} from '@tabler/icons-react'
import { Link } from 'react-router'
import type { getDeploymentsAtAGlance } from '@tradewright/contract/live-trading-watch'
import { CHECKLIST_STEPS, type HomeAlert, type ChecklistStep } from '@tradewright/contract/home'
import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { useId } from 'react'
import { useUser } from '../../app/session.ts'
import { CardSkeleton } from '../../ui/feedback/skeletons.tsx'
import { useNow } from '../../ui/feedback/use-now.ts'
import { LinkButton } from '../../ui/form/buttons.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { ChecklistPanel, Panel, JobsPanel } from './panels/panel.tsx'
import { DeploymentsPanel } from './panels/deployments-panel.tsx'
import { EquityPanel } from './panels/equity-panel.tsx'
import classes from './home-screen.module.css'
import {
  useAccounts,
  useGlance,
  useJobs,
  useLiveHome,
  useAlerts,
  useChecklist,
  useDeployments,
  useResults,
  nextStepOf,
  STEPS,
} from './queries.ts'
import { BestResultsPanel, LatestResultsPanel } from './panels/results-panels.tsx'
import quickLinkCardClasses from './quick-link-card.module.css'
import { formatMarketTime, marketDayOfYear, formatMarketMoment } from '../../lib/format-time.ts'
import type { AnswerOf } from '../../lib/http.ts'
import attentionPanelClasses from './panels/attention-panel.module.css'
import { EXAMPLE } from '../../strategy-form/example.ts'
import nextStepCardClasses from './next-step-card.module.css'

const MAX_ROWS = 4

function AttentionPanel() {
  const alerts = useAlerts()
  const count = alerts.data?.length ?? 0
  if (alerts.data && count === 0) return null
  return (
    <Panel
      title="Needs attention"
      query={alerts}
      rows={2}
      {...(count > 0 ? { link: { to: '/live-trading', text: count === 1 ? '1 alert' : `All ${count} alerts` } } : {})}
    >
      {(data) => (
        <ul className={attentionPanelClasses.rows}>
          {data.slice(0, MAX_ROWS).map((alert) => (
            <Alert key={`${alert.source} ${alert.id} ${alert.text}`} alert={alert} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Alert({ alert: { source, id, name, level, text, at } }: { alert: HomeAlert }) {
  const Glyph = source === 'account' ? IconPlugConnectedX : IconAlertTriangle
  const path = source === 'account' ? '/settings#alpaca' : `/live-trading/${id}`
  return (
    <li className={attentionPanelClasses.row}>
      <Glyph className={attentionPanelClasses.glyph} data-level={level} size={18} stroke={1.7} aria-hidden />
      <div className={attentionPanelClasses.words}>
        <p className={attentionPanelClasses.name}>
          <Link to={path}>{name}</Link>
        </p>
        <p className={attentionPanelClasses.text}>{text}</p>
        {at && <p className={attentionPanelClasses.when}>{formatMarketMoment(at)}</p>}
      </div>
    </li>
  )
}

interface QuickLink {
  path: string
  title: string
  text: string
  icon: Icon
}

const QUICK_LINKS: readonly QuickLink[] = [
  {
    path: '/portfolio-performance',
    title: 'Portfolio Performance',
    text: 'Equity, holdings and true return of your brokerage account.',
    icon: IconChartAreaLine,
  },
  {
    path: '/backtest',
    title: 'Backtest Studio',
    text: 'Test allocation and machine-learning strategies on past data.',
    icon: IconFlask2,
  },
  {
    path: '/strategies',
    title: 'Strategy Hub',
    text: 'Your saved strategies, ranked and ready to deploy.',
    icon: IconStack2,
  },
  {
    path: '/ai-assistant',
    title: 'AI Assistant',
    text: 'Ask about a strategy, your portfolio or the market.',
    icon: IconSparkles,
  },
]

type Market = AnswerOf<typeof getDeploymentsAtAGlance>['market']

const MINUTE_MS = 60_000
const HOUR_MINUTES = 60

/** `Tuesday, 30 September`: the date at the exchange. */
export const marketDay = (now: Date): string => marketDayOfYear(now, 'long')

/** `The US market opens in 42 minutes, at 9:30 AM ET.` */
export function marketSentence({ is_open, next_open, next_close }: Market, now: Date): string {
  if (is_open) return `The US market is open until ${formatMarketTime(next_close)}.`
  const opens = new Date(next_open)
  const time = formatMarketTime(opens)
  if (marketDay(opens) !== marketDay(now)) {
    return `The US market is closed and opens ${marketDay(opens)}, at ${time}.`
  }
  return `The US market opens in ${durationText(opens.getTime() - now.getTime())}, at ${time}.`
}

/** Rounded up: a market that opens in half a minute is not open. */
function durationText(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS))
  const hours = Math.floor(minutes / HOUR_MINUTES)
  const rest = minutes % HOUR_MINUTES
  return [hours > 0 && counted(hours, 'hour'), rest > 0 && counted(rest, 'minute')].filter(Boolean).join(' and ')
}

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

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

const WELCOME =
  'Welcome to Tradewright. Build a strategy, test it honestly on past data, and follow it in your account.'

export function greeting(username: string | null | undefined): string {
  return `Hello, ${username?.trim() || 'User'}!`
}

/** The whole card is the target of its one link. */
function QuickLinkCard({ link: { icon: Glyph, title, text, path } }: { link: QuickLink }) {
  return (
    <article className={quickLinkCardClasses.card}>
      <div className={quickLinkCardClasses.head}>
        <Glyph className={quickLinkCardClasses.glyph} size={18} stroke={1.7} aria-hidden />
        <h3 className={quickLinkCardClasses.title}>
          <Link to={path} className={quickLinkCardClasses.link}>
            {title}
          </Link>
        </h3>
      </div>
      <p className={quickLinkCardClasses.text}>{text}</p>
    </article>
  )
}

type Query = Pick<UseQueryResult, 'isPending' | 'errorUpdateCount'>

/** Which parts of Home there are. A call that failed counts as something to show: its panel then says so. */
function useHomeState() {
  const [accounts, deployments, results, checklist] = [useAccounts(), useDeployments(), useResults(), useChecklist()]
  const [alerts, jobs] = [useAlerts(), useJobs()]
  // Panels that may be left out are known before the first is drawn: none appears above another one later.
  const isLoading = [accounts, deployments, results, checklist, alerts, jobs].some(isFirstLoad)
  const isEmpty = accounts.data?.length === 0 && deployments.data?.length === 0 && results.data?.latest.length === 0
  const isNew = isLoading || isEmpty
  const done = checklist.data?.done ?? []
  const hasChecklist =
    checklist.isError || (checklist.data ? !checklist.data.hidden && done.length < CHECKLIST_STEPS.length : false)
  return {
    isLoading,
    isNew,
    account: accounts.data?.find(({ is_default }) => is_default) ?? accounts.data?.[0],
    hasChecklist,
    hasNews: alerts.data?.length !== 0 || jobs.data?.length !== 0,
    latestResultId: results.data?.latest[0]?.backtest_id,
    // Where all was done once, only an account can be missing where this is shown.
    nextStep: nextStepOf(done) ?? 'account',
  }
}

/** A call that failed once and is tried again leaves the other panels where they are. */
const isFirstLoad = ({ isPending, errorUpdateCount }: Query): boolean => isPending && errorUpdateCount === 0

interface NextStepCardProps {
  nextStep: ChecklistStep
  /** Saving is done on a result. */
  latestResultId: number | undefined
}

/** One step, one button. */
function NextStepCard({ nextStep: step, latestResultId }: NextStepCardProps) {
  const heading = useId()
  const { title, pitch, button, path } = STEPS[step]
  return (
    <section className={nextStepCardClasses.card} aria-labelledby={heading}>
      <p className={nextStepCardClasses.label}>Next step</p>
      <h2 className={nextStepCardClasses.title} id={heading}>
        {title}
      </h2>
      <p className={nextStepCardClasses.pitch}>{pitch}</p>
      {step === 'backtest' && <ExampleFacts />}
      <div className={nextStepCardClasses.foot}>
        <Button
          component={Link}
          to={step === 'strategy' && latestResultId ? `${path}?backtest_id=${latestResultId}` : path}
          size="md"
          rightSection={<IconArrowRight size={16} stroke={1.8} aria-hidden />}
        >
          {button}
        </Button>
        {step === 'backtest' && (
          <p className={nextStepCardClasses.source}>
            Prices come from Yahoo Finance. Where it cannot be reached, synthetic sample data is used, and the result
            says so.
          </p>
        )}
      </div>
    </section>
  )
}

function ExampleFacts() {
  return (
    <dl className={nextStepCardClasses.facts}>
      {EXAMPLE.allocations.map(({ ticker, allocation, words }) => (
        <div key={ticker}>
          <dt>{ticker}</dt>
          <dd className="tabular">{allocation}%</dd>
          <dd className={nextStepCardClasses.words}>{words}</dd>
        </div>
      ))}
      <div>
        <dt>Period</dt>
        <dd>Since {EXAMPLE.since}</dd>
        <dd className={nextStepCardClasses.words}>Beside {EXAMPLE.referenceTicker} alone</dd>
      </div>
    </dl>
  )
}
