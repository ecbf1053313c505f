import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

type Attributes = AnchorHTMLAttributes<HTMLAnchorElement> & { ref?: Ref<HTMLAnchorElement> }

/** A link to a page of the dashboard: `<PageLink to="/app/o/$org/keys" params={{ org }}>`. Preloads the page on hover. */
export const PageLink = createLink((props: AnchorProps & Omit<Attributes, keyof AnchorProps>) => (
  <Anchor inherit={props.size === undefined} {...props} />
))

/** The same as a button. */
export const ButtonLink = createLink((props: ButtonProps & Omit<Attributes, keyof ButtonProps>) => (
  <Button component="a" {...props} />
))
