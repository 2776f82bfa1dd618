import '@mantine/core/styles/Menu.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import { Button, Menu } from '@mantine/core'
import { IconCertificate, IconChevronDown, IconCopy, IconDownload, IconFileText, IconScale } from '@tabler/icons-react'
import { useState } from 'react'
import type { KeptRun } from './kept-run.ts'
import { PassportModal } from './passport-modal.tsx'

interface MoreActionsProps {
  kept: KeptRun
  onDuplicate: () => void
  /** Opens construction with the tickers and the period of the result. */
  onConstruct: () => void
  onCsv: () => void
  onJson: () => void
  onReport: () => void
}

/** What a reader does now and then with a result, in one menu. */
export function MoreActions({ kept, onDuplicate, onConstruct, onCsv, onJson, onReport }: MoreActionsProps) {
  const [isPassport, setPassport] = useState(false)
  const icon = { size: 16, stroke: 1.7, 'aria-hidden': true } as const
  return (
    <>
      <Menu position="bottom-end" transitionProps={{ duration: 0 }} width={220} keepMounted>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconCopy {...icon} />} onClick={onDuplicate}>
            Duplicate
          </Menu.Item>
          <Menu.Item leftSection={<IconScale {...icon} />} onClick={onConstruct}>
            Find better weights
          </Menu.Item>
          <Menu.Item leftSection={<IconFileText {...icon} />} onClick={onReport}>
            Report
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconDownload {...icon} />} onClick={onCsv}>
            CSV
          </Menu.Item>
          <Menu.Item leftSection={<IconDownload {...icon} />} onClick={onJson}>
            JSON
          </Menu.Item>
          <Menu.Item leftSection={<IconCertificate {...icon} />} onClick={() => setPassport(true)}>
            Passport
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <PassportModal opened={isPassport} kept={kept} onClose={() => setPassport(false)} />
    </>
  )
}
