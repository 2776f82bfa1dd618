import {
  allCredentials,
  type BrokerId,
  credentialsOf,
  type CredentialWireKey,
} from '@tradewright/core/broker-catalogue'
import { SecretField } from '../../../ui/form/fields/text-fields.tsx'
import classes from './accounts-section.module.css'

type Credentials = Readonly<Record<CredentialWireKey, string>>

export const NO_CREDENTIALS = Object.fromEntries(allCredentials.map(({ wireKey }) => [wireKey, ''])) as Credentials

interface CredentialFieldsProps {
  broker: BrokerId
  values: Credentials
  onChange: (change: Partial<Credentials>) => void
}

/** What the broker asks for, by the catalogue of brokers. */
export function CredentialFields({ broker, values, onChange }: CredentialFieldsProps) {
  return (
    <div className={classes.pair}>
      {credentialsOf(broker).map(({ wireKey, label }) => (
        <SecretField
          key={wireKey}
          label={label}
          value={values[wireKey]}
          onChange={(value) => onChange({ [wireKey]: value })}
        />
      ))}
    </div>
  )
}
