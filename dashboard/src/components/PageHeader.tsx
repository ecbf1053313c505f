import { Box, Group, Text, Title } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import classes from './components.module.css'

/**
 * The head of a page: its only h1, what it is about in a sentence, and its chief actions. Names the tab, and takes the focus
 * when the visitor came from another page, so that a screen reader says where one is. A page shows it at once, while
 * the rest still loads.
 */
export function PageHeader(props: {
  title: string
  /** A sentence below. */
  children?: ReactNode
  actions?: ReactNode
  /** Above the title: a link back to the list. */
  above?: ReactNode
  /** Beside the title: a badge. */
  beside?: ReactNode
}) {
  const heading = usePageHeading(props.title)
  return (
    <Box mb="lg">
      {props.above && <Box mb={6}>{props.above}</Box>}
      <Group justify="space-between" align="flex-start" gap="md">
        <Group gap="sm" className={classes.headerText}>
          <Title order={1} ref={heading} tabIndex={-1} className={classes.heading}>
            {props.title}
          </Title>
          {props.beside}
        </Group>
        {props.actions && <Group gap="xs">{props.actions}</Group>}
      </Group>
      {props.children && (
        <Text c="dimmed" size="sm" mt={4} maw={860} component="div">
          {props.children}
        </Text>
      )}
    </Box>
  )
}

/** For pages with a head of their own: give the result to their h1 as `ref`, beside `tabIndex={-1}`. */
export function usePageHeading(title: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  // Where one has arrived, not where one is going: the page that is left must not take the focus.
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  useEffect(() => {
    document.title = `${title} · Scheduling Slots`
    if (pathname === undefined) return
    const isOtherPage = shown !== undefined && shown.pathname !== pathname
    const hasLostFocus =
      shown !== undefined && shown.title !== title && document.activeElement === document.body
    if (isOtherPage || hasLostFocus) heading.current?.focus({ preventScroll: true })
    shown = { pathname, title }
  }, [title, pathname])
  return heading
}

/** What was shown before: the first page after loading must not take the focus. */
let shown: { readonly pathname: string; readonly title: string } | undefined
