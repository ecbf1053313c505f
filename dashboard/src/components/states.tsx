import { Alert, Button, Card, Center, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiError } from '../api/client.ts'
import { IconAlertTriangle, IconRefresh, IconSearchOff } from './icons.tsx'

/** Nothing is there yet: what this place is for and what to do next. */
export function EmptyState(props: {
  icon: ReactNode
  title: string
  children: ReactNode
  action?: ReactNode
}) {
  return (
    <Card py="xl">
      <Center>
        <Stack align="center" gap="xs" maw={460} ta="center" py="lg">
          <ThemeIcon size={48} radius="xl" variant="light" aria-hidden>
            {props.icon}
          </ThemeIcon>
          <Title order={2} mt="xs">
            {props.title}
          </Title>
          <Text c="dimmed" size="sm" component="div">
            {props.children}
          </Text>
          {props.action && <div style={{ marginTop: 12 }}>{props.action}</div>}
        </Stack>
      </Center>
    </Card>
  )
}

/** Something could not be loaded: why, and a way to try again. */
export function ErrorState(props: { error: unknown; onRetry?: (() => void) | undefined; title?: string }) {
  return (
    <Alert
      color="red"
      role="alert"
      icon={<IconAlertTriangle aria-hidden />}
      title={props.title ?? 'This could not be loaded'}
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{messageOf(props.error)}</Text>
        {props.onRetry && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
            onClick={props.onRetry}
          >
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** Why a form was refused, above its button. Renders nothing without an error. */
export function FormError(props: { error: unknown }) {
  if (!props.error) return null
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle aria-hidden />} py="xs">
      {messageOf(props.error)}
    </Alert>
  )
}

/** What to tell people about an error. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.message
  return 'Something went wrong on this page. Please load it again.'
}

/** Holds the place of a table or list of so many rows. */
export function LoadingRows(props: { rows?: number; height?: number }) {
  const rows = Array.from({ length: props.rows ?? 5 }, (_, row) => row)
  return (
    <Stack gap="xs" aria-busy="true">
      <LoadingLabel />
      {rows.map((row) => (
        <Skeleton key={row} height={props.height ?? 44} radius="sm" />
      ))}
    </Stack>
  )
}

/** Holds the place of a card or chart of the given height. */
export function LoadingBlock(props: { height: number }) {
  return (
    <div aria-busy="true">
      <LoadingLabel />
      <Skeleton height={props.height} radius="md" />
    </div>
  )
}

function LoadingLabel() {
  return (
    <span className="sr-only" role="status">
      Loading
    </span>
  )
}

/** A search without a result, and the way back. */
export function NothingFound({ search, onClear }: { search: string; onClear: () => void }) {
  return (
    <EmptyState
      icon={<IconSearchOff aria-hidden />}
      title="Nothing found"
      action={
        <Button variant="default" onClick={onClear}>
          Clear the search
        </Button>
      }
    >
      Nothing contains “{search.trim()}”. Try fewer letters.
    </EmptyState>
  )
}
