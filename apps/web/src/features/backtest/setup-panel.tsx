import { Button } from '@mantine/core'
import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { formatDateRange } from '../../lib/format-time.ts'
import { SettingsForm } from '../../ui/form/settings-form.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { AdvancedTab } from './advanced-tab.tsx'
import { BacktestConfigTab } from './backtest-config-tab.tsx'
import type { EditProps } from './form/edit-props.ts'
import type { BacktestForm } from './form/form.ts'
import { GalleryButton } from './gallery/gallery-button.tsx'
import { kindOnScreen } from './kinds.tsx'
import { portfolioForms } from './portfolios/portfolio-table.ts'
import { StrategySetupTab } from './strategy-setup-tab.tsx'
import { useWarnings } from './use-warnings.ts'
import classes from './warnings.module.css'

export const SETUP_TABS = ['setup', 'config', 'advanced'] as const
type SetupTab = (typeof SETUP_TABS)[number]

interface SetupPanelProps extends EditProps {
  tab: SetupTab
  onTab: (tab: SetupTab) => void
  isRunning: boolean
  onRun: () => void
  /** Runs a ready strategy. */
  onReady: (form: BacktestForm) => void
  onStartOver: () => void
  /** Opens the search for better weights. */
  onConstruct: () => void
}

export function SetupPanel(props: SetupPanelProps) {
  const { form, edit, tab, onTab, isRunning, onRun, onReady, onStartOver, onConstruct } = props
  return (
    <SettingsForm
      label="Backtest settings"
      onSubmit={onRun}
      summary={summaryOf(form)}
      aside={
        <Button variant="subtle" color="gray" size="compact-xs" disabled={isRunning} onClick={onStartOver}>
          Start over
        </Button>
      }
      foot={
        <>
          <Warnings form={form} />
          <Button
            type="submit"
            fullWidth
            size="md"
            disabled={isRunning}
            {...(isRunning ? {} : { leftSection: <IconPlayerPlayFilled size={14} aria-hidden /> })}
          >
            {isRunning ? 'Running...' : 'Run backtest'}
          </Button>
        </>
      }
    >
      <Tabs
        label="Backtest settings"
        current={tab}
        onChange={onTab}
        tabs={[
          {
            name: 'setup',
            label: 'Strategy Setup',
            content: (
              <StrategySetupTab
                form={form}
                edit={edit}
                ready={<GalleryButton isRunning={isRunning} onRun={onReady} />}
                onConstruct={onConstruct}
              />
            ),
          },
          { name: 'config', label: 'Backtest Config', content: <BacktestConfigTab form={form} edit={edit} /> },
          { name: 'advanced', label: 'Advanced', content: <AdvancedTab form={form} edit={edit} /> },
        ]}
      />
    </SettingsForm>
  )
}

/** The set-up in one line. */
function summaryOf(form: BacktestForm): string {
  const parts = [formatDateRange(form.startDate, form.endDate), form.dataGranularity]
  const portfolios = portfolioForms(form).length
  if (portfolios > 0) parts.push(`${portfolios} portfolios`)
  const own = kindOnScreen(form.strategyType).summary?.(form)
  if (own !== undefined) parts.push(own)
  return parts.join(' · ')
}

/** Nothing here stops a run. */
function Warnings({ form }: { form: BacktestForm }) {
  const warnings = useWarnings(form)
  return (
    <ul className={classes.warnings} aria-label="Before you run" aria-live="polite">
      {warnings.map((warning) => (
        <li key={warning}>{warning}</li>
      ))}
    </ul>
  )
}
