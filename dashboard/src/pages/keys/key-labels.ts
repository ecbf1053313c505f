import type { KeyView } from '../../../../src/shared/shapes.ts'

/** What a key is shown as once its secret is gone: `svc_sk_…9Qx2`. */
export function maskedKey(key: Pick<KeyView, 'lastFour'>): string {
  return `svc_sk_…${key.lastFour}`
}

/** A key that still works but has been rotated: it ends by itself. */
export function isReplaced(key: KeyView): boolean {
  return key.status === 'active' && key.replacedBy !== undefined
}

/** What stands on a badge, why, and what to do about such keys. */
export interface HintLabels {
  readonly label: string
  readonly reason: string
  readonly advice: string
}

export const HINTS: Readonly<Record<KeyView['hints'][number], HintLabels>> = {
  'expires-soon': {
    label: 'Expires soon',
    reason: 'It ends within 14 days.',
    advice: 'Rotate in time, so that nothing stops.',
  },
  idle: {
    label: 'Idle',
    reason: 'No request came with it in 30 days.',
    advice: 'Revoke what nothing needs any more.',
  },
  unused: {
    label: 'Never used',
    reason: 'No request came with it in the week since it was made.',
    advice: 'Revoke what was lost or forgotten.',
  },
}

/** Keys that ask for something to be done, by what it is; the urgent first. */
export function noticesOf(keys: readonly KeyView[]): { hint: KeyView['hints'][number]; keys: KeyView[] }[] {
  return (Object.keys(HINTS) as KeyView['hints'][number][])
    .map((hint) => ({ hint, keys: keys.filter((key) => key.hints.includes(hint) && !isReplaced(key)) }))
    .filter((notice) => notice.keys.length > 0)
}
