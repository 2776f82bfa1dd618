import { Banner } from '../../ui/feedback/banner.tsx'
import type { Notice } from './use-notice.ts'

/** How long a notice stays, unless the pointer or the focus is on it. */
const SHOWN_MS = { success: 5_000, info: 5_000, error: 10_000 } as const

interface NoticeBannerProps {
  notice: (Notice & { id: number }) | null
  onClose: (id: number) => void
}

export function NoticeBanner({ notice, onClose }: NoticeBannerProps) {
  if (!notice) return null
  const { id, kind, text, detail } = notice
  return (
    <Banner
      key={id}
      kind={kind}
      text={text}
      detail={detail}
      onClose={() => onClose(id)}
      closeAfterMs={SHOWN_MS[kind]}
    />
  )
}
