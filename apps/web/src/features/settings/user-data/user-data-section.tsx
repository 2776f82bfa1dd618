import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { USER_DATA_PATH } from '@tradewright/contract/user-data'
import { useState } from 'react'
import { CardSection } from '../../../ui/layout/card.tsx'
import type { SettingsMessage } from '../messages.ts'
import classes from '../settings-screen.module.css'
import { SettingsSection } from '../settings-section.tsx'
import { DeleteUserModal } from './delete-user-modal.tsx'

interface UserDataSectionProps {
  tell: (message: SettingsMessage) => void
}

export function UserDataSection({ tell }: UserDataSectionProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <SettingsSection id="your-data" hint="Your data belongs to you: export it, or delete it.">
      <CardSection>
        <div className={classes.row}>
          <div className={classes.words}>
            <p className={classes.name}>Export</p>
            <p className={classes.explanation}>
              One JSON file with every record that belongs to you: strategies, backtests, accounts, jobs, sessions and
              the rest. Passwords and keys are not in it.
            </p>
          </div>
          {/* A link, not a call: the browser writes the file as it arrives. */}
          <Button
            component="a"
            href={USER_DATA_PATH}
            download
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.7} aria-hidden />}
          >
            Download
          </Button>
        </div>
      </CardSection>
      <CardSection>
        <div className={classes.row}>
          <div className={classes.words}>
            <p className={classes.name}>Delete account</p>
            <p className={classes.explanation}>
              Deletes your account and all of its data from this server. Running deployments must be stopped first.
            </p>
          </div>
          <Button variant="default" className={classes.destructive ?? ''} onClick={() => setAsking(true)}>
            Delete account
          </Button>
        </div>
        <DeleteUserModal opened={isAsking} tell={tell} onClose={() => setAsking(false)} />
      </CardSection>
    </SettingsSection>
  )
}
