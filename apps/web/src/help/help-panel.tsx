import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Drawer.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import { Button, Drawer } from '@mantine/core'
import { IconArrowLeft, IconListDetails, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { TextField } from '../ui/form/fields.tsx'
import { NO_LANDMARK } from '../ui/layout/no-landmark.ts'
import { INDEX } from './guide-pages.ts'
import { HelpPage } from './help-page.tsx'
import { HelpResults } from './help-results.tsx'
import classes from './help-panel.module.css'
import { closeHelp, type HelpPlace, openHelp } from './help-store.ts'

/** The guide over the page: at the side where there is room, else over all of it. */
export function HelpPanel({ place }: { place: HelpPlace }) {
  const [query, setQuery] = useState('')
  const [before, setBefore] = useState<readonly HelpPlace[]>([])
  const go = ({ page, anchor }: HelpPlace) => {
    setBefore([...before, place])
    setQuery('')
    openHelp(page, anchor)
  }
  const back = () => {
    const last = before.at(-1)
    setBefore(before.slice(0, -1))
    if (last) openHelp(last.page, last.anchor)
  }
  return (
    <Drawer
      opened
      onClose={closeHelp}
      title="Help"
      position="right"
      size={500}
      closeButtonProps={{ 'aria-label': 'Close help' }}
      transitionProps={{ duration: 200 }}
      overlayProps={{ backgroundOpacity: 0.25 }}
      attributes={{ header: NO_LANDMARK }}
      classNames={{
        content: classes.content ?? '',
        header: classes.header ?? '',
        title: classes.title ?? '',
        body: classes.body ?? '',
        inner: classes.inner ?? '',
      }}
    >
      <div className={classes.tools}>
        <TextField
          label="Search the guide"
          hideLabel
          type="search"
          placeholder="Search the guide and the glossary"
          leftSection={<IconSearch size={15} aria-hidden />}
          value={query}
          onChange={setQuery}
        />
        <div className={classes.buttons}>
          {before.length > 0 && (
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<IconArrowLeft size={15} aria-hidden />}
              onClick={back}
            >
              Back
            </Button>
          )}
          {(place.page !== INDEX || query !== '') && (
            <Button
              className={classes.all ?? ''}
              variant="subtle"
              size="compact-sm"
              leftSection={<IconListDetails size={15} aria-hidden />}
              onClick={() => go({ page: INDEX, anchor: '' })}
            >
              All pages
            </Button>
          )}
        </div>
      </div>
      {query.trim() === '' ? (
        <HelpPage key={`${place.page}#${place.anchor}`} place={place} onGo={go} />
      ) : (
        <HelpResults query={query} onGo={go} />
      )}
    </Drawer>
  )
}
