import { Anchor, Box, Group } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { service } from '../api/service.ts'
import { ColorSchemeMenu } from './ColorSchemeMenu.tsx'
import { Logo } from './Logo.tsx'
import classes from './layout.module.css'
import { PageFooter } from './PageFooter.tsx'
import { SkipLink } from './SkipLink.tsx'

/** The one-column layout of sign-in, invitations and the first organization. */
export function AuthLayout() {
  return (
    <Box className={classes.entrance}>
      <SkipLink />
      <Group component="header" justify="space-between" px="md" h={56}>
        <Anchor href="/" underline="never" c="inherit" aria-label={`${service.name} home`}>
          <Logo />
        </Anchor>
        <ColorSchemeMenu />
      </Group>
      <main id="main" tabIndex={-1} className={classes.entranceMain}>
        <Outlet />
      </main>
      <PageFooter />
    </Box>
  )
}
