import { Badge, Group, Tooltip } from '@mantine/core'
import type { KeyView } from '../../../../src/shared/contract/keys.ts'
import { HINTS, hintsOf, isReplaced } from './key-labels.ts'

const STATUS = {
  active: { color: 'teal', label: 'Active' },
  expiring: { color: 'teal', label: 'Active' },
  expired: { color: 'gray', label: 'Expired' },
  revoked: { color: 'red', label: 'Revoked' },
} as const

/** A key's state and hints; the reason of a hint on hover and focus. */
export function KeyBadges({ keyView }: { keyView: KeyView }) {
  const { color, label } = STATUS[keyView.status]
  return (
    <Group gap={6}>
      <Badge variant="light" color={color} tt="none">
        {label}
      </Badge>
      {isReplaced(keyView) ? (
        <HintBadge
          label="Replaced"
          advice="A new key replaces this one, which stays active until it expires so that you have time to switch."
        />
      ) : (
        hintsOf(keyView).map((hint) => (
          <HintBadge key={hint} label={HINTS[hint].label} advice={`${HINTS[hint].reason} ${HINTS[hint].advice}`} />
        ))
      )}
    </Group>
  )
}

function HintBadge({ label, advice }: { label: string; advice: string }) {
  return (
    <Tooltip label={advice} events={{ hover: true, focus: true, touch: true }}>
      <Badge variant="light" color="yellow" tt="none" tabIndex={0}>
        {label}
      </Badge>
    </Tooltip>
  )
}
