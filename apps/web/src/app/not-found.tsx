import { IconMapQuestion } from '@tabler/icons-react'
import { EmptyState } from '../ui/empty-state.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { DocumentTitle } from '../ui/page.tsx'

export function NotFound() {
  return (
    <>
      <DocumentTitle text="Page not found" />
      <EmptyState
        icon={IconMapQuestion}
        titleAs="h1"
        title="Page not found"
        text="There is nothing at this address. It may be mistyped, or what was here is gone."
        action={
          <LinkButton to="/" primary>
            Go to Home
          </LinkButton>
        }
      />
    </>
  )
}
