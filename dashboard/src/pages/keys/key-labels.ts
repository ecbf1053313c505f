import type { KeyView } from '../../../../src/shared/contract/keys.ts'

/** A key without its secret: `svc_sk_…9Qx2`. */
export function maskedKey(key: Pick<KeyView, 'lastFour'>): string {
  return `svc_sk_…${key.lastFour}`
}

/** True if requests with the key are accepted. */
export function isActiveKey({ status }: KeyView): boolean {
  return status === 'active' || status === 'expiring'
}

/** True for a rotated key that is still active. */
export function isReplaced(key: KeyView): boolean {
  return isActiveKey(key) && key.replacedBy !== undefined
}

/** A key in a list, and the key that replaces it if it is listed directly below that one. */
export interface ListedKey {
  readonly keyView: KeyView
  readonly successor?: KeyView
}

/** The keys in their order, except that a replaced key is directly below its successor if that is listed. */
export function foldReplaced(keys: readonly KeyView[]): readonly ListedKey[] {
  const listed = new Set(keys.map(({ id }) => id))
  const successorOf = ({ replacedBy }: KeyView) =>
    replacedBy !== undefined && listed.has(replacedBy) ? replacedBy : undefined
  const replacedBelow = (successor: KeyView): ListedKey[] =>
    keys
      .filter((key) => successorOf(key) === successor.id)
      .flatMap((keyView) => [{ keyView, successor }, ...replacedBelow(keyView)])
  return keys
    .filter((key) => successorOf(key) === undefined)
    .flatMap((keyView) => [{ keyView }, ...replacedBelow(keyView)])
}

/** The label of a hint, its reason and what to do. */
interface HintLabels {
  readonly label: string
  readonly reason: string
  readonly advice: string
}

/** A reason to look at a key. */
type KeyHint = KeyView['hints'][number] | 'expiring'

export const HINTS: Readonly<Record<KeyHint, HintLabels>> = {
  expiring: {
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
export function noticesOf(keys: readonly KeyView[]): { hint: KeyHint; keys: KeyView[] }[] {
  return (Object.keys(HINTS) as KeyHint[])
    .map((hint) => ({ hint, keys: keys.filter((key) => hintsOf(key).includes(hint)) }))
    .filter((notice) => notice.keys.length > 0)
}

/** A replaced key needs no attention: it expires on purpose. */
export function hintsOf(key: KeyView): readonly KeyHint[] {
  if (isReplaced(key)) return []
  return key.status === 'expiring' ? ['expiring', ...key.hints] : key.hints
}
