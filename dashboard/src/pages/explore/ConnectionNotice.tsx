import { Alert, Button, Group, Text } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { IconRefresh, IconWifiOff } from '../../components/icons.tsx'
import { LOCALE } from '../../components/locale.ts'
import type { ShownSlots } from './use-explore.ts'

/** Says that the page cannot be updated, since when, and offers to try again. */
export function ConnectionNotice({ slots }: { slots: ShownSlots }) {
  const { online } = useNetwork()
  if (slots.data === undefined || (online && !slots.isUnreachable)) return null
  return (
    <Alert color="yellow" role="alert" mt="md" icon={<IconWifiOff aria-hidden />}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {online ? "The service can't be reached." : 'You are offline.'} Showing what was loaded at{' '}
          {new Date(slots.loadedAtMs).toLocaleTimeString(LOCALE, { timeStyle: 'short' })}.
          {slots.isOutdated && ' Your last change is not applied yet.'}
        </Text>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={slots.isFetching}
          onClick={slots.retry}
        >
          Try again
        </Button>
      </Group>
    </Alert>
  )
}
