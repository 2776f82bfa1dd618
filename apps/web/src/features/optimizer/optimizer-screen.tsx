import { useEffect, useRef, useState } from 'react'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { TopMessage, TwoColumns } from '../../ui/layout/two-columns.tsx'
import { useFeatures, useTargets } from '../../strategy-form/queries.ts'
import { CompareModal } from './compare-modal.tsx'
import { exampleChange } from './form/example-form.ts'
import { LeadingIndicators } from './leading-indicators/leading-indicators.tsx'
import { EXAMPLE_FILLED_IN, type Message } from './messages.ts'
import classes from './optimizer-screen.module.css'
import { RunView } from './run-view.tsx'
import { RunsBar } from './runs-bar.tsx'
import { SeedsQuestion } from './seeds-question.tsx'
import { OptimizerSetup } from './setup/optimizer-setup.tsx'
import { useOptimizer } from './use-optimizer.ts'

export function OptimizerScreen() {
  const optimizer = useOptimizer()
  return (
    <Page documentTitle="Optimizer" width="work">
      <PageHeader title="Optimizer" subtitle="Search for good feature sets and explore leading indicators" />
      <Tabs
        label="Optimizer"
        variant="page"
        current={optimizer.tab}
        onChange={optimizer.setTab}
        tabs={[
          {
            name: 'optimization',
            label: 'Feature Optimization',
            content: <FeatureOptimization optimizer={optimizer} />,
          },
          {
            name: 'leading-indicators',
            label: 'Leading Indicators',
            content: (
              <LeadingIndicators
                isShown={optimizer.tab === 'leading-indicators'}
                form={optimizer.form}
                edit={optimizer.edit}
              />
            ),
          },
        ]}
      />
    </Page>
  )
}

function FeatureOptimization({ optimizer }: { optimizer: ReturnType<typeof useOptimizer> }) {
  const [isComparing, setComparing] = useState(false)
  const features = useFeatures().data
  const targets = useTargets().data
  const { form, edit, message, run, runs, isRunning } = optimizer
  return (
    <div className={classes.tab}>
      <TwoColumns
        pane={optimizer.pane}
        onPane={optimizer.setPane}
        isBusy={isRunning}
        top={
          <>
            <RunsBar
              runs={runs}
              runId={optimizer.runId}
              onChoose={optimizer.choose}
              onCompare={() => setComparing(true)}
              tell={optimizer.setMessage}
            />
            {message && (
              <ShownMessage
                key={`${message.kind} ${message.text}`}
                message={message}
                onClose={() => optimizer.setMessage(null)}
              />
            )}
          </>
        }
        setup={
          <OptimizerSetup
            form={form}
            edit={edit}
            runs={runs}
            isRunning={isRunning}
            hasResults={Boolean(run?.results)}
            onRun={optimizer.start}
            onStartOver={() => optimizer.choose('')}
            tell={optimizer.setMessage}
          />
        }
        results={
          <RunView
            run={run}
            isLoading={optimizer.isLoadingRun}
            isStarting={isRunning}
            onShow={optimizer.show}
            onExample={
              features && targets
                ? () => {
                    edit(exampleChange(features, targets))
                    optimizer.setPane('Setup')
                    optimizer.setMessage(EXAMPLE_FILLED_IN)
                  }
                : undefined
            }
            tell={optimizer.setMessage}
          />
        }
      />
      <CompareModal opened={isComparing} runs={runs} onClose={() => setComparing(false)} />
      <SeedsQuestion
        seeds={optimizer.offered}
        onAnswer={(isWanted) => {
          if (isWanted && optimizer.offered) edit({ seeds: [...form.seeds, ...optimizer.offered] })
          optimizer.setOffered(null)
        }}
      />
    </div>
  )
}

/** Comes into sight by itself: what it is about may have been far down the form. */
function ShownMessage({ message, onClose }: { message: Message; onClose: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={place}>
      <TopMessage>
        <Banner {...message} onClose={onClose} />
      </TopMessage>
    </div>
  )
}
