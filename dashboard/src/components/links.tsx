import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'
import { IconArrowLeft } from './icons.tsx'

type Attributes = AnchorHTMLAttributes<HTMLAnchorElement> & { ref?: Ref<HTMLAnchorElement> }

/** A link to a page of the dashboard: `<PageLink to="/app/o/$org/keys" params={{ org }}>`. Preloads the page on hover. */
export const PageLink = createLink((props: AnchorProps & Omit<Attributes, keyof AnchorProps>) => (
  <Anchor inherit={props.size === undefined} {...props} />
))

/** A link above the title of a page, back to the list that it is from. */
export const BackLink = createLink(({ children, ...props }: AnchorProps & Omit<Attributes, keyof AnchorProps>) => (
  <Anchor size="sm" {...props}>
    <IconArrowLeft size={14} style={{ verticalAlign: '-2px' }} aria-hidden /> {children}
  </Anchor>
))

/** The same as a button. */
export const ButtonLink = createLink((props: ButtonProps & Omit<Attributes, keyof ButtonProps>) => (
  <Button component="a" {...props} />
))
