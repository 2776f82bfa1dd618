import { IconMapQuestion } from '@tabler/icons-react'
import { EmptyState } from '../feedback/empty-state.tsx'
import { LinkButton } from '../form/link-button.tsx'
import { DocumentTitle } from './page.tsx'

export function NotFound() {
  return (
    <>
      <DocumentTitle text="Page not found" />
      <EmptyState
        icon={IconMapQuestion}
        titleAs="h1"
        title="Page not found"
        text="There is nothing at this address. The address may be mistyped, or the page may have been removed."
        action={
          <LinkButton to="/" primary>
            Go to Home
          </LinkButton>
        }
      />
    </>
  )
}
