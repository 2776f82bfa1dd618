import { Button } from '@mantine/core'
import { IconLayoutGrid } from '@tabler/icons-react'
import { useState } from 'react'
import { ContentModal } from '../../../ui/layout/content-modal.tsx'
import classes from './gallery.module.css'
import { GalleryList, type GalleryProps } from './gallery-list.tsx'

/** Opens the ready strategies over the page. */
export function GalleryButton({ isRunning, onRun }: GalleryProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconLayoutGrid size={16} aria-hidden />} onClick={() => setOpen(true)}>
        Ready strategies
      </Button>
      <ContentModal opened={isOpen} title="Ready strategies" size={1080} onClose={() => setOpen(false)}>
        <p className={classes.replaces}>
          A click fills the form and runs it: what is in the form now is replaced. Undo brings it back.
        </p>
        <GalleryList
          isRunning={isRunning}
          onRun={(form) => {
            setOpen(false)
            onRun(form)
          }}
        />
      </ContentModal>
    </>
  )
}
