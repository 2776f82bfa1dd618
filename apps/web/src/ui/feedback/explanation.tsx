import { lazy, Suspense } from 'react'

// The popover is large and the sign-in page shows figures too: it is fetched only where a figure is explained.
const HowComputed = lazy(async () => ({ default: (await import('./how-computed.tsx')).HowComputed }))

/** Beside a figure's label: opens what it means and the words for how it came to be. */
export function How({ of, text }: { of: string; text: string }) {
  return (
    <Suspense fallback={null}>
      <HowComputed of={of}>{text}</HowComputed>
    </Suspense>
  )
}

/** Beside the name of a figure or a setting: opens what the glossary says about it. */
export function Term({ of, term }: { of: string; term: string }) {
  return (
    <Suspense fallback={null}>
      <HowComputed of={of} term={term} />
    </Suspense>
  )
}
