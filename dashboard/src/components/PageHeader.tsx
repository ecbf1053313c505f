import { Box, Group, Text, Title } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { service } from '../api/service.ts'
import classes from './components.module.css'

/**
 * The header of a page: its only h1, one sentence about it, and its main actions. Sets the document title, and takes the focus
 * after navigation so that screen readers announce the page. Pages render it immediately,
 * while the rest is loading.
 */
export function PageHeader(props: {
  title: string
  /** One sentence below the title. */
  children?: ReactNode
  actions?: ReactNode
  /** Above the title: a link back to the list. */
  above?: ReactNode
  /** Beside the title: a badge. */
  beside?: ReactNode
  /** The path of the page, if its drawers have paths of their own: they leave the focus where it is. */
  path?: string
}) {
  const heading = usePageHeading(props.title, props.path)
  return (
    <Box mb="lg">
      {props.above && <Box mb={6}>{props.above}</Box>}
      <div className={classes.header}>
        <Group gap="sm" className={classes.headerText}>
          <Title order={1} ref={heading} tabIndex={-1} className={classes.heading}>
            {props.title}
          </Title>
          {props.beside}
        </Group>
        {props.children && (
          <Text c="dimmed" size="sm" component="div" className={classes.headerSentence}>
            {props.children}
          </Text>
        )}
        {props.actions && (
          <Group gap="xs" className={classes.headerActions}>
            {props.actions}
          </Group>
        )}
      </div>
    </Box>
  )
}

/** For pages with their own header: pass the result to the h1 as `ref`, with `tabIndex={-1}`. */
export function usePageHeading(title: string, path?: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The resolved location: the page being left must not take the focus.
  const resolved = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const pathname = path ?? resolved
  useEffect(() => {
    document.title = `${title} · ${service.name}`
    if (pathname === undefined) return
    const isOtherPage = shown !== undefined && shown.pathname !== pathname
    const hasLostFocus = shown !== undefined && shown.title !== title && document.activeElement === document.body
    if (isOtherPage || hasLostFocus) heading.current?.focus({ preventScroll: true })
    shown = { pathname, title }
  }, [title, pathname])
  return heading
}

/** The previous page: the first page after loading must not take the focus. */
let shown: { readonly pathname: string; readonly title: string } | undefined
