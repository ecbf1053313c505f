import type { KeyView } from '../../../../src/shared/shapes.ts'

/** A key without its secret: `svc_sk_…9Qx2`. */
export function maskedKey(key: Pick<KeyView, 'lastFour'>): string {
  return `svc_sk_…${key.lastFour}`
}

/** True for an active key that has been rotated: it expires soon. */
export function isReplaced(key: KeyView): boolean {
  return key.status === 'active' && key.replacedBy !== undefined
}

/** The label of a hint, its reason and what to do. */
export interface HintLabels {
  readonly label: string
  readonly reason: string
  readonly advice: string
}

export const HINTS: Readonly<Record<KeyView['hints'][number], HintLabels>> = {
  'expires-soon': {
    label: 'Expiring',
    reason: 'It expires within 14 days.',
    advice: 'Rotate before it expires to avoid downtime.',
  },
  idle: {
    label: 'Idle',
    reason: 'No requests in 30 days.',
    advice: "Revoke it if it's no longer needed.",
  },
  unused: {
    label: 'Never used',
    reason: 'No requests in the week since it was created.',
    advice: 'Revoke it if it was lost or forgotten.',
  },
}

/** Keys that need attention by hint, the most urgent first. */
export function noticesOf(keys: readonly KeyView[]): { hint: KeyView['hints'][number]; keys: KeyView[] }[] {
  return (Object.keys(HINTS) as KeyView['hints'][number][])
    .map((hint) => ({ hint, keys: keys.filter((key) => key.hints.includes(hint) && !isReplaced(key)) }))
    .filter((notice) => notice.keys.length > 0)
}
