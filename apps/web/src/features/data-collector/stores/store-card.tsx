import { Button } from '@mantine/core'
import { IconAlertTriangle, IconEraser, IconPencil, IconReportSearch, IconTrash } from '@tabler/icons-react'
import type { DataStore } from '@tradewright/contract/data-stores'
import { formatDate } from '../../../lib/format-time.ts'
import { Card, CardSection } from '../../../ui/layout/card.tsx'
import { Fact, Facts } from '../../../ui/table/facts.tsx'
import { IconButton, IconLink } from '../../../ui/form/icon-button.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import classes from './stores-tab.module.css'

interface StoreCardProps {
  store: DataStore
  isExamined: boolean
  onExamine: () => void
  onClear: () => void
  onDelete: () => void
}

export function StoreCard({ store, isExamined, onExamine, onClear, onDelete }: StoreCardProps) {
  const { name } = store
  return (
    <Card
      title={name}
      actions={
        <>
          {store.is_system && <Tag>System</Tag>}
          {store.is_default && <Tag tone="accent">Default</Tag>}
        </>
      }
    >
      <CardSection>
        <Facts>
          <Fact label="Type">{store.store_type}</Fact>
          <Fact label="Format">{store.default_format}</Fact>
          <Fact label="Partitions">{store.partition_strategy}</Fact>
          <Fact label="Compression">{store.compression}</Fact>
          <Fact label="Created">{formatDate(store.created_at)}</Fact>
        </Facts>
        {store.unverified_reason && (
          <p className={classes.unverified}>
            <IconAlertTriangle size={14} aria-hidden /> Not verified yet: {store.unverified_reason}
          </p>
        )}
      </CardSection>
      <div className={classes.foot}>
        <Button
          variant="default"
          leftSection={<IconReportSearch size={15} aria-hidden />}
          aria-expanded={isExamined}
          onClick={onExamine}
        >
          Data quality
        </Button>
        <span className={classes.actions}>
          {!store.is_system && (
            <IconLink icon={IconPencil} label={`Edit ${name} in Settings`} to="/settings#data-stores" />
          )}
          <IconButton icon={IconEraser} label={`Clear all data of ${name}`} onClick={onClear} />
          <IconButton
            icon={IconTrash}
            label={store.is_system ? 'The system store cannot be deleted' : `Delete ${name}`}
            disabled={store.is_system}
            onClick={onDelete}
          />
        </span>
      </div>
    </Card>
  )
}
