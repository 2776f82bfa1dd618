import { kindNamed } from '@tradewright/core/strategy-kinds'
import { Button } from '@mantine/core'
import { IconArrowLeft, IconChartLine } from '@tabler/icons-react'
import { formatCount } from '../../lib/format.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Card, CardSection } from '../../ui/layout/card.tsx'
import { HelpLink } from '../../help/help-link.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import { TopMessage, TwoColumns } from '../../ui/layout/two-columns.tsx'
import { DataActions } from '../../strategy-form/data/data-actions.tsx'
import { exampleForm } from './form/example-form.ts'
import { GalleryList } from './gallery/gallery-list.tsx'
import { RecentRuns } from './kept/recent-runs.tsx'
import { PortfolioResults } from './portfolios/portfolio-results.tsx'
import { ReportPage } from './report/report-page.tsx'
import { RulesPane } from './rules/rules-pane.tsx'
import { ResultsPanel } from './results/results-panel.tsx'
import { ResultSkeleton, RunProgress } from './run-progress.tsx'
import { SavedSelects } from './saved-selects.tsx'
import { SetupPanel } from './setup-panel.tsx'
import { StudyPane } from './study/study-pane.tsx'
import { ConstructPane } from './construct/construct-pane.tsx'
import { todayUtc } from '../../strategy-form/dates.ts'
import { useStrategyResults } from './queries.ts'
import { useStudio } from './use-studio.ts'

export function BacktestScreen() {
  const studio = useStudio()
  const { message, run, shown } = studio
  const { portfolios } = studio
  const isComing = run.isRunning || studio.isShowing
  const isSideBySide = portfolios.length > 0 && studio.choice.backtestId === ''
  const isOpening = !shown && (studio.isOpening || (portfolios.length > 0 && !isSideBySide))
  const kind = kindNamed(studio.form.strategyType)
  const columns = kind.learns ? undefined : studio.form.portfolios?.columns.length
  if (studio.isReport && shown) {
    return (
      <Page documentTitle="Backtest report" width="work">
        <ReportPage result={shown.result} onClose={() => studio.setReport(false)} />
      </Page>
    )
  }
  return (
    <Page documentTitle="Backtest Studio" width="work">
      <TwoColumns
        pane={studio.pane}
        onPane={studio.setPane}
        isBusy={run.isRunning}
        setupWidth={columns && setupWidthOf(columns)}
        top={
          <>
            <PageHeader
              title="Test your investment strategies with historical data"
              aside={
                <SavedSelects
                  choice={studio.choice}
                  setChoice={studio.setChoice}
                  chooseStrategy={studio.chooseStrategy}
                  chooseBacktest={studio.chooseBacktest}
                  tell={studio.setMessage}
                >
                  <RecentRuns onOpen={(id) => studio.chooseBacktest('', String(id))} />
                </SavedSelects>
              }
            />
            {message && (
              <TopMessage>
                <Banner
                  key={`${message.kind} ${message.text}`}
                  {...message}
                  action={
                    message.undo ? (
                      <Button variant="default" size="xs" onClick={message.undo}>
                        Undo
                      </Button>
                    ) : (
                      message.offers && (
                        <DataActions
                          offers={message.offers}
                          isRunning={run.isRunning}
                          onRetry={() => studio.start({}, { retryData: true })}
                          onMix={() => studio.start({ allowMixedPrices: true })}
                        />
                      )
                    )
                  }
                  onClose={() => studio.setMessage(null)}
                />
              </TopMessage>
            )}
          </>
        }
        setup={
          <SetupPanel
            form={studio.form}
            edit={studio.edit}
            tab={studio.tab}
            onTab={studio.setTab}
            isRunning={run.isRunning}
            onRun={() => studio.start()}
            onReady={studio.runReady}
            onStartOver={studio.startOver}
            onConstruct={() => studio.openConstruct('new')}
          />
        }
        {...(kind.hasBlocks && {
          work: {
            name: studio.study === null ? 'Rules' : 'Study',
            content:
              studio.study === null ? (
                <RulesPane
                  form={studio.form}
                  edit={studio.edit}
                  refused={studio.refused}
                  result={shown?.result ?? null}
                  isRunning={run.isRunning}
                  onRun={() => studio.start()}
                  onStudy={() => studio.openStudy('new')}
                />
              ) : (
                <StudyPane
                  form={studio.form}
                  open={studio.study}
                  onOpen={studio.openStudy}
                  onUse={studio.takeNumbers}
                />
              ),
          },
        })}
        {...(kind.isFixed &&
          studio.construct !== null && {
            work: {
              name: 'Construct',
              content: (
                <ConstructPane
                  form={studio.form}
                  open={studio.construct}
                  onOpen={studio.openConstruct}
                  onUse={studio.takeWeights}
                />
              ),
            },
          })}
        results={
          <>
            {run.isRunning && <RunProgress note={run.note} isCancelling={run.isCancelling} onCancel={run.cancel} />}
            {studio.isOutdated && !run.isRunning && (shown || isSideBySide) && (
              <OutdatedResult onRun={() => studio.start()} />
            )}
            {isSideBySide && (
              <PortfolioResults portfolios={portfolios} isStale={run.isRunning} onOpen={studio.openPortfolio} />
            )}
            {portfolios.length > 0 && !isSideBySide && (
              <div>
                <Button
                  variant="default"
                  leftSection={<IconArrowLeft size={16} aria-hidden />}
                  onClick={studio.backToPortfolios}
                >
                  All portfolios
                </Button>
              </div>
            )}
            {((isComing && !shown && !isSideBySide) || isOpening) && <ResultSkeleton />}
            {shown && !isSideBySide && (
              <ResultsPanel
                key={shown.number}
                result={shown.result}
                kept={shown.kept}
                file={shown.file}
                isStale={run.isRunning}
                onReport={() => studio.setReport(true)}
                onKept={studio.setKept}
                onDuplicate={studio.duplicate}
                onConstruct={studio.constructFromResult}
                onRetry={() => studio.start({}, { retryData: true })}
                onRunAgain={() => studio.start({ dataAsOf: '' })}
                onEndedToCash={() => studio.start({ endedTicker: 'cash' })}
                onEndedToTicker={studio.chooseReplacement}
              />
            )}
            {!isComing && !isOpening && !shown && portfolios.length === 0 && (
              <>
                <NoResults
                  strategyId={studio.choice.strategyId}
                  onOpen={(id) => studio.chooseBacktest(studio.choice.strategyId, id)}
                  onExample={() => studio.edit(exampleForm(todayUtc()))}
                />
                <Card
                  title="Ready strategies"
                  hint="One click fills the form and runs it: the longest period all its tickers share, beside SPY"
                >
                  <CardSection>
                    <GalleryList isRunning={run.isRunning} onRun={studio.runReady} />
                  </CardSection>
                </Card>
              </>
            )}
          </>
        }
      />
    </Page>
  )
}

/** Room for the tickers, and for each portfolio a column of its own. */
const setupWidthOf = (columns: number): number => 180 + columns * 116

function OutdatedResult({ onRun }: { onRun: () => void }) {
  return (
    <Banner
      kind="info"
      text="The settings were changed after this run."
      detail="What is shown here belongs to the earlier ones."
      action={
        <Button variant="default" size="xs" onClick={onRun}>
          Run with the new ones
        </Button>
      }
    />
  )
}

/** As many as fit beside each other; the list above has all. */
const MAX_OFFERED = 4

interface NoResultsProps {
  /** Empty where none is chosen. */
  strategyId: string
  onOpen: (backtestId: string) => void
  onExample: () => void
}

function NoResults({ strategyId, onOpen, onExample }: NoResultsProps) {
  const saved = useStrategyResults(strategyId).data ?? []
  if (saved.length > 0) {
    return (
      <Card>
        <EmptyState
          icon={IconChartLine}
          title={saved.length === 1 ? 'One saved result' : `${formatCount(saved.length)} saved results`}
          text="Open a result of this strategy, or run the backtest again."
          action={saved.slice(0, MAX_OFFERED).map(({ id, name }) => (
            <Button key={id} variant="default" onClick={() => onOpen(String(id))}>
              {name}
            </Button>
          ))}
        />
      </Card>
    )
  }
  return (
    <Card>
      <EmptyState
        icon={IconChartLine}
        title="No results yet"
        text="Set up a strategy and run the backtest. Results appear here."
        action={
          <>
            <Button variant="default" onClick={onExample}>
              Load an example strategy
            </Button>
            <HelpLink page="backtest-studio">How it works</HelpLink>
          </>
        }
      />
    </Card>
  )
}
