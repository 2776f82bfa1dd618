import { useUser } from '../../app/session-context.ts'
import { Page } from '../../ui/layout/page.tsx'
import { greeting, WELCOME } from './messages.ts'
import classes from './home-screen.module.css'
import { QuickLinkCard } from './quick-link-card.tsx'
import { QUICK_LINKS } from './quick-links.ts'

export function HomeScreen() {
  const user = useUser()
  return (
    <Page documentTitle="Home">
      <header className={classes.header}>
        <h1 className={classes.greeting}>{greeting(user.username)}</h1>
        <p className={classes.welcome}>{WELCOME}</p>
      </header>
      <ul className={classes.links}>
        {QUICK_LINKS.map((link) => (
          <li key={link.path}>
            <QuickLinkCard link={link} />
          </li>
        ))}
      </ul>
    </Page>
  )
}
