import { Alert, Button, Card, Center, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiError } from '../api/client.ts'
import classes from './components.module.css'
import { IconAlertTriangle, IconRefresh, IconSearchOff } from './icons.tsx'

/** An empty list: what it is for and what to do next. */
export function EmptyState(props: { icon: ReactNode; title: string; children: ReactNode; action?: ReactNode }) {
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

/** A loading error, with a retry button. */
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

/** Why a form was rejected, above its button. Renders nothing without an error. */
export function FormError(props: { error: unknown }) {
  if (!props.error) return null
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle aria-hidden />} py="xs">
      {messageOf(props.error)}
    </Alert>
  )
}

/** The message of an error for users. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.message
  return 'Something went wrong on this page. Reload it.'
}

/** Skeleton of a table or list. */
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

/** Skeleton of a card or chart. */
export function LoadingBlock(props: { height: number }) {
  return (
    <div aria-busy="true">
      <LoadingLabel />
      <Skeleton height={props.height} radius="md" />
    </div>
  )
}

/** Content that keeps its place, dimmed, while newer content is loading. */
export function Refreshing({ isOutdated, children }: { isOutdated: boolean; children: ReactNode }) {
  return (
    <div className={classes.refreshing} aria-busy={isOutdated}>
      {children}
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

/** A search without results, with a button to clear it. `children`: where it looks. */
export function NothingFound(props: { search: string; onClear: () => void; children?: string }) {
  return (
    <EmptyState
      icon={<IconSearchOff aria-hidden />}
      title="No results"
      action={
        <Button variant="default" onClick={props.onClear}>
          Clear search
        </Button>
      }
    >
      Nothing matches “<bdi>{props.search.trim()}</bdi>”. {props.children ?? 'Try fewer letters.'}
    </EmptyState>
  )
}
