import { Button } from '@mantine/core'
import { useState } from 'react'
import { TextField } from '../../../ui/form/fields.tsx'
import { SecretField } from '../../../ui/form/fields/secret-field.tsx'
import { TextAreaField } from '../../../ui/form/fields/text-area-field.tsx'
import { parsed } from '../../../lib/http.ts'
import layout from '../layout.module.css'
import type { Tell } from '../use-notice.ts'
import { DryRunReport } from './dry-run-report.tsx'
import { useSaveProvider, useTryProvider } from './provider-queries.ts'
import classes from './providers-tab.module.css'

interface ReviewDefinitionProps {
  definition: unknown
  tell: Tell
  tellHere: Tell
  onBack: () => void
  onClose: () => void
}

/** The definition can be mended by hand; what is saved is what was tried last. */
export function ReviewDefinition({ definition, tell, tellHere, onBack, onClose }: ReviewDefinitionProps) {
  const [text, setText] = useState(() => JSON.stringify(definition, null, 2))
  const [ticker, setTicker] = useState('')
  const [apiKey, setApiKey] = useState('')
  const trial = useTryProvider(tellHere)
  const save = useSaveProvider({ tell, onSaved: onClose, onFailed: tellHere })
  const candidate = { definition: parsed(text), ticker, api_key: apiKey }
  const isJson = candidate.definition !== undefined
  const change = (apply: () => void) => {
    apply()
    trial.reset()
  }
  return (
    <form
      className={layout.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        trial.mutate(candidate)
      }}
    >
      <TextAreaField
        label="Definition"
        hint="A definition is read as data, never executed as code"
        mono
        rows={14}
        value={text}
        error={isJson ? undefined : 'This is not JSON.'}
        onChange={(value) => change(() => setText(value))}
      />
      <div className={classes.two}>
        <TextField
          label="Ticker to try"
          hint="A ticker that the API supports"
          placeholder="AAPL"
          value={ticker}
          onChange={(value) => change(() => setTicker(value))}
        />
        <SecretField
          label="API key"
          hint="Stored encrypted; leave empty if none is needed"
          value={apiKey}
          onChange={(value) => change(() => setApiKey(value))}
        />
      </div>
      {trial.data && <DryRunReport run={trial.data} />}
      <div className={layout.foot}>
        <Button variant="subtle" color="gray" onClick={onBack}>
          Back
        </Button>
        <Button type="submit" variant="default" disabled={!isJson || trial.isPending}>
          {trial.isPending ? 'Trying...' : 'Try it'}
        </Button>
        <Button disabled={!trial.data?.works || save.isPending} onClick={() => save.mutate(candidate)}>
          {save.isPending ? 'Saving...' : 'Save Provider'}
        </Button>
      </div>
    </form>
  )
}
