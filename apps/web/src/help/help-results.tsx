import { IconSearchOff } from '@tabler/icons-react'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { searchHelp } from './guide-pages.ts'
import classes from './help-panel.module.css'
import type { HelpPlace } from './help-store.ts'

const SNIPPET_LENGTH = 150

interface HelpResultsProps {
  query: string
  onGo: (place: HelpPlace) => void
}

export function HelpResults({ query, onGo }: HelpResultsProps) {
  const hits = searchHelp(query)
  return (
    <>
      <output className={classes.count}>
        {hits.length === 0 ? '' : `${hits.length} ${hits.length === 1 ? 'result' : 'results'}`}
      </output>
      {hits.length === 0 ? (
        <EmptyState
          icon={IconSearchOff}
          title="Nothing found"
          titleAs="p"
          text="Try another word, such as leverage, import or drawdown, or look under All pages."
        />
      ) : (
        <ul className={classes.hits}>
          {hits.map((hit) => (
            <li key={`${hit.page} ${hit.title}`}>
              <button type="button" onClick={() => onGo(hit)}>
                <span className={classes.hitTitle}>{hit.title}</span>
                {hit.title !== hit.pageTitle && <span className={classes.hitPage}>{hit.pageTitle}</span>}
                <span className={classes.hitText}>{snippetOf(hit.body)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const snippetOf = (body: string): string =>
  body.length <= SNIPPET_LENGTH ? body : `${body.slice(0, body.lastIndexOf(' ', SNIPPET_LENGTH))} …`
