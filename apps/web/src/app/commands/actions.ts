import {
  type Icon,
  IconBuildingBank,
  IconChartDots,
  IconFileImport,
  IconFlask2,
  IconHelp,
  IconKeyboard,
  IconLogout,
  IconMessagePlus,
  IconMoon,
  IconPlayerPlay,
  IconRocket,
} from '@tabler/icons-react'
import { openHelp } from '../../help/help-store.ts'
import { pageOfScreen } from '../../help/page-of-screen.ts'
import { openOverlay, type OpenScreen } from './overlay-store.ts'
import { runForm } from './run-form.ts'
import type { ShortcutDeed } from './shortcuts.ts'

/** What an action may use. */
interface ActionTools {
  open: OpenScreen
  switchTheme: () => void
  logOut: () => void
}

interface Action {
  id: string
  label: string
  icon: Icon
  words: string
  detail?: string
  deed?: ShortcutDeed
  /** Left out where it has nothing to act on. */
  isOffered?: () => boolean
  perform: (tools: ActionTools) => void
}

export const ACTIONS: readonly Action[] = [
  {
    id: 'run',
    label: 'Run',
    detail: 'what is set up on this screen',
    icon: IconPlayerPlay,
    words: 'start backtest optimizer',
    deed: 'run',
    isOffered: () => runForm() !== null,
    perform: () => runForm()?.requestSubmit(),
  },
  {
    id: 'new-backtest',
    label: 'New backtest',
    icon: IconFlask2,
    words: 'create strategy studio',
    perform: ({ open }) => open('/backtest?new', { isAnew: true }),
  },
  {
    id: 'new-optimization',
    label: 'Start the optimizer',
    icon: IconChartDots,
    words: 'new optimization run genetic',
    perform: ({ open }) => open('/optimizer', { isAnew: true }),
  },
  {
    id: 'deploy',
    label: 'Deploy a strategy',
    icon: IconRocket,
    words: 'new deployment paper live trading',
    perform: ({ open }) => open('/live-trading?tab=deploy'),
  },
  {
    id: 'import-csv',
    label: 'Import CSV',
    icon: IconFileImport,
    words: 'upload own data prices file',
    perform: ({ open }) => open('/data-collector?import=csv'),
  },
  {
    id: 'connect-account',
    label: 'Connect an account',
    icon: IconBuildingBank,
    words: 'brokerage alpaca exchange api key paper',
    perform: ({ open }) => open('/settings#alpaca', { isAnew: true }),
  },
  {
    id: 'new-chat',
    label: 'Ask the AI Assistant',
    icon: IconMessagePlus,
    words: 'new chat question',
    perform: ({ open }) => open('/ai-assistant'),
  },
  {
    id: 'theme',
    label: 'Change theme',
    icon: IconMoon,
    words: 'dark light mode colour color',
    perform: ({ switchTheme }) => switchTheme(),
  },
  {
    id: 'help',
    label: 'Open help',
    detail: 'the guide, at the page of this screen',
    icon: IconHelp,
    words: 'guide documentation manual how question',
    deed: 'help',
    perform: () => openHelp(pageOfScreen(window.location.pathname)),
  },
  {
    id: 'shortcuts',
    label: 'Keyboard shortcuts',
    icon: IconKeyboard,
    words: 'keys help',
    deed: 'shortcuts',
    perform: () => openOverlay('shortcuts'),
  },
  {
    id: 'log-out',
    label: 'Logout',
    icon: IconLogout,
    words: 'sign out log out leave',
    perform: ({ logOut }) => logOut(),
  },
]
