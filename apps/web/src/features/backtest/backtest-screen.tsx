import { IconChartLine } from '@tabler/icons-react'
import { Banner } from '../../ui/banner.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ChoiceField } from '../../ui/fields.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'
import classes from './backtest-screen.module.css'
import { ResultsPanel } from './results/results-panel.tsx'
import { ResultSkeleton, RunProgress } from './run-progress.tsx'
import { SavedSelects } from './saved-selects.tsx'
import { SetupPanel } from './setup-panel.tsx'
import { useStudio } from './use-studio.ts'

export function BacktestScreen() {
  const studio = useStudio()
  const { message, run, shown } = studio
  return (
    <Page documentTitle="Backtest Studio" width="work">
      <div className={classes.studio} data-pane={studio.pane}>
        <div className={classes.top}>
          <PageHeader
            title="Test your investment strategies with historical data"
            aside={
              <SavedSelects
                choice={studio.choice}
                setChoice={studio.setChoice}
                chooseStrategy={studio.chooseStrategy}
                chooseBacktest={studio.chooseBacktest}
                tell={studio.setMessage}
              />
            }
          />
          {message && (
            <div className={classes.message}>
              <Banner key={`${message.kind} ${message.text}`} {...message} onClose={() => studio.setMessage(null)} />
            </div>
          )}
          <div className={classes.switch}>
            <ChoiceField
              label="Show"
              hideLabel
              value={studio.pane}
              options={['Setup', 'Results']}
              onChange={studio.setPane}
            />
          </div>
        </div>
        <div className={classes.setup}>
          <SetupPanel
            form={studio.form}
            edit={studio.edit}
            tab={studio.tab}
            onTab={studio.setTab}
            isRunning={run.isRunning}
            onRun={studio.start}
          />
        </div>
        <section className={classes.results} aria-label="Results" aria-busy={run.isRunning}>
          {run.isRunning && <RunProgress note={run.note} isCancelling={run.isCancelling} onCancel={run.cancel} />}
          {run.isRunning && !shown && <ResultSkeleton />}
          {shown && <ResultsPanel key={shown.number} result={shown.result} isStale={run.isRunning} />}
          {!run.isRunning && !shown && <NoResults />}
        </section>
      </div>
    </Page>
  )
}

function NoResults() {
  return (
    <Card>
      <EmptyState
        icon={IconChartLine}
        title="No results yet"
        text="Set up a strategy and run the backtest. Results appear here."
      />
    </Card>
  )
}
