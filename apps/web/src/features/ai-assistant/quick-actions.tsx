import { IconAdjustmentsHorizontal, IconChartLine, IconPuzzle, IconReportAnalytics } from '@tabler/icons-react'
import { QUICK_ACTIONS } from '@tradewright/contract/ai-assistant'
import classes from './sidebar.module.css'

type QuickAction = (typeof QUICK_ACTIONS)[number]

const ICONS = {
  analyze_strategy: IconReportAnalytics,
  optimize_portfolio: IconAdjustmentsHorizontal,
  add_feature: IconPuzzle,
  market_analysis: IconChartLine,
} satisfies Record<QuickAction['type'], unknown>

export function QuickActions({ disabled, onAct }: { disabled: boolean; onAct: (action: QuickAction) => void }) {
  return (
    <section className={classes.section} aria-labelledby="quick-actions">
      <h2 className={classes.heading} id="quick-actions">
        Quick Actions
      </h2>
      <ul className={classes.actions}>
        {QUICK_ACTIONS.map((action) => {
          const Glyph = ICONS[action.type]
          return (
            <li key={action.type}>
              <button type="button" className={classes.action} disabled={disabled} onClick={() => onAct(action)}>
                <Glyph size={16} stroke={1.7} aria-hidden />
                {action.label}
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
