import { Button } from '@mantine/core'
import type { BrokerageAccount } from '@tradewright/contract/brokerage-accounts'
import { brokerOf, isBuiltIn } from '@tradewright/core/broker-catalogue'
import { useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { formatPast, formatDate, formatExact } from '../../../lib/format-time.ts'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { StatusPill } from '../../../ui/feedback/status-pill.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { useNow } from '../../../ui/feedback/use-now.ts'
import type { SettingsMessage } from '../messages.ts'
import classes from './accounts-section.module.css'
import { fillModelLabels } from './messages.ts'
import { PaperConditionsForm } from './paper-conditions-form.tsx'
import { useDeleteAccount, useSetDefault, useVerifyAccount } from './queries.ts'
import { RenameForm } from './rename-form.tsx'
import { ReplaceKeysForm } from './replace-keys-form.tsx'

interface AccountRowProps {
  account: BrokerageAccount
  tell: (message: SettingsMessage) => void
}

type OpenForm = 'none' | 'rename' | 'keys' | 'conditions'

export function AccountRow({ account, tell }: AccountRowProps) {
  const [form, setForm] = useState<OpenForm>('none')
  const close = () => setForm('none')
  return (
    <article className={classes.account} aria-label={account.account_name}>
      <AccountFacts account={account} />
      {form === 'none' && <AccountActions account={account} tell={tell} onOpen={setForm} />}
      {form === 'rename' && <RenameForm account={account} tell={tell} onClose={close} />}
      {form === 'conditions' && <PaperConditionsForm account={account} tell={tell} onClose={close} />}
      {form === 'keys' && <ReplaceKeysForm account={account} tell={tell} onClose={close} />}
    </article>
  )
}

function AccountFacts({ account }: { account: BrokerageAccount }) {
  const { last_connected_at, created_at, short_borrow_pct, fill_model } = account
  const now = useNow()
  return (
    <div>
      <p className={classes.name}>
        <span className={classes.words}>{account.account_name}</span>
        {account.is_default && <Tag>Default</Tag>}
        {account.paper_trading ? <Tag tone="accent">Paper</Tag> : <Tag tone="danger">Live money</Tag>}
        {isBuiltIn(account.broker) && <Tag>Built-in</Tag>}
        {brokerOf(account.broker).isExchange && <Tag>{brokerOf(account.broker).name}</Tag>}
        {account.custom_host && <Tag>{account.custom_host}</Tag>}
        {account.status === 'not_verified' && <StatusPill shape="ring" word="Not verified yet" />}
        {account.status === 'rejected' && <StatusPill shape="square" word="Keys rejected" />}
        {account.status === 'enter_again' && <StatusPill shape="bars" word="Enter keys again" />}
      </p>
      {account.status !== 'verified' && (
        <p className={classes.reason}>
          {account.status_reason} {account.status === 'not_verified' && 'It cannot trade until it is verified.'}
        </p>
      )}
      <dl className={`${classes.facts} tabular`}>
        <div>
          <dt>Last connected</dt>
          <dd title={last_connected_at ? formatExact(last_connected_at) : undefined}>
            {last_connected_at ? formatPast(last_connected_at, now) : 'Never'}
          </dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd title={formatExact(created_at)}>{formatDate(created_at)}</dd>
        </div>
        {fill_model !== null && (
          <div>
            <dt>Fills</dt>
            <dd>{fillModelLabels[fill_model]}</dd>
          </div>
        )}
        {short_borrow_pct !== null && (
          <div>
            <dt>Borrowed shares cost</dt>
            <dd>{formatNumber(short_borrow_pct, { decimals: 2, minDecimals: 0, suffix: '% a year' })}</dd>
          </div>
        )}
      </dl>
    </div>
  )
}

function AccountActions({ account, tell, onOpen }: AccountRowProps & { onOpen: (form: OpenForm) => void }) {
  const [isAsking, setAsking] = useState(false)
  const setDefault = useSetDefault(tell)
  const verify = useVerifyAccount(tell)
  const deletion = useDeleteAccount(tell)
  const { id, account_name: name } = account
  const closeQuestion = () => setAsking(false)
  return (
    <div className={classes.buttons}>
      {account.status !== 'verified' && account.status !== 'enter_again' && (
        <Button variant="default" disabled={verify.isPending} onClick={() => verify.mutate(id)}>
          {verify.isPending ? 'Checking...' : 'Check keys again'}
        </Button>
      )}
      <Button variant="default" aria-label={`Rename ${name}`} onClick={() => onOpen('rename')}>
        Rename
      </Button>
      {isBuiltIn(account.broker) && (
        <Button variant="default" aria-label={`Conditions of ${name}`} onClick={() => onOpen('conditions')}>
          Conditions
        </Button>
      )}
      {!isBuiltIn(account.broker) && (
        <Button variant="default" aria-label={`Replace keys of ${name}`} onClick={() => onOpen('keys')}>
          Replace keys
        </Button>
      )}
      {!account.is_default && (
        <Button
          variant="default"
          aria-label={`Set default: ${name}`}
          disabled={setDefault.isPending}
          onClick={() => setDefault.mutate(id)}
        >
          Set default
        </Button>
      )}
      <Button
        variant="default"
        className={classes.delete ?? ''}
        aria-label={`Delete ${name}`}
        onClick={() => setAsking(true)}
      >
        Delete
      </Button>
      <ConfirmModal
        opened={isAsking}
        title={`Delete account “${name}”?`}
        text={lossOf(account)}
        confirmLabel="Delete account"
        busy={deletion.isPending}
        onCancel={closeQuestion}
        onConfirm={() => deletion.mutate(id, { onSettled: closeQuestion })}
      />
    </div>
  )
}

const lossOf = ({ broker }: BrokerageAccount): string =>
  isBuiltIn(broker)
    ? 'Its virtual money, positions and trades are lost. This cannot be undone.'
    : `Its keys and the history kept here are removed; the account at ${brokerOf(broker).name} is not affected.`
