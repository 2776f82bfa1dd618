import { CHECKLIST_STEPS, type ChecklistStep } from '@tradewright/contract/home'

interface Step {
  title: string
  /** The step's text in the list. */
  text: string
  /** The step's text where it is the one next step. */
  pitch: string
  button: string
  path: string
}

export const STEPS: Record<ChecklistStep, Step> = {
  backtest: {
    title: 'Run a first backtest',
    text: '60% SPY and 40% AGG since 2003 is filled in.',
    pitch:
      'How would a plain mix of 60% US stocks and 40% US bonds have done since 2003? Everything is filled in; change ' +
      'it afterwards.',
    button: 'Run backtest',
    path: '/backtest?example=sixty-forty',
  },
  strategy: {
    title: 'Save a strategy',
    text: 'A saved strategy can be compared and deployed.',
    pitch: 'A saved strategy can be compared, ranked and deployed. Press Save above the result of a backtest.',
    button: 'Save a strategy',
    path: '/backtest',
  },
  data: {
    title: 'Bring in prices',
    text: 'Collect them from a provider or import a CSV file.',
    pitch:
      'Collect prices from a provider, or import a CSV file of your own. Each result says where its prices came from.',
    button: 'Collect or import prices',
    path: '/data-collector',
  },
  account: {
    title: 'Connect an account',
    text: 'The built-in paper account needs no keys.',
    pitch: 'The built-in paper account has virtual money and needs no keys. Its equity and return then appear here.',
    button: 'Connect an account',
    path: '/portfolio-performance',
  },
  deployment: {
    title: 'Run a deployment',
    text: 'It trades a saved strategy on its schedule.',
    pitch: 'A deployment trades a saved strategy on its schedule. Begin on paper, with virtual money.',
    button: 'Deploy a strategy',
    path: '/live-trading?tab=deploy',
  },
}

/** The first step that is not done; null when all are. */
export const nextStepOf = (done: readonly ChecklistStep[]): ChecklistStep | null =>
  CHECKLIST_STEPS.find((step) => !done.includes(step)) ?? null
