import { IconAdjustmentsHorizontal, IconX } from '@tabler/icons-react'
import type { Feature } from '@tradewright/contract/features'
import { useState } from 'react'
import { findEntry, paramsSummary } from '../../../strategy-form/catalogue.ts'
import classes from '../../../strategy-form/setup.module.css'
import { TextField } from '../../../ui/form/fields.tsx'
import { IconButton } from '../../../ui/form/icon-button.tsx'
import { parseRange, rangeDefinitions } from '../form/feature-ranges.ts'
import type { FeatureType } from '../form/form.ts'

interface FeatureRangesProps {
  catalogue: readonly Feature[]
  chosen: FeatureType[]
  onChange: (chosen: FeatureType[]) => void
}

/** Each kind of feature with the values that its parameters may take. */
export function FeatureRanges({ catalogue, chosen, onChange }: FeatureRangesProps) {
  const [openId, setOpenId] = useState<FeatureType['id'] | null>(null)
  return (
    <fieldset className={classes.group}>
      <legend>Feature Parameters</legend>
      <p className={classes.hint}>Values separated by commas; the search tries their combinations on every asset.</p>
      <ul className={classes.chosen}>
        {chosen.map((type) => (
          <FeatureRow
            key={type.id}
            type={type}
            feature={findEntry(catalogue, type.id)}
            isOpen={openId === type.id}
            onToggle={() => setOpenId(openId === type.id ? null : type.id)}
            onChange={(ranges) => onChange(chosen.map((other) => (other === type ? { ...type, ranges } : other)))}
            onRemove={() => onChange(chosen.filter((other) => other !== type))}
          />
        ))}
      </ul>
    </fieldset>
  )
}

interface FeatureRowProps {
  type: FeatureType
  /** Undefined while the catalogue is on its way, or when it does not know this feature. */
  feature: Feature | undefined
  isOpen: boolean
  onToggle: () => void
  onChange: (ranges: FeatureType['ranges']) => void
  onRemove: () => void
}

function FeatureRow({ type, feature, isOpen, onToggle, onChange, onRemove }: FeatureRowProps) {
  const name = feature?.name ?? type.name
  const definitions = feature ? rangeDefinitions(feature) : []
  const summary = paramsSummary(definitions, type.ranges)
  return (
    <li>
      <div className={classes.chosenRow}>
        <span className={classes.chosenName} title={`${name}  ${summary}`}>
          {name} <span className={classes.hint}>{summary}</span>
        </span>
        {definitions.length > 0 && (
          <IconButton icon={IconAdjustmentsHorizontal} label={`Parameter ranges of ${name}`} onClick={onToggle} />
        )}
        <IconButton icon={IconX} label={`Remove ${name}`} onClick={onRemove} />
      </div>
      {isOpen && (
        <div className={classes.ranges}>
          {definitions.map((definition) => {
            const text = type.ranges[definition.name] ?? ''
            return (
              <TextField
                key={definition.name}
                label={definition.label}
                error={parseRange(text).length === 0 ? 'Enter at least one value' : undefined}
                value={text}
                onChange={(value) => onChange({ ...type.ranges, [definition.name]: value })}
              />
            )
          })}
        </div>
      )}
    </li>
  )
}
