import { Button } from '@mantine/core'
import { IconDeviceFloppy, IconPencil, IconRocket, IconShare } from '@tabler/icons-react'
import { useState } from 'react'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { IconButton, LinkButton } from '../../../ui/form/buttons.tsx'
import type { StudioResult } from '../answer/studio-result.ts'
import type { KeptProps } from './kept-run.ts'
import classes from './kept.module.css'
import { RenameModal } from './rename-modal.tsx'
import { SaveModal } from './save-modal.tsx'
import { ShareModal } from './share-modal.tsx'

/** What the result is called, and whether it is saved. */
export function KeptName({ kept, onKept }: KeptProps) {
  const [isRenaming, setRenaming] = useState(false)
  return (
    <p className={classes.name}>
      <span>{kept.name}</span>
      <Tag tone={kept.isSaved ? 'accent' : 'plain'}>{kept.isSaved ? 'Saved' : 'Not saved'}</Tag>
      <IconButton icon={IconPencil} label="Rename" onClick={() => setRenaming(true)} />
      <RenameModal opened={isRenaming} kept={kept} onKept={onKept} onClose={() => setRenaming(false)} />
    </p>
  )
}

interface ResultActionsProps extends KeptProps {
  result: StudioResult
}

export function ResultActions({ kept, result, onKept }: ResultActionsProps) {
  const [open, setOpen] = useState<'save' | 'share' | null>(null)
  const close = () => setOpen(null)
  const isComplete = kept.isSaved && kept.strategyId !== null
  return (
    <>
      {!isComplete && (
        <Button leftSection={<IconDeviceFloppy size={16} aria-hidden />} onClick={() => setOpen('save')}>
          Save
        </Button>
      )}
      {kept.strategyId !== null && (
        <LinkButton to={`/live-trading?strategy_id=${kept.strategyId}`} primary={isComplete} icon={IconRocket}>
          Deploy
        </LinkButton>
      )}
      <Button variant="default" leftSection={<IconShare size={16} aria-hidden />} onClick={() => setOpen('share')}>
        Share
      </Button>
      <SaveModal opened={open === 'save'} kept={kept} result={result} onKept={onKept} onClose={close} />
      <ShareModal opened={open === 'share'} kept={kept} onClose={close} />
    </>
  )
}
