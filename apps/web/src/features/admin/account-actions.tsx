import '@mantine/core/styles/Menu.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import { Button, CopyButton, Menu } from '@mantine/core'
import type { OperatorUser } from '@tradewright/contract/operator'
import { ACCOUNT_ACTIONS, type AccountAction } from '@tradewright/core/account-actions'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { serverMessageOr } from '../../lib/call-error.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { TextField } from '../../ui/form/fields.tsx'
import { ConfirmModal } from '../../ui/layout/confirm-modal.tsx'
import { TypedConfirmModal } from '../../ui/layout/typed-confirm-modal.tsx'
import { ContentModal } from '../../ui/layout/content-modal.tsx'
import classes from './admin.module.css'
import { useActOnAccount } from './queries.ts'

/** Offered are those that change something in the account's state. */
const isOffered = (id: AccountAction, { is_suspended: isSuspended }: OperatorUser): boolean =>
  id === 'suspend' ? !isSuspended : id === 'resume' ? isSuspended : true

/** What the operator may do to one account. Each says beforehand what happens, and asks. */
export function AccountActions({ user }: { user: OperatorUser }) {
  const [asked, setAsked] = useState<AccountAction | null>(null)
  const act = useActOnAccount()
  const action = ACCOUNT_ACTIONS.find(({ id }) => id === asked)
  const close = () => setAsked(null)
  const question = action && {
    opened: true,
    title: `${action.label}: ${user.username}?`,
    text: action.effect,
    confirmLabel: action.label,
    busy: act.isPending,
    onCancel: close,
    onConfirm: () => act.mutate({ id: user.user_id, action: action.id }, { onSettled: close }),
  }
  return (
    <>
      <Menu position="bottom-end" transitionProps={{ duration: 0 }} width={220}>
        <Menu.Target>
          <Button
            variant="default"
            size="xs"
            aria-label={`Actions for ${user.username}`}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            Actions
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {ACCOUNT_ACTIONS.filter(({ id }) => isOffered(id, user)).map(({ id, label }) => (
            <Menu.Item key={id} onClick={() => setAsked(id)}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {question &&
        (action.id === 'remove' ? (
          <TypedConfirmModal {...question} word={user.username} />
        ) : (
          <ConfirmModal {...question} />
        ))}
      <ContentModal opened={act.isError} size={440} title="That did not work" onClose={act.reset}>
        <Banner kind="error" text={serverMessageOr(act.error, 'The action failed. Please try again.')} />
      </ContentModal>
      <ContentModal
        opened={typeof act.data?.password === 'string'}
        size={440}
        title={`New password of ${user.username}`}
        onClose={act.reset}
      >
        <p className={classes.explanation}>Give it to the owner, who changes it in Settings. It is not shown again.</p>
        <div className={classes.link}>
          <TextField label="Password" readOnly isFocused value={act.data?.password ?? ''} onChange={() => {}} />
          <CopyButton value={act.data?.password ?? ''}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
        </div>
      </ContentModal>
    </>
  )
}
