import { TextField } from '../../../ui/form/fields.tsx'
import { FormSection } from './form-section.tsx'
import type { SectionProps } from './section-props.ts'

export function TradingConfigurationSection({ chosen, edit }: SectionProps) {
  return (
    <FormSection title="Trading Configuration">
      <TextField
        label="Deployment name"
        placeholder={chosen.strategy ? `${chosen.strategy.name}, first` : 'A name to recognise it by'}
        value={chosen.form.deploymentName}
        onChange={(deploymentName) => edit({ deploymentName })}
      />
    </FormSection>
  )
}
