import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { Provider } from '@tradewright/contract/data-collector'
import { formatCount } from '../../../lib/format.ts'
import { Card, CardSection } from '../../../ui/layout/card.tsx'
import { Fact, Facts } from '../../../ui/table/facts.tsx'
import { IconButton } from '../../../ui/form/icon-button.tsx'
import { SourceBadge } from '../../../ui/feedback/source-badge.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import classes from './providers-tab.module.css'

interface ProviderCardProps {
  provider: Provider
  onRename: () => void
  onDelete: () => void
}

/** Only custom providers can be changed; the others come with the program. */
export function ProviderCard({ provider, onRename, onDelete }: ProviderCardProps) {
  const { display_name: name, max_ticker_batch: batch } = provider
  return (
    <Card
      title={name}
      actions={
        <>
          {provider.synthetic && <SourceBadge synthetic />}
          {provider.is_custom && (
            <>
              <Tag tone="accent">Custom</Tag>
              <IconButton icon={IconPencil} label={`Rename ${name}`} onClick={onRename} />
              <IconButton icon={IconTrash} label={`Delete ${name}`} onClick={onDelete} />
            </>
          )}
        </>
      }
    >
      <CardSection>
        <Facts>
          <Fact label="Type">{provider.provider_type}</Fact>
          <Fact label="Auth required">{provider.requires_auth ? 'Yes' : 'No'}</Fact>
          <Fact label="Max batch">
            {formatCount(batch)} {batch === 1 ? 'ticker' : 'tickers'}
          </Fact>
        </Facts>
        <p className={classes.offers}>
          {provider.granularities.join(', ')} · {provider.supported_categories.join(', ')}
        </p>
      </CardSection>
    </Card>
  )
}
